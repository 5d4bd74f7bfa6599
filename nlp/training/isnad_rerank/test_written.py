import json
import random
import unittest

from isnad_embed.fold import is_arabic
from isnad_rerank.written import COPIED_WORDS, COPIES, QUESTIONS, Made, copied


class Written(unittest.TestCase):
    def test_questions_are_asked_once_of_a_passage_and_in_its_language(self):
        rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf8").splitlines()]
        self.assertEqual(len({row["passage"] for row in rows}), len(rows))
        for row in rows:
            self.assertIn(row["kind"], ("question", "tweet", "need"))
            letters = [c for c in row["text"] if c.isalpha()]
            arabic = sum(is_arabic(c) for c in letters) > len(letters) / 2
            self.assertEqual(row["passage"][:2], "ar" if arabic else "en", row)

    def test_copied_queries_are_words_in_a_row_of_the_passage_that_they_want(self):
        made = Made([("Title", "One two. " + " ".join(f"w{i}" for i in range(30)) + "."), ("", "Too short.")])
        found = copied(made, random.Random(1))
        self.assertEqual(len(found.queries), COPIES)
        self.assertEqual(found.wanted, [[0]] * COPIES)
        for query in found.queries:
            self.assertEqual(len(query.split()), COPIED_WORDS)
            self.assertIn(query, made.documents[0][1])
