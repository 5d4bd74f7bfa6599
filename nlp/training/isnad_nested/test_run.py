import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from isnad_embed.corpus import ROOT
from isnad_ner.data import Sets
from isnad_ner.examples import LEAST
from isnad_nested import __main__ as tagger
from isnad_nested import data, teacher, text

SHIPPED = ROOT / "nlp" / "models" / "tagger-ar-en"
FEW = 12
TYPES = {
    "anercorp": "LOC MISC ORG PER",
    "wikigold": "LOC MISC ORG PER",
    "wnut": "corporation creative-work group location person product",
    "newsfane": "GPE PER",
    "wikifane": "GPE PER",
}


def sets() -> Sets:
    """A sentence a set, with all labels of its head."""
    train = {}
    for name, kinds in TYPES.items():
        tags = [tag for kind in kinds.split() for tag in (f"B-{kind}", f"I-{kind}")]
        train[name] = [[("word", "O"), *((f"name{i}", tag) for i, tag in enumerate(tags))]] * LEAST
    return Sets(train, {}, {})


class Run(unittest.TestCase):
    def setUp(self) -> None:
        own, wojood, tune = data.divided()
        few = own[:FEW], wojood[:FEW], {name: sentences[:FEW] for name, sentences in tune.items()}
        rows = text.rows
        for patch in (
            mock.patch.object(teacher, "load", sets),
            mock.patch.object(tagger, "load", sets),
            mock.patch.object(data, "divided", lambda: few),
            mock.patch.object(text, "rows", lambda kind: rows(kind)[:FEW]),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def test_a_teacher_and_a_tagger_go_on_and_the_mean_of_two_runs_is_written_with_its_card(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            out = Path(name)
            kept, made = str(out / "teacher.pt"), out / "tagger-ar-en"
            teacher.main(["--rounds", "1", "--seconds", "3", "--kept", kept])
            teacher.main(["--rounds", "1", "--seconds", "3", "--kept", kept, "--start", kept])
            amounts = ["--copies", "1", "--visits", "1", "--articles", "0", "--senses", "3"]
            options = [
                "--start",
                str(SHIPPED),
                "--teacher",
                kept,
                "--kept",
                str(out / "kept.pt"),
                "--folder",
                str(made),
            ]
            tagger.main([*options, *amounts, "--share", "0", "--runs", "2", "--arabic", "0", "--english", "0"])
            card = json.loads((made / "model.json").read_text(encoding="utf8"))
            self.assertIn(", then python -m isnad_nested --share 0.0 --runs 2 ", card["trained_by"])
            self.assertRegex(
                card["trained_by"], r"teacher --rate 0.0002 .*, then python -m isnad_nested.teacher --start "
            )
            self.assertEqual((made / "model.onnx").read_bytes(), (SHIPPED / "model.onnx").read_bytes())
            self.assertNotEqual((made / "nested.onnx").read_bytes(), (SHIPPED / "nested.onnx").read_bytes())
            tagger.main([*options[2:], "--start", str(made), *amounts, "--seconds", "2"])
