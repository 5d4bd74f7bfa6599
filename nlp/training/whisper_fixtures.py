"""Writes a tiny speech model of random weights, with what it hears in some recordings, and log-mel features.

The graphs have the inputs and outputs of Whisper models as Optimum exports them: an encoder over features, and a
decoder whose two branches compute with and without a cache. The reference computes every step anew, in NumPy, and
follows `decoding.py` and `transcribe.py` of openai/whisper (greedy, no text carried over), each window on its own; no
segment passes the recording's end.

    python whisper_fixtures.py ../../lib/inference/fixtures
"""

import json
import sys
from pathlib import Path

import numpy as np
import translation_fixtures as base
from onnx import TensorProto, helper, save
from translation_fixtures import (
    HEAD,
    HEADS,
    PRESENT,
    WIDTH,
    attend,
    attention,
    constant,
    decoder_layer,
    heads_of,
    value,
)

RATE, N_FFT, HOP, BINS = 16000, 400, 160, 80
WINDOW_S, CONTEXT = 1, 48
POSITIONS = WINDOW_S * RATE // HOP // 2
WORDS = [
    " the",
    " ship",
    " left",
    " port",
    " rain",
    " salt",
    " السفينة",
    " الميناء",
    " مطر",
    " ليل",
    " و",
    ",",
    ".",
    " ",
]
# The two bytes of one Arabic letter, apart.
HALVES = [b"\xd8", b"\xa8"]
LANGUAGES = ["en", "ar", "fr"]

random = np.random.default_rng(3)


