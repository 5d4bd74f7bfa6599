"""Fixture of the test of lib/models/tokenizers/precompiled.ts: a small map of characters as SentencePiece compiles it, and what the
`tokenizers` library makes of texts with it. Needs `pip install sentencepiece==0.2.3 protobuf`.

    python normaliser_fixtures.py
"""

import base64
import json
import tempfile
import unicodedata
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import normalizers

FIXTURE = Path(__file__).parents[2] / "lib/models/fixtures/precompiled.json"

COMPATIBLE = "ﻻﷲ½ﬁ\u212bａ①ﺐ"
COMPOSED = ["e\u0301", "a\u0300", "ا\u0654", "ا\u0653", "\u1100\u1161"]
BLANKS = "\t\n\r\u00a0\u200b\u200e\u200f\u202f\u3000\ufeff"
NOTHING = "\u0001\u0007\u001b\u007f"

TEXTS = [
    "",
    "plain words",
    "ﻻ ﷲ ½ ﬁ \u212b ａ① ﺐ",
    "cafe\u0301 a\u0300\u0301 e\u0301\u0302 E\u0301",
    "أ ا\u0654 ا\u0654\u064e آ ا\u0653\u064e\u0651",
    "ﻻ\u064e ﻻ\u064e\u0651 ا\u064e",
    "\u1100\u1161 \u1100\u1161\u11a8 \u1161",
    "\u200fرفع\u200e\u00a0البنك\u200bx",
    "in\u0000terest \u0007rates\u001b[31m\u007f\u0001",
    "tab\tline\nreturn\rboth\r\nend\ufeff",
    "😀👨\u200d👩\u200d👧 🇯🇴",
    "漢字 がぎ\u3000",
]


def points(text: str) -> str:
    return " ".join(f"{ord(point):04X}" for point in text)


def compiled() -> bytes:
    """The map: what NFKC makes of some characters, blanks to one blank, control characters to nothing."""
    rules = {text: unicodedata.normalize("NFKC", text) for text in [*COMPATIBLE, *COMPOSED]}
    rules |= dict.fromkeys(BLANKS, " ") | dict.fromkeys(NOTHING, "")
    with tempfile.TemporaryDirectory() as folder:
        table, corpus = Path(folder) / "rules.tsv", Path(folder) / "corpus.txt"
        table.write_text("".join(f"{points(source)}\t{points(target)}\n" for source, target in sorted(rules.items())))
        corpus.write_text("some words to train with\n" * 50)
        sentencepiece.SentencePieceTrainer.train(
            input=str(corpus),
            model_prefix=f"{folder}/tiny",
            vocab_size=40,
            hard_vocab_limit=False,
            normalization_rule_tsv=str(table),
            minloglevel=2,
        )
        model = sentencepiece_model_pb2.ModelProto.FromString(Path(f"{folder}/tiny.model").read_bytes())
        return model.normalizer_spec.precompiled_charsmap


def main() -> None:
    charsmap = compiled()
    normalizer = normalizers.Precompiled(charsmap)
    cases = [[text, normalizer.normalize_str(text)] for text in TEXTS]
    content = {"charsmap": base64.b64encode(charsmap).decode(), "cases": cases}
    FIXTURE.write_text(json.dumps(content, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
