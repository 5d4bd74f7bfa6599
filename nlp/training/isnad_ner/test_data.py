import unittest

from .data import columns, handles_joined, parted, rejoined, repaired, split_last_fifth, without


class Reading(unittest.TestCase):
    def test_columns_end_a_sentence_at_an_empty_line(self) -> None:
        self.assertEqual(columns("\ufeff\u200eA\tB-X\r\n\t\r\nb\tO\n"), [[("A", "B-X")], [("b", "O")]])

    def test_io_tags_become_bio(self) -> None:
        self.assertEqual(
            repaired([[("a", "I-X"), ("b", "I-X"), ("c", "I-Y"), ("d", "O"), ("e", "I-Y")]]),
            [[("a", "B-X"), ("b", "I-X"), ("c", "B-Y"), ("d", "O"), ("e", "B-Y")]],
        )

    def test_proclitics_and_pronouns_go_back_on_their_words(self) -> None:
        found = rejoined([[("و", "O"), ("مصر", "B-GPE"), ("و", "O"), ("مدن", "O"), ("ها", "O")]])
        self.assertEqual(found, [[("ومصر", "B-GPE"), ("ومدنها", "O")]])

    def test_letters_of_an_acronym_stay_apart(self) -> None:
        sentence = [("د", "B-Media"), ("ب", "I-Media"), ("ا", "I-Media")]
        self.assertEqual(rejoined([sentence]), [sentence])

    def test_handles_are_one_token(self) -> None:
        self.assertEqual(
            handles_joined([("@", "B-ORG"), ("bbc", "I-ORG"), ("x", "O")]), [("@bbc", "B-ORG"), ("x", "O")]
        )


class HoldingOut(unittest.TestCase):
    def test_the_last_fifth_is_held_out(self) -> None:
        train, out = split_last_fifth([[(str(i), "O")] for i in range(11)])
        self.assertEqual((len(train), out), (9, [[("9", "O")], [("10", "O")]]))

    def test_settings_are_chosen_by_the_fourth_fifth(self) -> None:
        train, out = parted([[(str(i), "O")] for i in range(10)], True)
        self.assertEqual((len(train), out), (6, [[("6", "O")], [("7", "O")]]))

    def test_copies_of_held_out_sentences_are_dropped(self) -> None:
        words = "the quick brown fox jumps over the lazy dog near the old river bank".split()
        held = {"x": [[(w, "O") for w in words]]}
        copy = [(w.upper(), "O") for w in [*words, "today"]]
        other = [(w, "O") for w in "an altogether different sentence about the price of wheat and maize".split()]
        self.assertEqual(without([copy, other], held), [other])


if __name__ == "__main__":
    unittest.main()