def byte_letters() -> dict[int, str]:
    """The letters that byte-level BPE writes bytes with."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {byte: chr(byte) for byte in plain}
    for byte in range(256):
        if byte not in letters:
            letters[byte] = chr(256 + len(letters) - len(plain))
    return letters


LETTERS = byte_letters()
TEXTS = [word.encode() for word in WORDS] + HALVES
SPECIAL = [
    "<|endoftext|>",
    "<|startoftranscript|>",
    *(f"<|{language}|>" for language in LANGUAGES),
    "<|translate|>",
    "<|transcribe|>",
    "<|startoflm|>",
    "<|startofprev|>",
    "<|nospeech|>",
    "<|notimestamps|>",
]
EOT = len(TEXTS)
ID = {content: EOT + i for i, content in enumerate(SPECIAL)}
BEGIN = EOT + len(SPECIAL)
SIZE = BEGIN + POSITIONS + 1
SPACE = WORDS.index(" ")
SUPPRESSED = [WORDS.index(","), *(ID[name] for name in SPECIAL[1:2] + SPECIAL[-6:-1])]


def weights(*shape: int, scale: float = 0.9) -> np.ndarray:
    return (random.standard_normal(shape) * scale).astype(np.float32)


CONV = {"c1": weights(WIDTH, BINS, 3, scale=0.15), "c2": weights(WIDTH, WIDTH, 3, scale=0.6)}
PLACES = {"PE": weights(POSITIONS, WIDTH, scale=0.3)}
SHARED = {"E": weights(SIZE, WIDTH), "P": weights(CONTEXT, WIDTH, scale=0.6)}
ENCODER = {name: weights(WIDTH, WIDTH) for name in ("q", "k", "v")}
DECODER = {name: weights(WIDTH, WIDTH) for name in ("q", "k", "v", "cq", "ck", "cv")}
OUT = {"W": weights(WIDTH, SIZE, scale=0.7), "b": weights(SIZE, scale=0.1)}
OUT["b"][BEGIN:] -= 1.5
OUT["b"][EOT] += 0.4


def filters(bins: int) -> np.ndarray:
    """Slaney's mel filters, of area one, as librosa makes them."""

    def hertz(mel: np.ndarray) -> np.ndarray:
        return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp(np.log(6.4) / 27 * (mel - 15)))

    top = 15 + np.log(RATE / 2 / 1000) / (np.log(6.4) / 27)
    edges = hertz(np.linspace(0, top, bins + 2))
    slopes = edges[:, None] - np.linspace(0, RATE / 2, N_FFT // 2 + 1)[None]
    widths = np.diff(edges)
    rising, falling = -slopes[:-2] / widths[:-1, None], slopes[2:] / widths[1:, None]
    return np.maximum(0, np.minimum(rising, falling)) * (2 / (edges[2:] - edges[:-2]))[:, None]


def log_mel(samples: np.ndarray, bins: int = BINS) -> np.ndarray:
    padded = np.zeros(WINDOW_S * RATE)
    padded[: len(samples)] = samples
    padded = np.pad(padded, N_FFT // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, N_FFT)[::HOP][:-1]
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(N_FFT) / N_FFT)
    power = np.abs(np.fft.rfft(frames * window)) ** 2
    log = np.log10(np.maximum(filters(bins) @ power.T, 1e-10))
    return ((np.maximum(log, log.max() - 8) + 4) / 4).astype(np.float32)


def convolve(x: np.ndarray, kernel: np.ndarray, stride: int) -> np.ndarray:
    padded = np.pad(x, ((0, 0), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, 3, axis=1)[:, ::stride]
    return np.tanh(np.einsum("itk,oik->ot", windows, kernel))


def encode(features: np.ndarray) -> np.ndarray:
    x = convolve(convolve(features, CONV["c1"], 1), CONV["c2"], 2).T + PLACES["PE"]
    return x + attend(*(x @ ENCODER[name] for name in ("q", "k", "v")))


def logits_after(states: np.ndarray, ids: list[int]) -> np.ndarray:
    """Of the token after `ids`; nothing is kept from step to step."""
    x = SHARED["E"][ids] + SHARED["P"][: len(ids)]
    last = x[-1:]
    h = last + attend(last @ DECODER["q"], x @ DECODER["k"], x @ DECODER["v"])
    h = h + attend(h @ DECODER["cq"], states @ DECODER["ck"], states @ DECODER["cv"])
    return (h @ OUT["W"] + OUT["b"])[0].astype(np.float64)


def log_softmax(logits: np.ndarray) -> np.ndarray:
    top = logits.max()
    return logits - top - np.log(np.exp(logits - top).sum())


def obey(logits: np.ndarray, heard: list[int]) -> None:
    """Suppressed tokens and the rules of time stamps."""
    logits[SUPPRESSED] = -np.inf
    logits[ID["<|notimestamps|>"]] = -np.inf
    if not heard:
        logits[[SPACE, EOT]] = -np.inf
    last = len(heard) >= 1 and heard[-1] >= BEGIN
    before = len(heard) < 2 or heard[-2] >= BEGIN
    if last and before:
        logits[BEGIN:] = -np.inf
    elif last:
        logits[:EOT] = -np.inf
    stamps = [token for token in heard if token >= BEGIN]
    if stamps:
        logits[BEGIN : stamps[-1] + (0 if last and not before else 1)] = -np.inf
    if not heard:
        logits[:BEGIN] = -np.inf
        logits[BEGIN + 51 :] = -np.inf
    chances = log_softmax(logits)
    if np.exp(chances[BEGIN:]).sum() > np.exp(chances[:BEGIN].max()):
        logits[:BEGIN] = -np.inf


def listen(states: np.ndarray, prompt: list[int]) -> list[int]:
    heard: list[int] = []
    while len(heard) < CONTEXT // 2:
        logits = logits_after(states, prompt + heard)
        obey(logits, heard)
        token = int(logits.argmax())
        if token == EOT:
            break
        heard.append(token)
    return heard


def text_of(tokens: list[int]) -> str:
    return b"".join(TEXTS[token] for token in tokens if token < EOT).decode("utf-8", errors="replace")


def transcribe(samples: np.ndarray, language: str | None) -> dict:
    segments, seek, windows = [], 0, 0
    per_position = HOP * 2
    while seek < len(samples):
        part = samples[seek : seek + WINDOW_S * RATE]
        states = encode(log_mel(part))
        if language is None:
            logits = logits_after(states, [ID["<|startoftranscript|>"]])
            language = max(LANGUAGES, key=lambda each: logits[ID[f"<|{each}|>"]])
        tokens = listen(states, [ID[name] for name in ("<|startoftranscript|>", f"<|{language}|>", "<|transcribe|>")])
        windows += 1
        stamps = [token >= BEGIN for token in tokens]
        single_ending = stamps[-2:] == [False, True]
        cuts = [i + 1 for i in range(len(tokens) - 1) if stamps[i] and stamps[i + 1]]
        offset, advance = seek / RATE, len(part)

        def add(start: float, end: float, slice_: list[int], offset: float = offset) -> None:
            text = text_of(slice_)
            start, end = (min(offset + each, len(samples) / RATE) for each in (start, end))
            if start < end and text.strip():
                segments.append({"start": round(start, 2), "end": round(end, 2), "text": text})

        if cuts:
            if single_ending:
                cuts.append(len(tokens))
            for begin, end in zip([0, *cuts], cuts, strict=False):
                piece = tokens[begin:end]
                add((piece[0] - BEGIN) * 0.02, (piece[-1] - BEGIN) * 0.02, piece)
            if not single_ending:
                advance = (tokens[cuts[-1] - 1] - BEGIN) * per_position
        else:
            times = [token - BEGIN for token in tokens if token >= BEGIN]
            add(0, times[-1] * 0.02 if times and times[-1] != 0 else len(part) / RATE, tokens)
        seek += advance
    return {"language": language, "windows": windows, "segments": segments}


def encoder_graph():
    nodes = [
        helper.make_node("Conv", ["input_features", "c1"], ["conv1"], pads=[1, 1]),
        helper.make_node("Tanh", ["conv1"], ["bent1"]),
        helper.make_node("Conv", ["bent1", "c2"], ["conv2"], pads=[1, 1], strides=[2]),
        helper.make_node("Tanh", ["conv2"], ["bent2"]),
        helper.make_node("Transpose", ["bent2"], ["turned"], perm=[0, 2, 1]),
        helper.make_node("Add", ["turned", "PE"], ["x"]),
    ]
    for name in ("q", "k", "v"):
        heads_of(nodes, "x", f"w_{name}", name)
    attention(nodes, "q", "k", "v", "seen")
    nodes.append(helper.make_node("Add", ["x", "seen"], ["last_hidden_state"]))
    tables = {**CONV, **PLACES, **{f"w_{k}": v for k, v in ENCODER.items()}}
    return helper.make_graph(
        nodes,
        "encoder",
        [value("input_features", TensorProto.FLOAT, "b", BINS, 2 * POSITIONS)],
        [value("last_hidden_state", TensorProto.FLOAT, "b", POSITIONS, WIDTH)],
        [*base.CONSTANTS, *(constant(k, v) for k, v in tables.items())],
    )


def decoder_branch(cached: bool):
    """Any number of tokens. With the cache the encoder's keys and values come back empty, as those of Optimum do."""
    nodes: list = [
        helper.make_node("Gather", ["E", "input_ids"], ["words"]),
        helper.make_node("Shape", ["input_ids"], ["count"], start=1, end=2),
    ]
    if cached:
        nodes.append(helper.make_node("Shape", ["past_key_values.0.decoder.key"], ["from"], start=2, end=3))
    else:
        nodes.append(helper.make_node("Identity", ["zero"], ["from"]))
    nodes += [
        helper.make_node("Add", ["from", "count"], ["to"]),
        helper.make_node("Slice", ["P", "from", "to"], ["places"]),
        helper.make_node("Add", ["words", "places"], ["x"]),
    ]
    return decoder_layer(nodes, cached)


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
    tables = {**SHARED, **OUT, **{f"w_{k}": v for k, v in DECODER.items()}}
    return helper.make_graph(
        [helper.make_node("Squeeze", ["use_cache_branch"], ["use_cache"]), node],
        "decoder",
        [
            value("input_ids", TensorProto.INT64, "b", "t"),
            value("encoder_hidden_states", TensorProto.FLOAT, "b", "s", WIDTH),
            *pasts,
            value("use_cache_branch", TensorProto.BOOL, 1),
        ],
        [
            value("logits", TensorProto.FLOAT, "b", "t", SIZE),
            *(value(name, TensorProto.FLOAT, None, HEADS, None, HEAD) for name in PRESENT),
        ],
        [*base.CONSTANTS, *(constant(k, v) for k, v in tables.items())],
    )


def tokenizer() -> dict:
    vocabulary = {"".join(LETTERS[byte] for byte in text): i for i, text in enumerate(TEXTS)}
    added = [{"id": i, "content": content, "special": True} for content, i in ID.items()]
    return {"added_tokens": added, "model": {"type": "BPE", "vocab": vocabulary, "merges": []}}


def sound(seconds: float, pitches: list[float]) -> np.ndarray:
    """Tones one after the other, as 16 bits would keep them."""
    t = np.arange(int(seconds * RATE)) / RATE
    pitch = np.array(pitches)[np.minimum((t * 4).astype(int), len(pitches) - 1)]
    return np.round((0.45 * np.sin(2 * np.pi * pitch * t)) * 32767) / 32768


RECORDINGS = [
    {"seconds": 0.6, "pitches": [300, 1200, 500]},
    {"seconds": 1.0, "pitches": [2000, 150, 900, 3000]},
    {"seconds": 3.3, "pitches": [220, 440, 880, 1760, 3520, 110, 700, 1500, 60, 5000, 333, 1234]},
    {"seconds": 2.0, "pitches": [5000, 4000, 150, 7000, 100, 900, 420, 60]},
]


def balance_languages() -> None:
    """Makes the languages as likely as each other over all recordings, so that the sound decides."""
    ids = [ID[f"<|{each}|>"] for each in LANGUAGES]
    states = [encode(log_mel(sound(**each)[: WINDOW_S * RATE])) for each in RECORDINGS]
    means = np.mean([logits_after(each, [ID["<|startoftranscript|>"]])[ids] for each in states], axis=0)
    OUT["b"][ids] -= means.astype(np.float32)


def main(folder: Path) -> None:
    balance_languages()
    for name, graph in (("encoder", encoder_graph()), ("decoder", decoder_graph())):
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        save(model, folder / f"speech-{name}.onnx")
    cases = [
        {**each, "asked": language, **transcribe(sound(**each), language)}
        for each in RECORDINGS
        for language in (None, "ar")
    ]
    features = []
    for bins in (80, 128):
        full = log_mel(sound(**RECORDINGS[1]), bins)
        features.append({"bins": bins, "every": 97, "values": [round(float(x), 5) for x in full.reshape(-1)[::97]]})
    config = {
        "d_model": WIDTH,
        "decoder_attention_heads": HEADS,
        "num_mel_bins": BINS,
        "max_source_positions": POSITIONS,
        "max_target_positions": CONTEXT,
    }
    generation = {
        "decoder_start_token_id": ID["<|startoftranscript|>"],
        "eos_token_id": EOT,
        "no_timestamps_token_id": ID["<|notimestamps|>"],
        "is_multilingual": True,
        "lang_to_id": {f"<|{each}|>": ID[f"<|{each}|>"] for each in LANGUAGES},
        "task_to_id": {each: ID[f"<|{each}|>"] for each in ("translate", "transcribe")},
        "suppress_tokens": SUPPRESSED,
        "begin_suppress_tokens": [SPACE, EOT],
        "max_initial_timestamp_index": 50,
    }
    content = {
        "recording": RECORDINGS[1],
        "features": features,
        "cases": cases,
        "config": config,
        "generation_config": generation,
        "tokenizer": tokenizer(),
    }
    (folder / "speech.json").write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
