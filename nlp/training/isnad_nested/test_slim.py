import json
import random
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import torch

from isnad_base import encoder
from isnad_embed.corpus import ROOT
from isnad_ner.data import Sets
from isnad_nested import data, examples, learn, slim, start, text
from isnad_nested.model import Upper

SHIPPED = ROOT / "nlp" / "models" / "tagger-ar-en"
FEW = 12


class Slim(unittest.TestCase):
    def setUp(self) -> None:
        own, wojood, tune = data.divided()
        self.few = own[:FEW], wojood[:FEW], {name: sentences[:FEW] for name, sentences in tune.items()}
        rows = text.rows
        for patch in (
            mock.patch.object(data, "divided", lambda: self.few),
            mock.patch.object(text, "rows", lambda kind: rows(kind)[:FEW]),
            mock.patch.object(slim, "SAMPLE", FEW),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def test_a_tagger_becomes_smaller_and_learns_from_itself(self) -> None:
        before = start.read(SHIPPED).nested
        units = [part - 64 for part in encoder.inner_of(before.state)]
        with tempfile.TemporaryDirectory() as name:
            made = Path(name) / "tagger-ar-en"
            amounts = ["--copies", "1", "--visits", "2", "--articles", "0", "--senses", "3", "--seconds", "4"]
            options = ["--units", ",".join(map(str, units)), "--words-from", "2", "--kept", str(Path(name) / "kept.pt")]
            slim.main(["--start", str(SHIPPED), "--folder", str(made), *options, *amounts])
            after = start.read(made)
            self.assertEqual(encoder.inner_of(after.nested.state), units)
            self.assertEqual(after.nested.words_from, 2)
            self.assertEqual((made / "model.onnx").read_bytes(), (SHIPPED / "model.onnx").read_bytes())
            self.assertLess((made / "nested.onnx").stat().st_size, (SHIPPED / "nested.onnx").stat().st_size)
            card = json.loads((made / "model.json").read_text(encoding="utf8"))
            self.assertIn(", then python -m isnad_nested.slim --", card["trained_by"])
            self.assertEqual(card["files"]["nested.onnx"]["weight_bits"], 7)
            again = Path(name) / "again" / "tagger-ar-en"
            more = ["--go-on", str(made), "--both", "--seed", "3", "--round-from", "0"]
            more += ["--wojood", "2", "--kept", str(Path(name) / "again.pt")]
            slim.main(["--start", str(SHIPPED), "--folder", str(again), *more, *amounts])
            gone_on = start.read(again)
            self.assertEqual(encoder.inner_of(gone_on.nested.state), units)
            self.assertEqual(gone_on.nested.words_from, 2)
            lowest = "layers.0.up.weight"
            self.assertLess((gone_on.nested.state[lowest] - after.nested.state[lowest]).abs().max(), 1e-6)
            self.assertNotEqual(gone_on.checksum, after.checksum)
            carried = json.loads((again / "model.json").read_text(encoding="utf8"))
            self.assertTrue(carried["trained_by"].startswith(f"{card['trained_by']}, then "))
            self.assertRegex(carried["trained_by"], "--go-on .*--both .*--wojood 2 .*--seed 3$")
            self.assertTrue(any(after.checksum in part["name"] for part in carried["training_data"]))

    @torch.no_grad()
    def test_the_tagger_is_asked_once_about_a_window(self) -> None:
        before = start.read(SHIPPED).nested
        teacher = Upper(before.state, slim.FROZEN, 0.0, 0, before.words_from).eval()
        taught = slim.Taught(before.state, (slim.Lower(before.state, slim.FROZEN), teacher))
        rows = examples.plain_examples([[["قال", "وزير", "الخارجية", "المصري"]], [["في", "بغداد"]]])
        taught.read(rows)
        said = [row.taught for row in rows]
        self.assertEqual([part.nested.shape[:2] for part in said], [(4, len(data.TYPES)), (2, len(data.TYPES))])
        alone = teacher.words(*examples.together(rows))[-1]
        apart = (torch.cat([part.states[-1] for part in said]).float() - alone).abs().max()
        self.assertLess(apart, 2e-2)
        expected, _ = learn.probabilities(teacher.head(alone))
        self.assertLess((torch.cat([part.nested for part in said]).float().exp() - expected).abs().max(), 1e-2)
        with mock.patch.object(taught, "ask", side_effect=AssertionError("asked again")):
            taught.read(rows)
        self.assertTrue(all(row.taught is part for row, part in zip(rows, said, strict=True)))

    @torch.no_grad()
    def test_of_two_taggers_the_mean_is_learned_from_and_the_states_of_the_first(self) -> None:
        before = start.read(SHIPPED).nested
        first, second = (slim.tower_of(before, before.state, 0.0, before.words_from) for _ in range(2))
        second[1].head.bias += 12
        alone, both = (examples.plain_examples([[["في", "بغداد"]]]) for _ in range(2))
        slim.Taught(before.state, first).read(alone)
        slim.Taught(before.state, first, second).read(both)
        second[0].read(alone)
        said, _ = learn.probabilities(second[1](*examples.together(alone)))
        expected = (alone[0].taught.nested.float().exp() + said) / 2
        self.assertLess((both[0].taught.nested.float().exp() - expected).abs().max(), 1e-2)
        self.assertGreater((said - expected).abs().max(), 0.05)
        self.assertTrue(torch.equal(both[0].taught.states[-1], alone[0].taught.states[-1]))

    def test_stretches_of_sets_whose_labels_are_of_another_kind_are_read_without_them(self) -> None:
        sentence = [("قال", "O"), ("أحمد", "B-PER")]
        sets = Sets({"newsfane": [sentence] * 5, "wikifane": [sentence] * 4, "anercorp": [sentence]}, {}, {})
        with mock.patch.object(text, "load", lambda: sets):
            found = text.fane(1.0, random.Random(1))
            self.assertEqual(sorted(map(len, found)), [1, 2, 3, 3])
            self.assertTrue(all(words == ["قال", "أحمد"] for part in found for words in part))
            self.assertEqual(len(text.fane(0.5, random.Random(1))), 2)
