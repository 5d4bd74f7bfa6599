"""Shape and stem of a word. `lib/inference/tag` computes the same; `reference.json` of the model holds examples that both
must agree on."""

import regex

_arabic = regex.compile(r"(?=\p{Script=Arabic})\p{L}")
_letter = regex.compile(r"\p{L}")
_digit = regex.compile(r"\p{N}")
_inner = regex.compile(r"[\p{L}\p{N}][-.'\u2019&_/:][\p{L}\p{N}]")
PREFIXES = ("ال", "لل", "بال", "كال", "ب", "ل", "ك")


def stem(word: str, rank: dict[str, int]) -> int:
    """The row of the most frequent known word left when Arabic proclitics are taken off; -1 when there is none."""
    if not word or not _arabic.match(word):
        return -1
    best = -1
    for base in (word, word[1:]) if word[0] in "وف" else (word,):
        rests = [base] if base is not word else []
        rests += [base[len(p) :] for p in PREFIXES if base.startswith(p)]
        for rest in rests:
            row = rank.get(rest, -1) if len(rest) >= 3 else -1
            if row >= 0 and (best < 0 or row < best):
                best = row
    return best


def case(token: str) -> int:
    bare = token.lstrip("@#")
    if not _letter.search(bare):
        return 1 if _digit.search(bare) else 0
    if _arabic.search(bare):
        return 2
    upper = sum(c.isupper() for c in bare)
    lower = sum(c.islower() for c in bare)
    if upper + lower == 0:
        return 8
    if upper == 0:
        return 3
    if lower == 0:
        return 5 if upper == 1 else 6
    first = next(c for c in bare if c.isupper() or c.islower())
    return 4 if upper == 1 and first.isupper() else 7


def shapes(tokens: list[str]) -> list[int]:
    cases = [case(t) for t in tokens]
    cased = [c for c in cases if 3 <= c <= 7]
    whole = 0
    if len(cased) > 2:
        whole = 1 if 3 not in cased and cased.count(6) * 2 > len(cased) else 2 if all(c == 3 for c in cased) else 0
    out = []
    for token, c in zip(tokens, cases):
        mark = 0 if len(token) < 2 or token[0] not in "@#" else 1 if token[0] == "@" else 2
        digit, inner = int(bool(_digit.search(token))), int(bool(_inner.search(token)))
        out.append((((c * 3 + mark) * 2 + digit) * 2 + inner) * 3 + whole)
    return out


