import unittest
from collections import Counter

from isnad_embed.fold import words
from isnad_embed.vocabulary import UNKNOWN, build, choose


class Vocabulary(unittest.TestCase):
    def setUp(self):
        count = Counter({"و": 900, "ال": 1000, "حكومه": 300, "government": 200, "s": 500, "2018": 40})
        self.tokenizer = build(choose(count, 200, 0.5))

    def pieces(self, text: str) -> list[str]:
        return self.tokenizer.encode(text, add_special_tokens=False).tokens

    def test_words_are_cut_into_the_likeliest_pieces(self):
        self.assertEqual(self.pieces("والحكومة"), ["و", "ال", "حكومه"])
        self.assertEqual(self.pieces("Governments"), ["government", "s"])

    def test_folding_is_part_of_the_tokenizer(self):
        self.assertEqual(self.pieces("الحُكُومَةُ ٢٠١٨"), ["ال", "حكومه", "2018"])

    def test_every_word_of_known_letters_has_pieces(self):
        self.assertNotIn(UNKNOWN, self.pieces("ضظغ xyz 7"))

    def test_the_tokenizer_splits_as_the_corpus_reader_does(self):
        text = "U.S.-led، COVID-19: «نعم»_لا"
        self.assertEqual("".join(self.pieces(text)), "".join(words(text)))
