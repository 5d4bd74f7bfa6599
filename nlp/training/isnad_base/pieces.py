"""The pieces that the contextual models share: nlp/models/pieces-ar-en, a Unigram tokenizer and a row of 384 weights in 4 bits for each piece."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from . import published

FOLDER = Path(__file__).resolve().parents[2] / "models" / "pieces-ar-en"
SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]
FILES = ("tokenizer.json", "rows.bin", "reference.json")
PADDING, FIRST, LAST, UNKNOWN = range(4)
DIGITS = 5
"""Of scores that are kept, behind the point."""

# Marks that change how a word looks and not which it is.
_DROPPED = r"[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"


def normaliser() -> normalizers.Normalizer:
    folds = [normalizers.Replace(Regex(_DROPPED), ""), normalizers.Replace("ی", "ي"), normalizers.Replace("ک", "ك")]
    digits = [normalizers.Replace(chr(start + digit), str(digit)) for start in (0x660, 0x6F0) for digit in range(10)]
    blanks = [
        normalizers.Replace(Regex(r"[\s\p{Cc}]+"), " "),
        normalizers.NFKC(),
        normalizers.Replace(Regex(r"\s{2,}"), " "),
    ]
    blanks.append(normalizers.Strip())
    return normalizers.Sequence([*folds, *digits, *blanks])


def tokenizer_of(kept: list[tuple[str, float]]) -> Tokenizer:
    made = Tokenizer(models.Unigram(kept, unk_id=UNKNOWN, byte_fallback=False))
    made.normalizer = normaliser()
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B </s>", special_tokens=[("<s>", FIRST), ("</s>", LAST)]
    )
    return made


def build(texts: Iterable[list[str]], size: int) -> None:
    """Keeps the `size` pieces that `texts` (batches) use most, and every single letter among those used; writes the folder."""
    base = published.read()
    whole = tokenizer_of([*((name, 0.0) for name in SPECIAL), *zip(base.pieces[4:], base.scores[4:], strict=True)])
    counts: Counter[int] = Counter()
    for batch in texts:
        for coded in whole.encode_batch(batch, add_special_tokens=False):
            counts.update(coded.ids)
    single = [i for i in counts if i > UNKNOWN and len(base.pieces[i].removeprefix("▁")) <= 1 and counts[i] >= 20]
    chosen = dict.fromkeys(single)
    for number, _ in counts.most_common():
        if len(chosen) + len(SPECIAL) >= size:
            break
        if number > UNKNOWN:
            chosen[number] = None
    numbers = sorted(chosen)
    kept = [*((name, 0.0) for name in SPECIAL), *((base.pieces[i], round(base.scores[i], DIGITS)) for i in numbers)]
    # the published order of the special pieces is <s> <pad> </s> <unk>
    raw = base.raw_rows[[1, 0, 2, 3, *numbers]]
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = json.dumps(json.loads(tokenizer_of(kept).to_str()), ensure_ascii=False, separators=(",", ":"))
    (FOLDER / "tokenizer.json").write_text(text, encoding="utf8")
    (FOLDER / "rows.bin").write_bytes(np.ascontiguousarray(raw).tobytes())


@cache
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(FOLDER / "tokenizer.json"))


@cache
def rows() -> torch.Tensor:
    """float32 [pieces, WIDTH]."""
    raw = np.frombuffer((FOLDER / "rows.bin").read_bytes(), np.uint8).reshape(
        -1, published.WIDTH // published.BLOCK * published.BLOCK_BYTES
    )
    return torch.from_numpy(published.dequantised(raw))


def encode(texts: list[str], longest: int) -> list[list[int]]:
    """Ids with <s> and </s>; what is beyond `longest` pieces is cut before </s>."""
    found = [coded.ids for coded in tokenizer().encode_batch(texts)]
    return [ids if len(ids) <= longest else [*ids[: longest - 1], LAST] for ids in found]


def checksum(name: str) -> str:
    return hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()
