import random
import unittest
from typing import ClassVar

from isnad_base import pieces

from .examples import Swapper, batches, heads, labelled
from .rows import NONE, WINDOW, WORD, padded, windows, word_ids


class Windows(unittest.TestCase):
    def test_sentences_share_a_window_in_order(self) -> None:
        [window] = windows([["Paris", "and"], ["Rome"]])
        self.assertEqual(window.words, [(0, 0), (0, 1), (1, 0)])
        self.assertEqual(window.ids.count(pieces.LAST), 2)
        self.assertEqual([window.ids[p] for p in window.firsts], [word_ids(w)[0] for w in ("Paris", "and", "Rome")])

    def test_no_word_of_a_long_sentence_is_lost(self) -> None:
        sentences = [["short"], ["Constantinople"] * 300]
        found = list(windows(sentences))
        self.assertTrue(
            all(len(w.ids) <= WINDOW and w.ids[0] == pieces.FIRST and w.ids[-1] == pieces.LAST for w in found)
        )
        self.assertEqual([x for w in found for x in w.words], [(0, 0), *((1, i) for i in range(300))])

    def test_every_word_has_a_piece(self) -> None:
        self.assertEqual(word_ids("\u200f"), (pieces.UNKNOWN,))
        self.assertEqual(len(word_ids("x" * 1000)), WORD)

    def test_padding_fills_the_shorter_rows(self) -> None:
        self.assertEqual(padded([[1, 2], [3]]).tolist(), [[1, 2], [3, pieces.PADDING]])


class Examples(unittest.TestCase):
    train: ClassVar = {"wikigold": [[("Ann", "B-PER"), ("Lee", "I-PER"), ("left", "O"), ("Bonn", "B-LOC")]] * 30}

    def test_labels_stand_where_words_begin(self) -> None:
        labels = heads(self.train)["wikigold"]
        self.assertEqual(labels, ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"])
        sentence = self.train["wikigold"][0]
        [window] = windows([[w for w, _ in sentence]])
        row = labelled(window, [sentence], {label: i for i, label in enumerate(labels)}, 10)
        self.assertEqual([row[p] for p in window.firsts], [13, 14, 10, 11])
        self.assertEqual(row.count(NONE), len(row) - 4)

    def test_swapped_names_keep_their_types(self) -> None:
        swapper = Swapper(
            self.train | {"btc": [[("Jo", "B-PER"), ("to", "O"), ("Oslo", "B-LOC")]] * 30},
            random.Random(1),
            1.0,
            0.0,
            0.0,
        )
        found = {tuple(swapper.changed(self.train["wikigold"][0], "wikigold")) for _ in range(50)}
        self.assertIn((("Jo", "B-PER"), ("left", "O"), ("Oslo", "B-LOC")), found)
        self.assertIn(tuple(self.train["wikigold"][0]), found)

    def test_hidden_words_keep_their_places(self) -> None:
        [window] = windows([["Paris", "and", "Rome"]])
        ids = Swapper({}, random.Random(1), 0.0, 0.0, 1.0).hidden(window)
        self.assertEqual(len(ids), len(window.ids))
        self.assertEqual({i for i in ids if i not in (pieces.FIRST, pieces.LAST)}, {pieces.UNKNOWN})

    def test_batches_hold_everything_within_their_cells(self) -> None:
        examples = [([1] * n, [NONE] * n, "x") for n in range(1, 60)]
        found = batches(examples, 128, random.Random(1))
        self.assertEqual(sorted(len(e[0]) for b in found for e in b), list(range(1, 60)))
        self.assertTrue(all(len(b) * max(len(e[0]) for e in b) <= 128 for b in found))


if __name__ == "__main__":
    unittest.main()
