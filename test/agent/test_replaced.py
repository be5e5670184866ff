"""What the engine's state says is there stays, and what it does not say goes, whatever was made anew or cut off."""

import random
import unittest
import unittest.mock
from contextlib import suppress

from test.agent.test_ownership import Scratch

from sglang_agent import receipts, remove, replaced


class Cut(Exception):
    """The run ended before the answer was in the engine's state."""


class Engine:
    """As much of Pulumi as makes and removes one slot of a host, and a command that depends on it."""

    def __init__(self, layout, kind="service"):
        self.layout = layout
        self.kind = kind
        self.used = True
        self.present = None  # place of the resource in the state
        self.doomed = []  # resources that another came after: still to be removed

    def slot(self, place):
        return {"name": "chat", "owner": "lab/a", "generation": "gen1", "place": place, "root": str(self.layout.root)}

    def make(self, place, *words):
        receipts.claim(self.layout, self.kind, self.slot(place))
        replaced.told(self.layout, self.kind, self.slot(place), list(words))

    def up(self, place, target_replace=False, cut=None):
        """`cut`: before the state knows of the resource, before what depends on it, before old ones are removed."""
        by_name = target_replace and self.present == place
        if by_name or self.present != place:
            self.make(place, replaced.ANEW)
            if cut == "answer":
                raise Cut
            if self.present:
                self.doomed.append(self.present)
            self.present = place
        if cut == "dependent":
            raise Cut
        if not by_name:
            self.activate()
        if cut == "removal":
            raise Cut
        while self.doomed:
            self.remove(self.doomed.pop())

    def activate(self):
        """What comes after a service's intent, and after an agent where something is on its host."""
        if self.kind == "service":
            replaced.service_is_known(self.layout, self.slot(self.present))
        elif self.used:
            replaced.agent_is_known(self.layout, self.slot(self.present))

    def remove(self, place):
        with unittest.mock.patch.dict(remove.KINDS, {self.kind: self._drop}):
            remove.remove(self.slot(place), self.kind)

    def _drop(self, layout, receipt):
        receipts.drop(layout, receipt)

    def destroy(self):
        for place in [*self.doomed, self.present]:
            if place:
                self.remove(place)
        self.doomed, self.present = [], None

    @property
    def there(self):
        return receipts.read(self.layout, self.kind, "chat", "lab/a") is not None


class Replaced(Scratch):
    def check(self, engine, steps):
        """Whatever was cut off: an `up` that ends well has the slot, and a destruction leaves nothing."""
        for step in steps:
            with suppress(Cut):
                engine.up(**step)
        engine.up(place="rack1 192.0.2.11")
        self.assertTrue(engine.there, steps)
        engine.destroy()
        self.assertFalse(engine.there, steps)

    def test_an_address_put_back_after_a_move_to_it_was_cut_off(self):
        for cut in ("answer", "dependent", "removal", None):
            steps = [{"place": "rack1 192.0.2.11"}, {"place": "rack1 192.0.2.99", "cut": cut}]
            with self.subTest(cut):
                self.check(Engine(self.layout), steps)

    def test_a_replacement_by_name(self):
        self.check(
            Engine(self.layout), [{"place": "rack1 192.0.2.11"}, {"place": "rack1 192.0.2.11", "target_replace": True}]
        )

    def test_an_agent_that_nothing_depends_on_any_more(self):
        for steps in (
            [{"place": "rack1 192.0.2.99"}],
            [{"place": "rack1 192.0.2.99", "cut": "removal"}],
            [{"place": "rack1 192.0.2.11", "target_replace": True}],
        ):
            with self.subTest(steps):
                engine = Engine(self.layout, "agent")
                engine.up("rack1 192.0.2.11")
                engine.used = False
                self.check(engine, steps)

    def test_a_first_run_that_was_cut_off_leaves_no_removal_to_wait_for(self):
        self.check(Engine(self.layout), [{"place": "rack1 192.0.2.11", "cut": "answer"}] * 3)

    def test_random_sequences(self):
        for seed in range(300):
            with self.subTest(seed):
                self.check(Engine(self.layout), list(steps_of(random.Random(seed))))

    def test_a_receipt_of_before_is_taken_for_known(self):
        engine = Engine(self.layout)
        engine.up("rack1 192.0.2.11")
        receipt = receipts.read(self.layout, "service", "chat")
        receipts.write(
            self.layout, {key: value for key, value in receipt.items() if key not in ("known", "superseded")}
        )
        self.check(engine, [{"place": "rack1 192.0.2.99"}])


def steps_of(pick):
    """A run that was cut off between an intent and what depends on it is followed by one for the same place: until then
    nothing was started, and the host cannot know that the state has the intent. Nor can it after a replacement by name
    that was cut off in the moment before the removal."""
    place, cut = "rack1 192.0.2.11", None
    for _ in range(pick.randrange(1, 9)):
        by_name = cut != "dependent" and pick.random() < 0.3
        if cut != "dependent" and not by_name:
            place = f"rack1 192.0.2.{pick.choice((11, 99))}"
        cut = None if by_name else pick.choice((None, "removal") if cut else ("dependent", "removal", None))
        yield {"place": place, "target_replace": by_name, "cut": cut}
    if cut == "dependent":
        yield {"place": place}
