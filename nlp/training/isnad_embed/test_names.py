import unittest
from collections import Counter

from isnad_embed.names import capitalised, distance, matches, romanised, skeleton_arabic, skeleton_latin


class Names(unittest.TestCase):
    def test_the_consonants_of_a_name_agree(self):
        for arabic, latin in (("ميركل", "merkel"), ("اوباما", "obama"), ("غوغل", "google"), ("بلومبرغ", "bloomberg")):
            self.assertEqual(skeleton_arabic(arabic), skeleton_latin(latin))

    def test_the_nearest_spelling_wins(self):
        found = matches(Counter(["ميركل"]), Counter({"merkel": 5, "maracle": 5, "obama": 5}))
        self.assertEqual(max(found["ميركل"], key=found["ميركل"].get), "merkel")

    def test_a_word_that_sounds_like_no_name_has_no_match(self):
        self.assertEqual(matches(Counter(["يحتوي"]), Counter({"merkel": 5, "obama": 5})), {})

    def test_vowels_cost_less_than_consonants(self):
        self.assertLess(distance(romanised("ترمب"), "tramb"), distance(romanised("ترمب"), "trkmb"))

    def test_names_are_words_written_with_a_capital_inside_sentences(self):
        texts = ["said Merkel yesterday, The house of Merkel. He met Merkel in the house", "House house"]
        self.assertEqual(set(capitalised(texts)), {"merkel"})
