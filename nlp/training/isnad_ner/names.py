"""Known names: those annotated in sets of silver and fine-grained annotations, and lists."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from .attributes import facts
from .coarse import coarse
from .data import NER, Sentence
from .evaluate import spans

LONGEST = 6


def listed() -> list[tuple[list[str], str]]:
    """The names of ANERgazet."""
    out = []
    for kind, file in (("LOC", "Loc"), ("ORG", "Org"), ("PER", "Pers")):
        for line in (NER / f"ar/anergazet/Aligned{file}Gazetteer.txt").read_text(encoding="utf8").splitlines():
            words = [facts(t)[0] for t in line.split()]
            if words and words[0][0] not in "=*":
                out.append((words, kind))
    return out


@dataclass(frozen=True)
class NameList:
    """`phrases`: names (folded words with blanks between) and their type; `words`: what a word mostly is, how often and how surely."""

    phrases: dict[str, str]
    words: dict[str, str]

    def cover(self, words: list[str]) -> list[str]:
        """The longest known names from left to right: B, type and length (at most 3) where one begins, I and type where it goes on."""
        out, i = ["O"] * len(words), 0
        while i < len(words):
            lengths = range(min(LONGEST, len(words) - i), 0, -1)
            length = next((n for n in lengths if " ".join(words[i : i + n]) in self.phrases), 0)
            if length:
                kind = self.phrases[" ".join(words[i : i + length])]
                out[i : i + length] = [f"B{kind}{min(length, 3)}"] + [f"I{kind}"] * (length - 1)
            i += max(1, length)
        return out

    def singles(self, tokens: list[str]) -> list[str]:
        """What each word mostly is, or its stem (then after an s)."""
        out = []
        for token in tokens:
            word, _, root, _ = facts(token)
            out.append(self.words.get(word) or ("s" + self.words.get(root, "") if root != "-" else ""))
        return out


def name_list(sets: list[list[Sentence]], lists: list[tuple[list[str], str]], least: int = 1) -> NameList:
    """From annotated sets and lists; `least`: how often a name must occur."""
    tags: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in (s for sentences in sets for s in sentences):
        words, row = [facts(t)[0] for t, _ in sentence], [tag for _, tag in coarse(sentence)]
        for word, tag in zip(words, row):
            tags[word][tag[2:]] += 1
        for start, end, kind in spans(row):
            if end - start <= LONGEST:
                kinds[" ".join(words[start:end])][kind] += 1
    for words, kind in lists:
        kinds[" ".join(words)][kind] += 2
        for word in words:
            tags[word][kind] += 1
    phrases = {
        p: c.most_common(1)[0][0]
        for p, c in kinds.items()
        if len(p) > 2 and c.total() >= least and c.most_common(1)[0][1] >= 0.6 * c.total()
    }
    return NameList(phrases, {word: told for word, c in tags.items() if (told := mostly(c))})


def mostly(tags: Counter[str]) -> str:
    """Type, share of the occurrences that are part of a name (H, M, L), whether often (+), whether nearly always of this type (!)."""
    total = tags.total()
    named = total - tags[""]
    if named == 0:
        return ""
    kind, count = max(((k, n) for k, n in tags.items() if k), key=lambda pair: (pair[1], pair[0]))
    share = named / total
    return f"{kind}{'H' if share > 0.8 else 'M' if share > 0.4 else 'L'}{'+' if total > 4 else '-'}{'!' if count > 0.8 * named else '?'}"
