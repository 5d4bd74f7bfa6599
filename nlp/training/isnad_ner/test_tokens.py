import unittest

from .attributes import feature_hash, window_features
from .features import case, shapes, stem
from .tokens import fold, tokens


class Tokens(unittest.TestCase):
    def test_words_clitics_numbers_and_links(self) -> None:
        self.assertEqual(
            tokens("Obama's don't see U.S. 1,234.5 http://x.y/z لCNN و15"),
            ["Obama", "'s", "do", "n't", "see", "U.S.", "1,234.5", "http://x.y/z", "ل", "CNN", "و", "15"],
        )

    def test_marks_that_are_not_seen_end_nothing(self) -> None:
        self.assertEqual(tokens("\u200fبيروت\u200f ab\u00adcd"), ["بيروت", "ab\u00adcd"])

    def test_folding(self) -> None:
        self.assertEqual([fold(t) for t in ("أَلْمـانيا", "2018", "@bob", "#Tag", "www.x.y")], ["المانيا", "0000", "<handle>", "tag", "<link>"])


class Features(unittest.TestCase):
    def test_case(self) -> None:
        self.assertEqual([case(t) for t in (".", "12", "قال", "low", "Title", "A", "USA", "iPhone", "漢")], list(range(9)))

    def test_a_sentence_in_capitals_is_told_apart(self) -> None:
        self.assertNotEqual(shapes(["BIG", "NEWS", "TODAY"])[0], shapes(["BIG", "news", "today"])[0])

    def test_stems_are_known_words_without_proclitics(self) -> None:
        rank = {"فرنسا": 0, "سعوديه": 1}
        self.assertEqual([stem(w, rank) for w in ("وفرنسا", "للسعوديه", "بغداد", "Paris")], [0, 1, -1, -1])

    def test_hashes_are_those_of_fnv(self) -> None:
        self.assertEqual(feature_hash(""), 2166136261)
        self.assertEqual(feature_hash("a"), 0xE40C292C)

    def test_windows(self) -> None:
        self.assertEqual(window_features("x", ["P"]), [["x=P", "x-1=B", "x+1=B", "x-10=B|P", "x01=P|B"]])


if __name__ == "__main__":
    unittest.main()
