"""No two services of a host serve on one GPU or port, whoever made them, whatever failed or was cut off."""

import random
from contextlib import suppress

from test.agent import support
from test.agent.support import Scratch

from sglang_agent import activate, claims, contract, files, foreign, generation, intend, receipts, remove, tools
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout

CUT = KeyboardInterrupt


class Host(Scratch):
    """The agent's own verbs, on a host whose units start, fail and end as a test wants."""

    def setUp(self):
        super().setUp()
        self.active, self.enabled = {}, set()
        self.fault = None
        for module in (activate, remove, claims, foreign):
            self.put(module.systemd, "running", lambda: True)
        self.put(activate.systemd, "control", self.control)
        self.put(activate.systemd, "properties", lambda unit, *names: dict.fromkeys(names, ""))
        self.put(activate.systemd, "show", self.show)
        self.put(activate.systemd, "alive", lambda unit: unit in self.active)
        self.put(activate.starting, "start", self.start)
        self.put(activate.starting, "stop", lambda name: self.active.pop(f"sglang-{name}.service", None))
        self.put(activate.starting, "serving", self.serving)
        self.put(activate.users, "ensure", lambda *words: None)
        self.put(activate.users, "forget", lambda *words: None)
        self.put(activate, "_check", lambda *words: None)
        self.put(activate, "_check_reachable", lambda *words: None)
        self.put(activate, "_make_caches", lambda *words: None)
        self.put(generation.archive, "content", lambda: b"agent")
        self.put(intend.prepared, "part", lambda document: document["part"])
        (self.folder / "system/etc/systemd/system").mkdir(parents=True)

    def control(self, verb, *units):
        for unit in units:
            if verb == "enable":
                self.enabled.add(unit)
            elif verb == "disable":
                self.enabled.discard(unit)
            elif verb == "stop":
                self.active.pop(unit, None)

    def show(self, unit):
        return {
            "ActiveState": "active" if unit in self.active else "inactive",
            "LoadState": "loaded",
            "UnitFileState": "enabled" if unit in self.enabled else "disabled",
        }

    def serving(self, layout, name, which):
        return self.active.get(f"sglang-{name}.service", (None,))[0] == which

    def start(self, layout, name, which):
        if self.fault == "cut":
            raise CUT
        verdict = {"contract": contract.version(), "generation": which, "verdict": "yes"}
        if self.fault == which:
            return {**verdict, "verdict": "no", "check": "start", "reason": "bang"}
        document = generation.desired_of(layout, name, which)
        self.active[f"sglang-{name}.service"] = which, document
        return verdict

    def service(self, name, owner, gpus, port, root="sglang"):
        example = {**support.example("host/prepare")["service"], **support.example("host/activate")}
        del example["prepared"]
        layout = Layout(str(self.folder / root))
        shown = {} if gpus is None else {"CUDA_VISIBLE_DEVICES": ",".join(map(str, gpus))}
        document = {
            **example,
            "name": name,
            "owner": owner,
            "generation": f"g{'all' if gpus is None else ''.join(map(str, gpus))}p{port}",
            "place": "rack1 192.0.2.11",
            "root": str(layout.root),
            "unit": f"[Service]\nExecStart={layout.service(name)}/current\n",
            "environment": shown,
            "endpoint": {"host": "0.0.0.0", "port": port},
        }
        document.pop("apiKeyFile", None)
        return document

    def intend(self, service):
        owned = {key: service[key] for key in ("contract", "name", "owner", "generation", "place", "root")}
        intend.intend({**owned, "prepared": "aa11", "part": service})

    def up(self, service, fault=None):
        self.fault = None
        self.intend(service)
        self.fault = fault
        activate.make(service, tools.Log(Layout(service["root"]), "activate", service["name"]))

    def remove(self, service):
        owned = {key: service[key] for key in ("name", "owner", "generation", "place", "root")}
        remove.remove(owned, "service")

    def refused(self, service):
        with self.assertRaises(AgentError) as told:
            self.intend(service)
        return told.exception.message

    def claimed(self):
        return sorted(path.name for path in claims.folder().glob("*"))


