import unittest

from isnad_embed.fold import fold, is_arabic, words


class Fold(unittest.TestCase):
    def test_variants_of_a_word_become_one(self):
        for variant in ("الحُكُومَة الأردنيّة", "الحـــكومه الأردنيه", "\u200fالحكومة\u200f الٱردنية"):
            self.assertEqual(fold(variant), "الحكومه الاردنيه")

    def test_digits_of_all_scripts_become_ascii(self):
        self.assertEqual(fold("٢٠١٨ ۲۰۱۸"), "2018 2018")

    def test_latin_loses_case_and_accents(self):
        self.assertEqual(fold("Café Zürich"), "cafe zurich")

    def test_words_are_runs_of_letters_or_digits(self):
        self.assertEqual(words("COVID19، (نعم)_U.S."), ["covid", "19", "نعم", "u", "s"])

    def test_script_is_told_by_the_first_letter(self):
        self.assertTrue(is_arabic("نعم"))
        self.assertFalse(is_arabic("yes"))
