import unittest

import numpy as np

from .calibrate import Scored, calibrate, calibrate_evenly, lenient_threshold, platt, unseen_probabilities
from .measures import average_precision, calibration_error, f1


class Measures(unittest.TestCase):
    def test_average_precision_by_hand(self) -> None:
        self.assertAlmostEqual(
            average_precision(np.array([1, 0, 1, 0]), np.array([0.9, 0.8, 0.7, 0.1])), (1 + 2 / 3) / 2
        )

    def test_the_threshold_is_low_and_nearly_the_best(self) -> None:
        rng = np.random.default_rng(3)
        labels = rng.integers(0, 2, 500)
        probabilities = np.clip(labels * 0.3 + rng.random(500) * 0.7, 0, 1)
        scores = {t: f1(labels, (probabilities >= t).astype(int)) for t in np.arange(0.02, 0.98, 0.01)}
        chosen = lenient_threshold(labels, probabilities)
        self.assertGreaterEqual(f1(labels, (probabilities >= chosen).astype(int)), 0.99 * max(scores.values()))
        self.assertLessEqual(chosen, max(scores, key=scores.__getitem__))

    def test_calibration_mends_logits_that_are_too_sure(self) -> None:
        rng = np.random.default_rng(3)
        true = rng.normal(0, 1.5, 5000)
        labels = (rng.random(5000) < 1 / (1 + np.exp(-true))).astype(int)
        dev = Scored(labels, true * 4 + 1)
        found = platt(dev)
        self.assertLess(calibration_error(labels, found.probabilities(dev.logits)), 0.02)
        self.assertLess(calibration_error(labels, unseen_probabilities(dev)), 0.03)
        self.assertAlmostEqual(found.scale, 0.25, delta=0.02)

    def test_the_even_threshold_is_in_the_middle_of_the_flat_ones_and_the_lenient_one_below_it(self) -> None:
        labels = np.array([0] * 20 + [1] * 20)
        seen = Scored(labels, np.concatenate([np.linspace(-6, -4, 20), np.linspace(4, 6, 20)]))
        even, lenient = calibrate_evenly(seen), calibrate(seen.part(np.array([], int)), seen)
        self.assertEqual((even.scale, even.bias), (lenient.scale, lenient.bias))
        self.assertAlmostEqual(even.threshold, 0.5, delta=0.03)
        self.assertLess(lenient.threshold, 0.2)
        self.assertEqual(f1(labels, (even.probabilities(seen.logits) >= even.threshold).astype(int)), 1.0)


if __name__ == "__main__":
    unittest.main()
