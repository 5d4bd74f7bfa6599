import unittest
from collections import Counter

from isnad_embed.lexicon import Entry
from isnad_embed.morphology import Analyser, split_arabic, split_english

ANALYSER = Analyser(
    [
        Entry("حكومه", "N", ("government",), -4.0),
        Entry("حكوم", "N", ("government",), -4.5),
        Entry("كتب", "I", ("write",), -4.0),
        Entry("كتب", "P", ("write",), -4.0),
        Entry("باريس", "N", ("paris",), -5.0),
        Entry("اريس", "N", ("plowman",), -7.0),
    ]
)


class Arabic(unittest.TestCase):
    def split(self, word: str, **count: int) -> list[str]:
        return split_arabic(word, ANALYSER, Counter(count))

    def test_conjunction_and_article_come_off(self):
        self.assertEqual(self.split("والحكومه"), ["و", "ال", "حكومه"])

    def test_plural_suffix_comes_off(self):
        self.assertEqual(self.split("حكومات"), ["حكوم", "ات"])

    def test_imperfect_prefix_needs_an_imperfect_stem(self):
        self.assertEqual(self.split("سيكتبون"), ["سي", "كتب", "ون"])

    def test_a_name_is_not_cut_when_the_rest_is_rarer(self):
        self.assertEqual(self.split("باريس"), ["باريس"])

    def test_an_unknown_word_loses_a_prefix_that_leaves_a_known_word(self):
        self.assertEqual(split_arabic("لترامب", ANALYSER, Counter({"ترامب": 100, "لترامب": 3})), ["ل", "ترامب"])

    def test_translations_are_probabilities(self):
        table = ANALYSER.translations("والحكومه")
        self.assertEqual(list(table), [("government",)])
        self.assertAlmostEqual(sum(table.values()), 1.0)


class English(unittest.TestCase):
    def test_an_inflection_of_a_common_stem_comes_off(self):
        count = Counter({"elections": 10, "election": 20, "walked": 5, "walk": 9})
        self.assertEqual(split_english("elections", count), ["election", "s"])
        self.assertEqual(split_english("walked", count), ["walk", "ed"])

    def test_a_word_whose_stem_is_rare_stays_whole(self):
        self.assertEqual(split_english("news", Counter({"news": 100, "new": 1})), ["news"])
