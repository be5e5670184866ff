"""A snapshot: verified file by file, sealed, shared, resumed; a service never meets half of one.

The hub's client here is a stand-in package of that name that copies from a folder; the real client against a hub that
drops connections is tested on a real host.
"""

import hashlib
import json
import stat

from test.agent.support import AgentTest, Index, quick_python

REVISION = "c" * 40
CLIENT = """
import fnmatch, json, os, shutil
from pathlib import Path

HUB = Path({hub!r})

class Entry:
    pass

class HfApi:
    def model_info(self, repository, revision, files_metadata):
        info = Entry()
        info.siblings = []
        for known in json.loads((HUB / "listing.json").read_text()):
            entry = Entry()
            entry.rfilename, entry.size = known["path"], known["size"]
            entry.blob_id = known.get("gitBlob")
            entry.lfs = {{"sha256": known["sha256"]}} if "sha256" in known else None
            info.siblings.append(entry)
        return info

def snapshot_download(repository, revision, local_dir, allow_patterns, max_workers):
    asked = dict(patterns=allow_patterns, revision=revision, repository=repository)
    asked["environment"] = {{name: value for name, value in os.environ.items() if name.startswith("HF_")}}
    with open(HUB / "asked.jsonl", "a") as log:
        log.write(json.dumps(asked) + "\\\\n")
    print("\\\\r".join("%d%%" % n for n in range(50000)), end="")
    for path in sorted((HUB / "files").rglob("*")):
        name = str(path.relative_to(HUB / "files"))
        if path.is_file() and any(fnmatch.fnmatch(name, pattern) for pattern in allow_patterns):
            target = Path(local_dir, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    if (HUB / "broken").exists():
        error = RuntimeError("401 the token is not\\\\nworth anything")
        error.response = Entry()
        error.response.status_code = 401
        raise error
""".replace("\\\\", "\\")


