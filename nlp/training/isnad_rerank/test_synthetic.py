import unittest

import numpy as np

from isnad_embed.corpus import Article
from isnad_rerank.synthetic import KINDS, Maker, passages

SENTENCE = "The council of the old city opened bridge number {} over the wide river in March 1932 after years of work. "


def article(i: int) -> Article:
    text = "".join(SENTENCE.format(100 * i + k) for k in range(24))
    return Article(
        "en", f"The city opens bridges, part {i}", "The council opened bridges over the river after years.", text, False
    )


class Synthetic(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)
        self.maker = Maker(self.rng, lambda word: 0.5, lambda word: None)

    def test_passages_are_runs_of_whole_sentences(self):
        for run in passages(article(1).text, self.rng, 5):
            self.assertTrue(all(s.endswith("work.") for s in run))

    def test_a_question_leaves_its_answer_out(self):
        for _ in range(40):
            question = (
                self.maker.question("The new bridge over the wide river opened to traffic in 1932 after six years")
                or ""
            )
            if question.startswith(("when", "in what year", "on what")):
                self.assertNotIn("1932", question)

    def test_every_query_has_documents_that_exist(self):
        for kind, make in KINDS.items():
            made = make([article(i) for i in range(12)], self.rng, self.maker)
            self.assertEqual(len(made.queries), len(made.wanted), kind)
            self.assertGreater(len(made.queries), 0, kind)
            self.assertTrue(all(0 <= d < len(made.documents) for found in made.wanted for d in found), kind)
            self.assertTrue(all(found for found in made.wanted), kind)
