"""Rows for Arabic pieces out of the rows of English ones that mean the same (after WECHSEL, Minixhofer et al. 2022): the
shipped embedding of Arabic and English in one space says which."""

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from .data import ROOT

SPACE = ROOT / "nlp" / "models" / "static-ar-en-256"


def vectors(pieces: list[str]) -> np.ndarray:
    """Unit vectors [pieces, 256]; a row of zeros where the space knows nothing of a piece."""
    tokenizer = Tokenizer.from_file(str(SPACE / "tokenizer.json"))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(SPACE / "model.onnx"), options)
    out = np.zeros((len(pieces), 256), np.float32)
    for place, coded in enumerate(tokenizer.encode_batch(pieces, add_special_tokens=False)):
        ids = [i for i in dict.fromkeys(coded.ids) if i != 0]
        if ids:
            feeds = {"input_ids": np.array([ids], np.int32), "weights": np.ones((1, len(ids)), np.float32)}
            out[place] = session.run(None, feeds)[0][0]
    return out


def rows(
    table: np.ndarray, pieces: list[str], source: list[int], neighbours: int = 10, heat: float = 0.1
) -> np.ndarray:
    """The rows of `pieces`: copied from `table` where `source` names one, else the mean of the nearest copied ones,
    weighed by the softmax of their cosine / heat; the mean of all where the space knows nothing."""
    source = np.array(source)
    copied = np.flatnonzero(source >= 0)
    words = np.array([i for i in copied if len(pieces[i]) > 2 and not pieces[i].startswith(("##", "["))])
    known = table[source[copied]]
    out = np.zeros((len(pieces), table.shape[1]), np.float32)
    out[copied] = known
    missing = np.flatnonzero(source < 0)
    anchors = vectors([pieces[i] for i in words])
    asked = vectors([pieces[i].removeprefix("##") for i in missing])
    rng = np.random.default_rng(7)
    spread = known.std(0)
    for place, vector in zip(missing, asked, strict=True):
        if not vector.any():
            out[place] = known.mean(0) + rng.normal(0, 0.3, table.shape[1]) * spread
            continue
        cosine = anchors @ vector
        near = np.argpartition(-cosine, neighbours)[:neighbours]
        weight = np.exp((cosine[near] - cosine[near].max()) / heat)
        out[place] = (weight / weight.sum()) @ table[source[words[near]]]
    return out
