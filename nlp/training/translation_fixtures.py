"""Writes a tiny translation model of random weights, with what it translates some texts to.

The graphs have the inputs and outputs of Marian models as Optimum exports them: an encoder, and a decoder whose two
branches compute with and without a cache. The reference computes every step anew, in NumPy, and searches on its own.

    python translation_fixtures.py ../../lib/inference/fixtures
"""

import json
import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

WORDS = "ship port sea left night the a in of salt wind rain old new red sun".split()
PIECES = [
    "</s>",
    "<unk>",
    *("▁" + word for word in WORDS),
    "▁",
    *"abcdefghijklmnopqrstuvwxyz",
    ".",
    "<pad>",
]
EOS, UNKNOWN, PAD = 0, 1, len(PIECES) - 1
WIDTH, HEADS, PLACES, LONGEST = 8, 2, 64, 12
HEAD = WIDTH // HEADS
TEXTS = ["the old ship", "rain", "wind in the port of salt", "a red sun left the sea in the night", "the the the"]
BEAMS = [1, 4]

random = np.random.default_rng(11)


def weights(*shape: int, scale: float = 0.9) -> np.ndarray:
    return (random.standard_normal(shape) * scale).astype(np.float32)


SHARED = {"E": weights(len(PIECES), WIDTH), "P": weights(PLACES, WIDTH, scale=0.6)}
ENCODER = {name: weights(WIDTH, WIDTH) for name in ("q", "k", "v")}
DECODER = {name: weights(WIDTH, WIDTH) for name in ("q", "k", "v", "cq", "ck", "cv")}
OUT = {"W": weights(WIDTH, len(PIECES), scale=0.7), "b": weights(len(PIECES), scale=0.1)}
OUT["b"][EOS] += 1.2


def split(x: np.ndarray) -> np.ndarray:
    return x.reshape(x.shape[0], HEADS, HEAD).transpose(1, 0, 2)


def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    scores = split(q) @ split(k).transpose(0, 2, 1) / np.float32(np.sqrt(HEAD))
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = (scores / scores.sum(-1, keepdims=True)) @ split(v)
    return mixed.transpose(1, 0, 2).reshape(q.shape[0], WIDTH)


def read(ids: list[int]) -> np.ndarray:
    return SHARED["E"][ids] + SHARED["P"][: len(ids)]


def encode(ids: list[int]) -> np.ndarray:
    x = read(ids)
    return x + attend(*(x @ ENCODER[name] for name in ("q", "k", "v")))


def next_log_probabilities(states: np.ndarray, ids: list[int]) -> np.ndarray:
    """Of the token after `ids`; nothing is kept from step to step."""
    x = read(ids)
    last = x[-1:]
    h = last + attend(last @ DECODER["q"], x @ DECODER["k"], x @ DECODER["v"])
    h = h + attend(h @ DECODER["cq"], states @ DECODER["ck"], states @ DECODER["cv"])
    logits = (h @ OUT["W"] + OUT["b"])[0].astype(np.float64)
    logits[PAD] = -np.inf
    if len(ids) == LONGEST - 1:
        logits[:] = -np.inf
        logits[EOS] = 0
    top = logits.max()
    return logits - top - np.log(np.exp(logits - top).sum())


def search(states: np.ndarray, beams: int) -> list[int]:
    """Beam search as Hugging Face's `generate` does it, with length penalty 1 and without early stopping."""
    running = [(0.0, [PAD])]
    ended: list[tuple[float, list[int]]] = []
    while True:
        ranked = sorted(
            (
                (score + gain, ids, token)
                for score, ids in running
                for token, gain in enumerate(next_log_probabilities(states, ids))
                if gain > -np.inf
            ),
            key=lambda each: -each[0],
        )[: 2 * beams]
        running = []
        for rank, (score, ids, token) in enumerate(ranked):
            if token == EOS:
                if rank < beams:
                    ended.append((score / len(ids), [*ids, EOS]))
            elif len(running) < beams:
                running.append((score, [*ids, token]))
        ended = sorted(ended, key=lambda each: -each[0])[:beams]
        length = len(ranked[0][1])
        if not running or (len(ended) == beams and ended[-1][0] >= ranked[0][0] / length):
            return ended[0][1]


def text_of(ids: list[int]) -> str:
    return "".join(PIECES[i] for i in ids if i not in (EOS, PAD, UNKNOWN)).replace("▁", " ").strip()


def ids_of(text: str) -> list[int]:
    return [*(PIECES.index("▁" + word) for word in text.split()), EOS]


def constant(name: str, value: np.ndarray):
    return numpy_helper.from_array(value, name)


