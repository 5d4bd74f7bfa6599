import unittest

import numpy as np

from .calibrate import (
    Scored,
    calibrate,
    calibrate_to_share,
    lenient_threshold,
    platt,
    precise_threshold,
    unseen_probabilities,
)
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

    def test_from_the_precise_threshold_on_enough_of_what_is_kept_is_right(self) -> None:
        rng = np.random.default_rng(3)
        probabilities = rng.random(4000)
        labels = (rng.random(4000) < probabilities).astype(int)
        chosen = precise_threshold(labels, probabilities, 0.84)
        for tried in (chosen, chosen + 0.05, chosen + 0.1):
            self.assertGreaterEqual(labels[probabilities >= tried].mean(), 0.84)
        self.assertLess(labels[probabilities >= chosen - 0.01].mean(), 0.84)
        self.assertEqual(precise_threshold(labels, probabilities, 0.0), 0.0)

    def test_calibration_mends_logits_that_are_too_sure(self) -> None:
        rng = np.random.default_rng(3)
        true = rng.normal(0, 1.5, 5000)
        labels = (rng.random(5000) < 1 / (1 + np.exp(-true))).astype(int)
        dev = Scored(labels, true * 4 + 1)
        found = platt(dev)
        self.assertLess(calibration_error(labels, found.probabilities(dev.logits)), 0.02)
        self.assertLess(calibration_error(labels, unseen_probabilities(dev)), 0.03)
        self.assertAlmostEqual(found.scale, 0.25, delta=0.02)

    def test_with_the_threshold_of_the_share_about_as_many_are_said_to_be_claims_as_are_and_f1_is_high(self) -> None:
        rng = np.random.default_rng(5)
        labels = (rng.random(400) < 0.3).astype(int)
        seen = Scored(labels, 2 * labels - 1 + rng.normal(0, 1, 400))
        found = calibrate_to_share(seen)
        said = (found.probabilities(seen.logits) >= found.threshold).mean()
        self.assertAlmostEqual(said, labels.mean(), delta=0.05)
        scores = [
            f1(seen.labels, (found.probabilities(seen.logits) >= t).astype(int)) for t in np.arange(0.02, 0.98, 0.01)
        ]
        self.assertGreaterEqual(
            f1(seen.labels, (found.probabilities(seen.logits) >= found.threshold).astype(int)), 0.95 * max(scores)
        )
        lenient = calibrate(seen.part(np.array([], int)), seen)
        self.assertEqual((found.scale, found.bias), (lenient.scale, lenient.bias))
        self.assertLessEqual(lenient.threshold, found.threshold)


if __name__ == "__main__":
    unittest.main()
