import json
import random
import unittest

import numpy as np
import torch

from isnad_base import published
from isnad_base.pieces import LAST
from isnad_base.teacher import padded
from isnad_reader import data
from isnad_reader.data import LONGEST, Index, Passage, Question, altered, groups, ids, left_out, sentences
from isnad_reader.export import scores
from isnad_reader.fit import batches, loss, scored
from isnad_reader.graph import reader_graph
from isnad_reader.model import Reader

PASSAGES = [
    Passage(
        "Sahlan Bridge", ("The bridge opened in 2019.", "It cost 410 million dinars.", "Ferries still cross the bay.")
    ),
    Passage("Noma Bridge", ("The bridge of Noma cost nothing.", "Nobody opened it.")),
]
ASKED = Question("q", "How much did the bridge cost?", 0, ("410 million",))


class Data(unittest.TestCase):
    def test_a_text_is_cut_at_its_stops_and_not_behind_initials(self):
        self.assertEqual(sentences('J. R. Smith came.[3] "Dr. Who" left! لماذا؟ لا أحد'), ["J. R. Smith came.", '"Dr. Who" left!', "لماذا؟", "لا أحد"])  # fmt: skip

    def test_a_group_begins_with_what_answers_and_has_nothing_else_that_does(self):
        (group,) = groups(PASSAGES, [ASKED], own=2, others=2, unanswered=0, seed=1)
        self.assertEqual(group.right, 1)
        self.assertEqual(group.rows[0], ids(ASKED.text, "Sahlan Bridge", "It cost 410 million dinars."))
        self.assertEqual(len(group.rows), 3)
        self.assertEqual(group.rows.count(group.rows[0]), 1)

    def test_of_a_question_that_is_not_to_be_answered_what_answers_is_left_out(self):
        (group,) = groups(PASSAGES, [ASKED], own=2, others=2, unanswered=1, seed=1)
        self.assertEqual(group.right, 0)
        self.assertNotIn(ids(ASKED.text, "Sahlan Bridge", "It cost 410 million dinars."), group.rows)

    def test_a_headline_of_news_may_answer(self):
        news = [Passage("The bridge cost 410 million dinars", ("The bridge opened in 2019.",), headline=True)]
        (group,) = groups(news, [ASKED], own=2, others=0, unanswered=0, seed=1)
        self.assertEqual((group.right, len(group.rows)), (1, 2))

    def test_a_question_with_the_name_of_another_is_not_answered_by_what_answered_it(self):
        asked = Question("a", "How much did Sahlan pay?", 0, ("410 million",))
        other = Question("b", "How much did Noma pay?", 1, ("nothing",))
        passages = [
            Passage("Sahlan Bridge", ("Sahlan paid 410 million dinars.", "Ferries still cross the bay.")),
            PASSAGES[1],
        ]
        self.assertEqual(altered(asked, other, Index(passages)).text, "How much did Noma pay?")
        self.assertIsNone(altered(asked, Question("c", "Who is it?", 1, ("x",)), Index(passages)))
        given = {"own": 2, "others": 0, "unanswered": 0, "altered_share": 1, "seed": 3}
        made = groups(passages, [asked, other], **given)
        row = ids("How much did Noma pay?", "Sahlan Bridge", "Sahlan paid 410 million dinars.")
        self.assertTrue(any(group.right == 0 and row in group.rows for group in made))

    def test_the_questions_over_news_are_of_articles_that_are_not_left_out(self):
        rows = [json.loads(line) for line in data.WRITTEN.read_text(encoding="utf8").splitlines()]
        parts = {(row["article"], row["part"]) for row in rows}
        self.assertEqual(len(parts), len({article for article, _ in parts}))
        self.assertGreater(sum("gold" not in row for row in rows), len(rows) / 3)

    def test_a_question_in_the_other_language_has_the_answer_of_its_like(self):
        rows = [json.loads(line) for line in data.WRITTEN.read_text(encoding="utf8").splitlines()]
        own = {(row["part"], row["article"], row["ask"]): row.get("gold") for row in rows if "like" not in row}
        across = [row for row in rows if "like" in row]
        self.assertGreater(len(across), 400)
        for row in across:
            self.assertEqual(own[row["part"], row["article"], row["like"]], row.get("gold"))
            self.assertNotEqual(*(bool(data.ARABIC.search(row[field])) for field in ("ask", "like")))

    def test_where_only_the_passage_is_known_each_of_its_sentences_may_answer(self):
        (group,) = groups(PASSAGES, [Question("q", ASKED.text, 0, ())], own=2, others=1, unanswered=0, seed=1)
        self.assertEqual(group.right, 3)

    def test_what_is_left_out_takes_the_questions_of_its_passages_along(self):
        asked = [Question(str(n), "?", n // 2, ("x",)) for n in range(data.EVERY + 1)]
        self.assertEqual(left_out(asked), {"0", "1", str(data.EVERY - 1), str(data.EVERY)})

    def test_no_row_is_too_long(self):
        row = ids("why " * 90, "title " * 90, "word " * 300)
        self.assertEqual((len(row), row[-1]), (LONGEST, LAST))


class Learning(unittest.TestCase):
    def test_the_loss_is_of_what_answers_or_of_none(self):
        told = loss(torch.tensor([2.0, 0.0, -1.0]), [1, 0], [2, 1])
        none = -np.log(1 / (1 + np.exp(-1.0)))
        self.assertAlmostEqual(float(told), float(-np.log(np.exp(2) / (1 + np.exp(2) + 1)) + none) / 2, places=5)

    def test_every_group_is_in_one_batch(self):
        made = groups(PASSAGES, [ASKED] * 20, own=2, others=2, unanswered=0.5, seed=1)
        told = batches(made, 3, random.Random(1))
        self.assertEqual(sum(map(len, told)), len(made))

    def test_rows_are_scored_in_their_order(self):
        rows = [
            ids(ASKED.text, "Sahlan Bridge", "word " * count)
            for count in (30, 2, 90, 5, 60, 1, 40, 3, 20, 8, 9, 10, 11, 12)
        ]
        told = scored(lambda given: (given != 0).sum(1).float(), rows)
        self.assertEqual(told.tolist(), [len(row) for row in rows])

    def test_the_graph_gives_nearly_what_pytorch_gives(self):
        torch.manual_seed(1)
        model = Reader(layers=2, frozen=1).eval()
        with torch.no_grad():
            model.head.weight.mul_(20)
            model.encoder.layers[1].up.weight.add_(0.01)
        rows = [ids(ASKED.text, "Sahlan Bridge", each) for each in PASSAGES[0].sentences]
        told = model(padded(rows)).detach().numpy()
        self.assertGreater(float(np.ptp(told)), 0.05)
        np.testing.assert_allclose(scores(reader_graph(model, published.read()), rows), told, atol=0.05)
