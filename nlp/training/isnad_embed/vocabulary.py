"""The tokenizer: a Unigram model whose pieces are morphemes, each with the log probability of its count."""

import json
import math
from collections import Counter

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from .fold import DIGITS, LETTERS, MARKS, WORD, is_arabic
from .morphology import Analyser, split_arabic, split_english

UNKNOWN = "<unk>"
LATIN = "abcdefghijklmnopqrstuvwxyz"
ARABIC = "ءابتثجحخدذرزسشصضطظعغفقكلمنهوي"


def morphemes(types: Counter[str], analyser: Analyser) -> Counter[str]:
    """How often each morpheme occurs in the corpus, rare words cut by the lexicon or kept whole."""
    count: Counter[str] = Counter()
    for word, n in types.items():
        if word[0].isdigit():
            parts = [word] if len(word) <= 4 else []
        else:
            parts = split_arabic(word, analyser, types) if is_arabic(word) else split_english(word, types)
        for part in parts:
            count[part] += n
    return count


def choose(count: Counter[str], size: int, arabic_share: float) -> dict[str, float]:
    """The most frequent morphemes of each script, and every letter and digit, with log probabilities."""
    usable = [(p, n) for p, n in count.most_common() if len(p) <= 18 and n >= 4]
    arabic = [x for x in usable if is_arabic(x[0])]
    digits = [x for x in usable if x[0][0].isdigit()][:1200]
    latin = [x for x in usable if not is_arabic(x[0]) and x[0].isascii() and not x[0][0].isdigit()]
    room = size - len(digits) - len(LATIN) - len(ARABIC) - 11
    chosen = dict(arabic[: int(room * arabic_share)] + latin[: room - int(room * arabic_share)] + digits)
    total = sum(count.values())
    scores = {p: math.log(n / total) for p, n in chosen.items()}
    floor = min(scores.values())
    for letter in LATIN + ARABIC + "0123456789":
        lone = scores.get(letter, floor)
        scores[letter] = lone if letter in "وفبلكسيتناه" else min(lone, floor)
    return scores


def build(scores: dict[str, float]) -> Tokenizer:
    """A tokenizer that folds, keeps runs of letters or digits, and cuts each into the likeliest pieces."""
    vocab = [(UNKNOWN, 0.0), *((p, round(s, 3)) for p, s in sorted(scores.items(), key=lambda x: (-x[1], x[0])))]
    tokenizer = Tokenizer(models.Unigram(vocab, unk_id=0, byte_fallback=False))
    steps = [normalizers.NFKD(), normalizers.Replace(Regex(MARKS), ""), normalizers.Lowercase()]
    steps += [normalizers.Replace(Regex(pattern), to) for pattern, to in {**LETTERS, **DIGITS}.items()]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), behavior="removed", invert=True)
    return tokenizer


def compact(tokenizer: Tokenizer) -> str:
    return json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False, separators=(",", ":"))