class Claims(Host):
    def setUp(self):
        super().setUp()
        self.chat = self.service("chat", "lab/a", [0, 1], 30000)

    def test_gpus_and_port_of_another_service_are_refused_with_its_owners_name_and_all_at_once(self):
        self.up(self.chat)
        for root in ("sglang", "elsewhere"):
            message = self.refused(self.service("code", "lab/b", [1, 2], 30000, root))
            whose = "service 'chat' of stack 'lab/a' (sglang-chat.service)"
            self.assertIn(f"\n  GPU 1: {whose} has; give this service other GPUs", message)
            self.assertIn(f"\n  port 30000: {whose} has it; give this service another `api.port`", message)
        self.assertIn("all GPUs", self.refused_all())
        self.assertIsNone(receipts.read(self.layout, "service", "code"))
        self.up(self.service("code", "lab/b", [2, 3], 30001))
        self.assertEqual(sorted(self.active), ["sglang-chat.service", "sglang-code.service"])

    def refused_all(self):
        self.up(self.service("wide", "lab/b", [4], 30004))
        self.remove(self.service("wide", "lab/b", [4], 30004))
        self.remove(self.chat)
        self.chat = self.service("chat", "lab/a", None, 30000)
        self.up(self.chat)
        told = self.refused(self.service("code", "lab/b", None, 30009))
        self.assertIn("GPU 7: service 'chat'", self.refused(self.service("code", "lab/b", [7], 30009)))
        self.remove(self.chat)
        self.chat = self.service("chat", "lab/a", [0, 1], 30000)
        self.up(self.chat)
        return told

    def test_the_same_name_in_another_root_is_refused_though_its_unit_may_be_taken_over(self):
        self.up(self.chat)
        message = self.refused({**self.service("chat", "lab/a", [5], 30005, "elsewhere"), "adopt": True})
        self.assertIn(f"has that name already, in {self.layout.root}", message)

    def test_a_start_is_refused_what_another_took_since_the_intent(self):
        code = self.service("code", "lab/b", [0], 30001)
        self.up(code)
        with self.assertRaises(AgentError) as told:
            activate.make(self.chat, tools.Log(self.layout, "activate", "chat"))
        self.assertEqual(told.exception.code, "claimed")
        self.assertEqual(list(self.active), ["sglang-code.service"])

    def test_what_a_service_has_left_is_free_and_what_it_goes_back_to_is_not(self):
        self.up(self.chat)
        moved = self.service("chat", "lab/a", [4, 5], 30000)
        with self.assertRaises(AgentError):
            self.up(moved, fault=moved["generation"])
        self.assertIn("GPU 0", self.refused(self.service("code", "lab/b", [0, 4], 30001)))
        self.intend(self.service("code", "lab/b", [4], 30001))
        self.remove(self.service("code", "lab/b", [4], 30001))
        self.up(moved)
        self.intend(self.service("code", "lab/b", [0, 1], 30001))

    def test_a_change_that_was_cut_off_keeps_both_and_says_what_helps(self):
        self.up(self.chat)
        with self.assertRaises(CUT):
            self.up(self.service("chat", "lab/a", [4], 30000), fault="cut")
        for gpu in (0, 4):
            message = self.refused(self.service("code", "lab/b", [gpu], 30001))
            self.assertIn("its last change has not ended well: run `pulumi up` or `destroy` of it", message)

    def test_a_service_that_is_stopped_and_disabled_claims_nothing(self):
        self.up(self.chat)
        self.active.clear()
        self.assertIn("GPU 0", self.refused(self.service("code", "lab/b", [0], 30001)))
        self.enabled.clear()
        self.intend(self.service("code", "lab/b", [0], 30001))

    def test_a_removal_leaves_no_claim(self):
        self.up(self.chat)
        self.assertEqual(self.claimed(), ["chat.json"])
        self.remove(self.chat)
        self.assertEqual((self.claimed(), claims.folder().exists()), ([], False))

    def test_a_claim_whose_receipt_is_lost_stands_in_nobodys_way(self):
        self.up(self.chat)
        files.remove(receipts.path_of(self.layout, "service", "chat"))
        self.intend(self.service("code", "lab/b", [0], 30001))

    def test_a_service_of_an_agent_that_kept_no_claims_has_what_its_document_says(self):
        for root in ("sglang", "elsewhere"):
            chat = self.service("chat", "lab/a", [0, 1], 30000, root)
            self.up(chat)
            files.remove(claims.folder())
            self.assertIn("GPU 1: service 'chat'", self.refused(self.service("code", "lab/b", [1], 30001)))
            self.remove(chat)

    def test_a_masked_unit_and_a_link_to_nowhere_claim_nothing(self):
        for name, target in (("masked", "/dev/null"), ("lost", "/nowhere")):
            (self.folder / f"system/etc/systemd/system/sglang-{name}.service").symlink_to(target)
        self.intend(self.chat)

    def test_random_sequences(self):
        for seed in range(50):
            with self.subTest(seed):
                self.sequence(random.Random(seed))

    def sequence(self, pick):
        slots = [("chat", "lab/a", f"one{pick.random()}"), ("code", "lab/b", f"two{pick.random()}")]
        last = {}
        for _ in range(12):
            name, owner, root = pick.choice(slots)
            if name in last and pick.random() < 0.2:
                self.remove(last.pop(name))
            else:
                wanted = self.service(name, owner, pick.choice((None, [0], [1], [0, 1])), pick.choice((1, 2)), root)
                with suppress(AgentError, CUT):
                    self.intend(wanted)
                    last[name] = wanted
                    self.up(wanted, fault=pick.choice((None, None, "cut", wanted["generation"])))
            self.check()
        for name in list(last):
            self.remove(last.pop(name))
        self.assertEqual((self.active, self.claimed()), ({}, []))

    def check(self):
        if len(self.active) < 2:
            return
        (_, one), (_, other) = self.active.values()
        gpus = [set(claims.gpus_of(found["environment"]) or "01") for found in (one, other)]
        self.assertFalse(gpus[0] & gpus[1])
        self.assertNotEqual(one["endpoint"]["port"], other["endpoint"]["port"])
