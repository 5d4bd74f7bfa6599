"""One WordPiece vocabulary for both languages: the pieces of the base that English news and speeches use, and Arabic pieces of our own."""

import json
from collections import Counter

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from . import base

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LONGEST = 64
ARABIC = (0x0600, 0x06FF)

# Links and names of accounts say little but that they are there. Letter forms are folded as in search.
_RULES = [
    (r"https?://[^\s]+", " http "),
    (r"@[A-Za-z0-9_]+", " @ "),
    (r"[\u0640\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]", ""),
    (r"[ىیې]", "ي"),
    (r"[ةہە]", "ه"),
    (r"[کگڭ]", "ك"),
    (r"[ٱآأإ]", "ا"),
    (r"_", " "),
    *[(f"[{chr(0x660 + digit)}{chr(0x6F0 + digit)}]", str(digit)) for digit in range(10)],
]


def normaliser() -> normalizers.Normalizer:
    replace = [normalizers.Replace(Regex(pattern), content) for pattern, content in _RULES]
    return normalizers.Sequence([*replace, normalizers.BertNormalizer(lowercase=True, strip_accents=True)])


def build(english: list[str], arabic: list[str], english_size: int, arabic_size: int) -> Tokenizer:
    """The most frequent pieces of the base in `english`, then pieces of our own for `arabic`."""
    old = base.tokenizer()
    old.normalizer = normaliser()
    rows = old.get_vocab()
    counts: Counter[str] = Counter()
    for at in range(0, len(english), 10_000):
        for coded in old.encode_batch(english[at : at + 10_000], add_special_tokens=False):
            counts.update(coded.tokens)
    ascii_pieces = [p for p in rows if len(p.removeprefix("##")) == 1 and p.removeprefix("##").isascii()]
    kept = SPECIAL + ascii_pieces
    chosen = set(kept)
    for piece, _ in counts.most_common():
        if len(kept) >= english_size:
            break
        if piece not in chosen:
            kept.append(piece)
            chosen.add(piece)
    kept += [piece for piece in arabic_pieces(arabic, arabic_size) if piece not in chosen]
    made = Tokenizer(
        models.WordPiece({p: i for i, p in enumerate(kept)}, unk_token="[UNK]", max_input_chars_per_word=100)
    )
    made.normalizer = normaliser()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", kept.index("[CLS]")), ("[SEP]", kept.index("[SEP]"))]
    )
    return made


def pieces(tokenizer: Tokenizer) -> list[str]:
    return [piece for piece, _ in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])]


def arabic_pieces(texts: list[str], size: int) -> list[str]:
    trained = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    trained.normalizer = normaliser()
    trained.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trained.train_from_iterator(
        texts,
        trainers.WordPieceTrainer(vocab_size=size + 800, min_frequency=20, limit_alphabet=400, special_tokens=SPECIAL),
    )
    ordered = sorted(trained.get_vocab().items(), key=lambda item: item[1])
    arabic = [piece for piece, _ in ordered if any(ARABIC[0] <= ord(letter) <= ARABIC[1] for letter in piece)]
    emoji = [piece for piece, _ in ordered if len(piece) == 1 and ord(piece) >= 0x2600]
    return (emoji[:150] + arabic)[:size]


def encode(tokenizer: Tokenizer, texts: list[str], longest: int = LONGEST) -> list[list[int]]:
    """Ids with [CLS] and [SEP]; what is beyond `longest` tokens is cut before [SEP]."""
    end = tokenizer.token_to_id("[SEP]")
    rows = [coded.ids for coded in tokenizer.encode_batch(texts)]
    return [row if len(row) <= longest else [*row[: longest - 1], end] for row in rows]


def saved(tokenizer: Tokenizer) -> str:
    return json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False, separators=(",", ":"))
