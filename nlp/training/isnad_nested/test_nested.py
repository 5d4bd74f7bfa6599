import unittest

import numpy as np

from isnad_nested.data import TYPES, Name, Sentence, Span, name_of, names, spans_of
from isnad_nested.decode import decode, outermost, path
from isnad_nested.examples import SWAPPED, Augmenter, Settings


class Always:
    """Draws what is asked for."""

    def __init__(self, draw: float, choice: object) -> None:
        self.draw, self.chosen = draw, choice

    def random(self) -> float:
        return self.draw

    def choice(self, _: list) -> object:
        return self.chosen


class Nested(unittest.TestCase):
    def test_columns_of_tags_are_nested_spans(self) -> None:
        tags = [["B-OCC"], ["I-OCC", "B-ORG"], ["I-OCC", "I-ORG", "B-GPE"], ["O"], ["I-GPE"]]
        self.assertEqual(spans_of(tags), [Span(0, 3, "OCC"), Span(1, 3, "ORG"), Span(2, 3, "GPE"), Span(4, 5, "GPE")])

    def test_an_inside_label_follows_a_span_only(self) -> None:
        scores = np.array([[0, -9, 5], [0, 1, -9], [0, -9, 4]], float)
        self.assertEqual(path(scores), [0, 1, 2])

    def test_types_nest_and_of_crossing_spans_the_surer_stays(self) -> None:
        scores = np.full((3, len(TYPES), 2), -5.0)
        org, gpe, fac = (TYPES.index(name) for name in ("ORG", "GPE", "FAC"))
        scores[0, org, 0], scores[1, org, 1] = 4, 4
        scores[1, gpe, 0] = 3
        scores[1, fac, 0], scores[2, fac, 1] = 2, 2
        found = decode(scores)
        self.assertEqual(found, [Span(0, 2, "ORG"), Span(1, 2, "GPE")])
        self.assertEqual(outermost(found), [Span(0, 2, "ORG")])

    def test_a_name_is_replaced_with_what_stands_before_it_and_spans_around_it_grow(self) -> None:
        sentence = Sentence(["رئيس", "لبنان", "قال"], [Span(0, 2, "OCC", 0), Span(1, 2, "GPE", 0)])
        augmenter = Augmenter([sentence], Settings(swap=1.0), Always(0.0, Name(["جزر", "القمر"])), {})
        changed = augmenter.changed(sentence)
        self.assertEqual(changed.words, ["رئيس", "جزر", "القمر", "قال"])
        self.assertEqual(changed.spans, [Span(0, 3, "OCC", 0), Span(1, 3, "GPE", 0)])

    def test_a_name_brings_the_names_in_it_into_the_sentence(self) -> None:
        name = name_of("جامعة [GPE دمشق]")
        self.assertEqual(name, Name(["جامعة", "دمشق"], (Span(1, 2, "GPE"),)))
        sentence = Sentence(["وناسا", "قالت"], [Span(0, 1, "ORG", 1)])
        changed = Augmenter([sentence], Settings(swap=1.0), Always(0.0, name), {}).changed(sentence)
        self.assertEqual(changed.words, ["وجامعة", "دمشق", "قالت"])
        self.assertEqual(changed.spans, [Span(0, 2, "ORG", 1), Span(1, 2, "GPE", 0)])

    def test_the_article_loses_its_alif_after_lam(self) -> None:
        sentence = Sentence(["زيارة", "القاهرة"], [Span(1, 2, "GPE", 0)])
        changed = Augmenter([sentence], Settings(swap=0.0, join=1.0), Always(0.5, "ل"), {}).changed(sentence)
        self.assertEqual(changed, Sentence(["زيارة", "للقاهرة"], [Span(1, 2, "GPE", 1)]))

    def test_every_listed_name_has_a_type_whose_names_are_replaced(self) -> None:
        self.assertLessEqual(set(names()), SWAPPED)
