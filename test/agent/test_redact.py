"""No secret in a stream, however it is cut or quoted."""

import unittest

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent.redact import LEAST, Redactor

KEY = 'sk-it\'s \\ a "key" ü'
PLAIN = "sk-abcdefgh"


class Redact(unittest.TestCase):
    def test_every_way_of_cutting_the_stream(self):
        text = f"api_key='{PLAIN}', x; {PLAIN[:6]} {PLAIN}{PLAIN}\n".encode()
        expected = f"api_key='***', x; {PLAIN[:6]} ******\n".encode()
        for cut in range(len(text)):
            redactor = Redactor([PLAIN])
            self.assertEqual(redactor.feed(text[:cut]) + redactor.feed(text[cut:]) + redactor.end(), expected, cut)

    def test_as_python_and_json_quote_it(self):
        import json

        for shown in (KEY, repr(KEY), json.dumps(KEY), json.dumps(KEY, ensure_ascii=False)):
            redactor = Redactor([KEY])
            clean = redactor.feed(f"<{shown}>".encode()) + redactor.end()
            self.assertNotIn(b"key", clean, shown)

    def test_a_key_of_the_fewest_characters_that_one_may_have(self):
        self.assertEqual(LEAST, 8)
        for secret, shown in (("k" * LEAST, b"<***>"), ("k" * (LEAST - 1), b"<kkkkkkk>")):
            redactor = Redactor([secret])
            self.assertEqual(redactor.feed(f"<{secret}>".encode()) + redactor.end(), shown)

    def test_text_without_a_secret_passes_at_once(self):
        redactor = Redactor([PLAIN])
        self.assertEqual(redactor.feed(b"loading 10%\rloading 20%\r"), b"loading 10%\rloading 20%\r")
        self.assertEqual(Redactor([]).feed(b"x"), b"x")
