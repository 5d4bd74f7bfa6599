import unittest

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
        self.assertEqual(
            [fold(t) for t in ("أَلْمـانيا", "2018", "@bob", "#Tag", "www.x.y")],
            ["المانيا", "0000", "<handle>", "tag", "<link>"],
        )


if __name__ == "__main__":
    unittest.main()