class Fetch(AgentTest):
    def setUp(self):
        super().setUp()
        self.hub = self.top / "hub"
        (self.hub / "files/sub").mkdir(parents=True)
        self.listing = []
        self.put("config.json", b"{}", lfs=False)
        self.put("sub/weights [1].safetensors", b"\0" * 5000, lfs=True)
        index = Index(self.top / "index")
        index.add("huggingface-hub", "1.33.0", {"huggingface_hub/__init__.py": CLIENT.format(hub=str(self.hub))})
        self.index = index

    def put(self, path, content, lfs):
        (self.hub / "files" / path).write_bytes(content)
        if lfs:
            identity = {"sha256": hashlib.sha256(content).hexdigest()}
        else:
            identity = {"gitBlob": hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()}
        self.listing.append({"path": path, "size": len(content), **identity})
        (self.hub / "listing.json").write_text(json.dumps(self.listing))

    def model(self, generation="mmmm0001", **fields):
        document = self.desired(
            name="tiny",
            generation=generation,
            directory=str(self.top / "models"),
            repository="org/tiny",
            revision=REVISION,
            files=self.listing,
            endpoint="http://hub.example:1",
            retention="Retain",
            client={"version": "1.33.0", "python": quick_python(), "lock": self.index.lock},
        )
        return {**document, **fields}

    def fetch(self, **fields):
        return self.succeed("fetch", self.model(**fields), PIP_INDEX_URL=self.index.url)

    def fetch_fails(self, code, **fields):
        return self.fail_with(code, "fetch", self.model(**fields), PIP_INDEX_URL=self.index.url)

    @property
    def place(self):
        return self.top / "models/org--tiny" / REVISION

    def asked(self):
        path = self.hub / "asked.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def test_a_sealed_snapshot_and_again(self):
        self.assertEqual(self.fetch(), {"changed": True, "path": str(self.place)})
        manifest = json.loads((self.place / "manifest.json").read_text())
        self.assertEqual([entry["path"] for entry in manifest["files"]], ["config.json", "sub/weights [1].safetensors"])
        self.assertEqual(manifest["files"][0]["sha256"], hashlib.sha256(b"{}").hexdigest())
        for entry in manifest["files"]:
            self.assertEqual(stat.S_IMODE((self.place / entry["path"]).stat().st_mode), 0o444)
        self.assertTrue((self.place / ".complete").exists())
        self.assertEqual(sorted(path.name for path in self.place.parent.iterdir()), [REVISION])
        self.assertEqual(self.fetch(), {"changed": False, "path": str(self.place)})
        self.assertEqual(len(self.asked()), 1)

    def test_the_token_goes_by_its_file_and_that_of_root_is_not_used(self):
        token = self.root / "secrets/hub-token-1"
        self.succeed("secret", b"hf_secret_token", str(token))
        self.fetch(tokenFile=str(token))
        environment = self.asked()[0]["environment"]
        self.assertEqual(
            (environment["HF_TOKEN_PATH"], environment["HF_ENDPOINT"]), (str(token), "http://hub.example:1")
        )
        self.assertNotIn("hf_secret_token", json.dumps(self.asked()))
        for log in (self.root / "log").iterdir():
            self.assertNotIn("hf_secret_token", log.read_text())
        # another token: nothing to do with the files
        other = self.root / "secrets/hub-token-2"
        self.succeed("secret", b"hf_other_token", str(other))
        self.assertFalse(self.fetch(tokenFile=str(other))["changed"])

    def test_without_a_token_the_client_is_told_to_use_none(self):
        self.fetch()
        self.assertEqual(self.asked()[0]["environment"]["HF_HUB_DISABLE_IMPLICIT_TOKEN"], "1")

    def test_without_a_list_the_hub_is_asked_for_one(self):
        self.fetch(files=[])
        self.assertEqual(len(json.loads((self.place / "manifest.json").read_text())["files"]), 2)

    def test_a_wrong_file_is_fetched_again_once_and_then_refused(self):
        wrong = [{**self.listing[0], "gitBlob": "0" * 40}, self.listing[1]]
        error = self.fetch_fails("verify", files=wrong)
        self.assertIn("config.json: gitBlob", error["message"])
        self.assertEqual(
            [call["patterns"] for call in self.asked()],
            [["config.json", "sub/weights [[]1].safetensors"], ["config.json"]],
        )
        self.assertFalse(self.place.exists())
        # what was right need not come again
        self.fetch()
        self.assertEqual(self.asked()[-1]["patterns"], ["config.json"])

    def test_a_download_that_breaks_off_goes_on_later(self):
        (self.hub / "broken").touch()
        self.fetch_fails("fetch")
        self.assertFalse(self.place.exists())
        (self.hub / "broken").unlink()
        before = len(self.asked())
        self.fetch()
        self.assertEqual(len(self.asked()), before)  # the files were there, only unproved

    def test_what_the_hub_says_is_in_the_message(self):
        (self.hub / "broken").touch()
        self.assertIn("RuntimeError: 401 the token is not worth anything", self.fetch_fails("fetch")["message"])

    def test_space_is_checked_first(self):
        huge = [{**self.listing[1], "size": 10**18}]
        message = self.fetch_fails("no-space", files=huge)["message"]
        self.assertIn("(1000000000000000000 bytes, 1000000000000000000 in all)", message)
        self.assertEqual(self.asked(), [])

    def test_a_damaged_snapshot_is_made_good_and_not_from_nothing(self):
        self.fetch()
        weights = self.place / "sub/weights [1].safetensors"
        weights.chmod(0o644)
        weights.write_bytes(b"short")
        self.assertTrue(self.fetch()["changed"])
        self.assertEqual(weights.stat().st_size, 5000)
        self.assertEqual(self.asked()[-1]["patterns"], ["sub/weights [[]1].safetensors"])

    def test_two_stacks_share_a_snapshot_and_the_last_one_may_purge_it(self):
        self.fetch(retention="Purge")
        second = {"owner": "other/stack", "retention": "Purge"}
        self.assertFalse(self.fetch(**second)["changed"])
        self.succeed("remove", self.model(), "model")
        self.assertTrue(self.place.exists())
        self.succeed("remove", self.model(**second), "model")
        self.assertFalse(self.place.exists())

    def test_weights_stay_unless_told_otherwise(self):
        self.fetch()
        self.assertEqual(self.succeed("remove", self.model(), "model"), {"kept": str(self.place), "removed": True})
        self.assertTrue((self.place / ".complete").exists())
        self.assertFalse((self.root / "hub-client").exists())