def heads_of(nodes: list, source: str, weight: str, out: str) -> None:
    """`source` times a weight, as (batch, heads, length, width of a head)."""
    nodes += [
        helper.make_node("MatMul", [source, weight], [f"{out}_flat"]),
        helper.make_node("Reshape", [f"{out}_flat", "to_heads"], [f"{out}_cut"]),
        helper.make_node("Transpose", [f"{out}_cut"], [out], perm=[0, 2, 1, 3]),
    ]


def attention(nodes: list, q: str, k: str, v: str, out: str, mask: str | None = None) -> None:
    nodes += [
        helper.make_node("Transpose", [k], [f"{out}_kt"], perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", [q, f"{out}_kt"], [f"{out}_raw"]),
        helper.make_node("Div", [f"{out}_raw", "root"], [f"{out}_scaled"]),
    ]
    scores = f"{out}_scaled"
    if mask is not None:
        nodes.append(helper.make_node("Add", [scores, mask], [f"{out}_masked"]))
        scores = f"{out}_masked"
    nodes += [
        helper.make_node("Softmax", [scores], [f"{out}_soft"], axis=-1),
        helper.make_node("MatMul", [f"{out}_soft", v], [f"{out}_mixed"]),
        helper.make_node("Transpose", [f"{out}_mixed"], [f"{out}_back"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", [f"{out}_back", "to_width"], [out]),
    ]


def mask_nodes(source: str) -> list:
    return [
        helper.make_node("Cast", [source], ["mask_float"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["one", "mask_float"], ["mask_away"]),
        helper.make_node("Mul", ["mask_away", "far"], ["mask_far"]),
        helper.make_node("Unsqueeze", ["mask_far", "axes12"], ["mask"]),
    ]


CONSTANTS = [
    constant("to_heads", np.array([0, 0, HEADS, HEAD], np.int64)),
    constant("to_width", np.array([0, 0, WIDTH], np.int64)),
    constant("root", np.array(np.sqrt(HEAD), np.float32)),
    constant("one", np.array(1, np.float32)),
    constant("far", np.array(-1e9, np.float32)),
    constant("axes12", np.array([1, 2], np.int64)),
    constant("zero", np.array([0], np.int64)),
    constant("unit", np.array([1], np.int64)),
    constant("two", np.array([2], np.int64)),
]


def value(name: str, kind: int, *shape):
    return helper.make_tensor_value_info(name, kind, list(shape))


def encoder_graph():
    nodes = [
        helper.make_node("Gather", ["E", "input_ids"], ["words"]),
        helper.make_node("Shape", ["input_ids"], ["length"], start=1, end=2),
        helper.make_node("Slice", ["P", "zero", "length"], ["places"]),
        helper.make_node("Add", ["words", "places"], ["x"]),
        *mask_nodes("attention_mask"),
    ]
    for name in ("q", "k", "v"):
        heads_of(nodes, "x", f"w_{name}", name)
    attention(nodes, "q", "k", "v", "seen", "mask")
    nodes.append(helper.make_node("Add", ["x", "seen"], ["last_hidden_state"]))
    return helper.make_graph(
        nodes,
        "encoder",
        [value("input_ids", TensorProto.INT64, "b", "s"), value("attention_mask", TensorProto.INT64, "b", "s")],
        [value("last_hidden_state", TensorProto.FLOAT, "b", "s", WIDTH)],
        [
            *CONSTANTS,
            *(constant(k, v) for k, v in SHARED.items()),
            *(constant(f"w_{k}", v) for k, v in ENCODER.items()),
        ],
    )


PRESENT = [f"present.0.{part}.{kind}" for part in ("decoder", "encoder") for kind in ("key", "value")]


def decoder_layer(nodes: list, cached: bool, mask: str | None = None):
    """The graph of the branch with or without a cache: `nodes`, which end with the words of this step as `x`, the layer over them, and the
    logits. `mask`: what is added to the scores of the encoder's places."""
    tag = "then" if cached else "else"
    for name in ("q", "k", "v"):
        heads_of(nodes, "x", f"w_{name}", name)
    keys = {}
    for name, kind in (("k", "key"), ("v", "value")):
        out = f"{tag}.{PRESENT[0 if kind == 'key' else 1]}"
        before = f"past_key_values.0.decoder.{kind}"
        nodes.append(
            helper.make_node("Concat", [before, name], [out], axis=2)
            if cached
            else helper.make_node("Identity", [name], [out])
        )
        keys[kind] = out
    attention(nodes, "q", keys["key"], keys["value"], "seen")
    nodes.append(helper.make_node("Add", ["x", "seen"], ["h"]))
    heads_of(nodes, "h", "w_cq", "cq")
    for name, kind in (("ck", "key"), ("cv", "value")):
        out = f"{tag}.present.0.encoder.{kind}"
        if cached:
            nodes.append(helper.make_node("Slice", [f"past_key_values.0.encoder.{kind}", "zero", "zero"], [out]))
            keys[name] = f"past_key_values.0.encoder.{kind}"
        else:
            heads_of(nodes, "encoder_hidden_states", f"w_{name}", out)
            keys[name] = out
    attention(nodes, "cq", keys["ck"], keys["cv"], "crossed", mask)
    nodes += [
        helper.make_node("Add", ["h", "crossed"], ["h2"]),
        helper.make_node("MatMul", ["h2", "W"], ["raw"]),
        helper.make_node("Add", ["raw", "b"], [f"{tag}.logits"]),
    ]
    outputs = [value(f"{tag}.{name}", TensorProto.FLOAT, None, None, None, None) for name in PRESENT]
    return helper.make_graph(nodes, tag, [], [value(f"{tag}.logits", TensorProto.FLOAT, None, None, None), *outputs])


def decoder_branch(cached: bool):
    """One step. With the cache the encoder's keys and values come back empty, as those of Optimum do."""
    nodes: list = [helper.make_node("Gather", ["E", "input_ids"], ["words"])]
    if cached:
        nodes.append(helper.make_node("Shape", ["past_key_values.0.decoder.key"], ["from"], start=2, end=3))
    else:
        nodes.append(helper.make_node("Identity", ["zero"], ["from"]))
    nodes += [
        helper.make_node("Add", ["from", "unit"], ["to"]),
        helper.make_node("Slice", ["P", "from", "to"], ["places"]),
        helper.make_node("Add", ["words", "places"], ["x"]),
        *mask_nodes("encoder_attention_mask"),
    ]
    return decoder_layer(nodes, cached, "mask")


def decoder_graph():
    node = helper.make_node(
        "If",
        ["use_cache"],
        ["logits", *PRESENT],
        then_branch=decoder_branch(True),
        else_branch=decoder_branch(False),
    )
    pasts = [
        value(f"past_key_values.0.{part}.{kind}", TensorProto.FLOAT, "b", HEADS, f"p_{part}", HEAD)
        for part in ("decoder", "encoder")
        for kind in ("key", "value")
    ]
    return helper.make_graph(
        [helper.make_node("Squeeze", ["use_cache_branch"], ["use_cache"]), node],
        "decoder",
        [
            value("encoder_attention_mask", TensorProto.INT64, "b", "s"),
            value("input_ids", TensorProto.INT64, "b", "t"),
            value("encoder_hidden_states", TensorProto.FLOAT, "b", "s", WIDTH),
            *pasts,
            value("use_cache_branch", TensorProto.BOOL, 1),
        ],
        [
            value("logits", TensorProto.FLOAT, "b", "t", len(PIECES)),
            *(value(name, TensorProto.FLOAT, None, HEADS, None, HEAD) for name in PRESENT),
        ],
        [
            *CONSTANTS,
            *(constant(k, v) for k, v in {**SHARED, **OUT}.items()),
            *(constant(f"w_{k}", v) for k, v in DECODER.items()),
        ],
    )


def tokenizer() -> dict:
    special = [
        {"id": i, "content": PIECES[i], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
        for i in (EOS, UNKNOWN, PAD)
    ]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{**each, "special": True} for each in special],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "WhitespaceSplit"},
                {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True},
            ],
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "pair": [],
            "special_tokens": {"</s>": {"id": "</s>", "ids": [EOS], "tokens": ["</s>"]}},
        },
        "decoder": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True},
        "model": {
            "type": "Unigram",
            "unk_id": UNKNOWN,
            "vocab": [[piece, -2.0 if piece.startswith("▁") else -6.0] for piece in PIECES],
        },
    }


def main(folder: Path) -> None:
    for name, graph in (("encoder", encoder_graph()), ("decoder", decoder_graph())):
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        save(model, folder / f"translation-{name}.onnx")
    cases = [
        {"text": text, "beams": beams, "translation": text_of(search(encode(ids_of(text)), beams))}
        for text in TEXTS
        for beams in BEAMS
    ]
    config = {
        "decoder_start_token_id": PAD,
        "eos_token_id": EOS,
        "pad_token_id": PAD,
        "forced_eos_token_id": EOS,
        "bad_words_ids": [[PAD]],
        "max_length": LONGEST,
    }
    content = {"cases": cases, "generation_config": config, "tokenizer": tokenizer()}
    (folder / "translation.json").write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
