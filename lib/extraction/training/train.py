"""Trains the block model of lib/extraction/body on the WCXB pages.

    bun lib/extraction/training/dump.ts ../shared/data/extraction/wcxb /tmp/blocks
    pip install -r lib/extraction/training/requirements.txt
    python lib/extraction/training/train.py /tmp/blocks lib/extraction/body/model

Prints the word-level F1 of five-fold cross-validation by site, then trains on all pages and writes blocks.bin and blocks.json.
"""

import hashlib
import json
import struct
import sys
from collections import Counter
from pathlib import Path

import lightgbm as lgb
import numpy as np

ROUNDS = 160
FOLDS = 5
PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.1,
    "num_leaves": 31,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.25,
    "bagging_fraction": 0.6,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "max_bin": 63,
    "seed": 7,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 2,
    "verbose": -1,
}
THRESHOLDS = [0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
MAGIC = 0x31465349


class Table:
    def __init__(self, folder: Path):
        self.names = json.loads((folder / "names.json").read_text())
        self.pages = [json.loads(line) for line in (folder / "pages.jsonl").read_text().splitlines()]
        self.x = np.fromfile(folder / "features.bin", np.float32).reshape(-1, len(self.names))
        self.y = np.fromfile(folder / "shares.bin", np.float32)
        counts = [len(page["blocks"]) for page in self.pages]
        self.first = np.cumsum([0, *counts])
        words = np.array([len(block) for page in self.pages for block in page["blocks"]], np.float64)
        gold = np.repeat([max(1, len(page["gold"])) for page in self.pages], counts)
        # A block weighs as much as its words, pages more alike than their lengths.
        weight = (words + 2) / np.sqrt(gold)
        self.weight = weight / weight.mean()

    def rows(self, pages):
        return np.concatenate([np.arange(self.first[p], self.first[p + 1]) for p in pages])

    def fold(self, page):
        """Pages of one site are alike: they are in one fold."""
        return hashlib.sha256(f"fold {self.pages[page]['site']}".encode()).digest()[0] % FOLDS


LETTER = 1
LOWER_CASE = 2


def caseless(x, names):
    """Blocks as a script without capitals has them, for instance the Arabic one: most pages of the corpus are English."""
    x = x.copy()
    x[:, names.index("capitals")] = 0
    beginning = names.index("beginning")
    x[x[:, beginning] == LOWER_CASE, beginning] = LETTER
    return x


def train(table, pages):
    """Trains on the blocks of pages, each twice: as it is, and as a script without capitals has it."""
    rows = table.rows(pages)
    x = np.concatenate([table.x[rows], caseless(table.x[rows], table.names)])
    weight = np.tile(table.weight[rows], 2)
    names = [f"f{i}" for i in range(x.shape[1])]
    data = lgb.Dataset(x, np.tile(table.y[rows], 2), weight=weight, feature_name=names)
    return lgb.train(PARAMETERS, data, ROUNDS)


def f1(found, gold):
    if not gold:
        return float(not found)
    shared = sum((Counter(found) & Counter(gold)).values())
    return 2 * shared / (len(found) + len(gold))


def page_scores(table, probabilities, threshold):
    scores = []
    for p, page in enumerate(table.pages):
        own = probabilities[table.first[p] : table.first[p + 1]]
        found = [
            word
            for block, probability in zip(page["blocks"], own, strict=False)
            if probability >= threshold
            for word in block
        ]
        scores.append(f1(found, page["gold"]))
    return np.array(scores)


def cross_validate(table):
    probabilities = np.zeros(len(table.y))
    folds = np.array([table.fold(p) for p in range(len(table.pages))])
    for fold in range(FOLDS):
        model = train(table, np.flatnonzero(folds != fold))
        rows = table.rows(np.flatnonzero(folds == fold))
        probabilities[rows] = model.predict(table.x[rows])
    return probabilities


def export(model, features, path: Path):
    roots, feature, threshold, left, right, leaves = [], [], [], [], [], []

    def leaf(value):
        leaves.append(value)
        return -len(leaves)

    def walk(node):
        if "leaf_value" in node:
            return leaf(node["leaf_value"])
        at = len(feature)
        feature.append(node["split_feature"])
        threshold.append(node["threshold"])
        left.append(0)
        right.append(0)
        left[at] = walk(node["left_child"])
        right[at] = walk(node["right_child"])
        return at

    for tree in model.dump_model()["tree_info"]:
        roots.append(walk(tree["tree_structure"]))
    parts = [
        struct.pack("<5I", MAGIC, features, len(roots), len(feature), len(leaves)),
        np.array(roots, "<i4").tobytes(),
        np.array(left, "<i4").tobytes(),
        np.array(right, "<i4").tobytes(),
        np.array(threshold, "<f4").tobytes(),
        np.array(leaves, "<f4").tobytes(),
        np.array(feature, "<u2").tobytes(),
    ]
    path.write_bytes(b"".join(parts))


def main(source, target):
    table = Table(Path(source))
    probabilities = cross_validate(table)
    by_threshold = {t: float(page_scores(table, probabilities, t).mean()) for t in THRESHOLDS}
    for threshold, score in by_threshold.items():
        print(f"cross-validated F1 at {threshold}: {score:.4f}")
    best = max(by_threshold, key=by_threshold.get)
    scores = page_scores(table, probabilities, best)
    model = train(table, range(len(table.pages)))
    out = Path(target)
    export(model, len(table.names), out / "blocks.bin")
    gain = model.feature_importance("gain")
    card = {
        "task": "tells the text blocks of an article from the rest of a page",
        "kind": f"{ROUNDS} boosted trees of {PARAMETERS['num_leaves']} leaves (LightGBM {lgb.__version__})",
        "licence": "CC BY 4.0",
        "training": f"Web Content Extraction Benchmark (WCXB), {len(table.pages)} article pages, CC BY 4.0",
        "sha256": hashlib.sha256((out / "blocks.bin").read_bytes()).hexdigest(),
        "threshold": best,
        "measured": {
            "word F1, pages of sites not trained on (5 folds by site)": round(float(scores.mean()), 4),
            "standard error": round(float(scores.std() / np.sqrt(len(scores))), 4),
            "command": "python lib/extraction/training/train.py",
        },
        "features": table.names,
    }
    (out / "blocks.json").write_text(json.dumps(card, indent=2) + "\n")
    print("most used:", ", ".join(table.names[i] for i in np.argsort(-gain)[:25]))
    print("never used:", ", ".join(table.names[i] for i in np.flatnonzero(gain == 0)))


if __name__ == "__main__":
    main(*sys.argv[1:3])
