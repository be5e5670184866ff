"""The digest of a source tree, and the modes of what a patch changes in it."""

import hashlib
import os

from test.agent.support import Scratch

from sglang_agent import files, patches, tree


class Trees(Scratch):
    def test_a_digest_has_every_python_file_by_its_path_and_nothing_else(self):
        package = self.folder / "sglang"
        for name in ("a.py", "a/b.py"):
            files.write(package / name, "x")
        before = tree.python_digest(package)
        files.write(package / "data.json", "x")
        self.assertEqual(tree.python_digest(package), before)
        for name, text in (("a.py", "y"), ("c.py", ""), ("a/b.py", "y")):
            old = (package / name).read_text() if (package / name).exists() else None
            files.write(package / name, text)
            self.assertNotEqual(tree.python_digest(package), before, name)
            files.write(package / name, old) if old is not None else files.remove(package / name)
        self.assertEqual(tree.python_digest(package), before)

    def test_a_patched_file_keeps_its_mode_and_a_new_one_can_be_read(self):
        package = files.make_directory(self.folder / "sglang")
        files.write(package / "tool", "one\n", 0o755)
        text = "--- a/tool\n+++ b/tool\n@@ -1 +1 @@\n-one\n+two\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n"
        digest = hashlib.sha256(text.encode()).hexdigest()
        patch = {"name": "p", "text": text, "sha256": digest, "base": "site-packages", "stripLevel": 1}
        changed = patches.apply_all([patch], {"site-packages": package})
        self.assertEqual(changed, [package / "new", package / "tool"])
        self.assertEqual([os.stat(path).st_mode & 0o777 for path in changed], [0o644, 0o755])
        self.assertEqual((package / "tool").read_text(), "two\n")
