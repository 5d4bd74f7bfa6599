import json
import unittest

from isnad_embed.corpus import ROOT
from isnad_rerank.export import revision


class Revision(unittest.TestCase):
    def setUp(self):
        self.card = json.loads((ROOT / "nlp" / "models" / "rerank-ar-en" / "model.json").read_text(encoding="utf8"))

    def test_of_what_ships_is_that_of_its_files(self):
        self.assertEqual(self.card["revision"], revision(self.card["files"]))

    def test_is_another_with_another_graph_or_other_weights_and_not_with_another_reference(self):
        for name, same in (("model.onnx", False), ("weights.bin", False), ("reference.json", True)):
            files = {**self.card["files"], name: {"sha256": "0" * 64, "bytes": 1}}
            self.assertEqual(revision(files) == self.card["revision"], same, name)
