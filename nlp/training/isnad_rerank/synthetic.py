"""Collections in the BEIR layout made of news articles: titles, summaries, keywords and questions as queries, passages of the
articles as documents. Nothing under retrieval/ and no article of the held-out part is read."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from isnad_embed.corpus import Article
from isnad_embed.fold import fold, is_arabic

SENTENCE = re.compile(r"(?<=[.!?؟])\s+|\n+")
WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
ARABIC_NUMBER = "كم كم_عدد كم_بلغ ما_عدد".split()
ARABIC_TIME = "متى متى في_أي_عام في_أي_يوم".split()
ARABIC_OTHER = "ما ما_هو ما_هي من من_هو من_هي أين لماذا كيف ماذا بماذا".split()
ENGLISH_NUMBER = "how_many how_much how_many what_is_the_number_of".split()
ENGLISH_TIME = "when_did when_was when in_what_year_did on_what_date".split()
ENGLISH_OTHER = "what what_is what_was which how_did why_did why_is how".split()
ENGLISH_NAME = "who who_is who_was where where_is where_did which_company".split()
MONTHS = re.compile(
    r"يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر|January|February|March|April|June|July|August"
    r"|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|السبت|الأحد|الاثنين"
    r"|الثلاثاء|الأربعاء|الخميس|الجمعة"
)


@dataclass
class Made:
    """A collection: documents with title and text, queries, and for each query the documents that answer it."""

    documents: list[tuple[str, str]] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    wanted: list[list[int]] = field(default_factory=list)

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "corpus.jsonl", "w", encoding="utf8") as out:
            for i, (title, text) in enumerate(self.documents):
                out.write(json.dumps({"_id": f"d{i}", "title": title, "text": text}, ensure_ascii=False) + "\n")
        with open(folder / "queries.jsonl", "w", encoding="utf8") as out:
            for i, text in enumerate(self.queries):
                out.write(json.dumps({"_id": f"q{i}", "text": text}, ensure_ascii=False) + "\n")
        rows = [f"q{i}\td{d}\t1\n" for i, found in enumerate(self.wanted) for d in found]
        (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(rows), encoding="utf8")


def passages(text: str, rng: np.random.Generator, most: int) -> list[list[str]]:
    """Runs of whole sentences of 40 to 180 words, as lists of sentences."""
    found: list[list[str]] = []
    aim, words = int(rng.integers(40, 180)), 0
    run: list[str] = []
    for sentence in SENTENCE.split(text):
        sentence = " ".join(sentence.split())
        if len(sentence) < 2:
            continue
        run.append(sentence)
        words += sentence.count(" ") + 1
        if words >= aim:
            found.append(run)
            run, words, aim = [], 0, int(rng.integers(40, 180))
            if len(found) == most:
                return found
    if words >= 25:
        found.append(run)
    return found


class Maker:
    """Makes queries. `rarity` gives how rare a word is, `neighbours` words that are used alike."""

    def __init__(self, rng: np.random.Generator, rarity, neighbours):
        self.rng, self.rarity, self.neighbours = rng, rarity, neighbours

    def pick(self, options: list[str]) -> str:
        return options[int(self.rng.integers(len(options)))].replace("_", " ")

    def reworded(self, words: list[str], drop: float, swap: float) -> list[str]:
        """Some words left out, some replaced by words that are used alike."""
        out = []
        for word in words:
            if self.rng.random() < drop:
                continue
            other = self.neighbours(word) if self.rng.random() < swap else None
            out.append(other or word)
        return out

    def question(self, sentence: str) -> str | None:
        """A question that the sentence answers: a stretch of it without the answer, behind a question word (after Lewis,
        Denoyer and Riedel, "Unsupervised Question Answering by Cloze Translation", 2019)."""
        rng = self.rng
        words = WORD.findall(sentence)
        if not 7 <= len(words) <= 60:
            return None
        arabic = is_arabic(fold(words[0])[:1] or " ")
        numbers = [i for i, w in enumerate(words) if w[0].isdigit()]
        names = [i for i, w in enumerate(words) if not arabic and i > 0 and w[0].isupper()]
        dated = MONTHS.search(sentence) is not None
        if numbers and rng.random() < 0.7:
            at = int(rng.choice(numbers))
            timed = dated or re.fullmatch(r"(1[89]|20)\d\d", words[at]) is not None
            kinds = (ARABIC_TIME, ENGLISH_TIME) if timed else (ARABIC_NUMBER, ENGLISH_NUMBER)
            left_out = {i for i in numbers if abs(i - at) <= 3} | (
                {i for i, w in enumerate(words) if MONTHS.fullmatch(w)} if timed else set()
            )
        elif names and rng.random() < 0.6:
            at = int(rng.choice(names))
            kinds = (ARABIC_OTHER, ENGLISH_NAME)
            left_out = {at, *(i for i in (at - 1, at + 1) if i in names)}
        else:
            at = int(rng.integers(len(words)))
            kinds = (ARABIC_OTHER, ENGLISH_OTHER)
            left_out = {at, at + 1}
        reach = int(rng.integers(5, 13))
        stretch = [words[i] for i in range(max(0, at - reach), min(len(words), at + reach)) if i not in left_out]
        most = int(rng.integers(3, 10))
        if len(stretch) > most:
            # the telling words stay, in their order
            weight = np.array([max(0.05, self.rarity(w)) for w in stretch]) ** 1.5
            kept = sorted(rng.choice(len(stretch), most, replace=False, p=weight / weight.sum()))
            stretch = [stretch[i] for i in kept]
        stretch = self.reworded(stretch, 0.05, 0.12)
        if rng.random() < 0.2 and len(stretch) > 3:
            cut = int(rng.integers(1, len(stretch)))
            stretch = stretch[cut:] + stretch[:cut]
        if len(stretch) < 2:
            return None
        asked = self.pick(kinds[0] if arabic else kinds[1])
        mark = ("؟" if arabic else "?") if rng.random() < 0.8 else ""
        return f"{asked} {' '.join(stretch)}{mark}"

    def keywords(self, sentences: list[str]) -> str | None:
        words = list(dict.fromkeys(w for s in sentences for w in WORD.findall(s) if len(w) > 2))
        if len(words) < 12:
            return None
        n = int(self.rng.integers(2, 7))
        weight = np.array([max(0.05, self.rarity(w)) for w in words]) ** 2
        kept = sorted(self.rng.choice(len(words), n, replace=False, p=weight / weight.sum()))
        return " ".join(self.reworded([words[i] for i in kept], 0, 0.1))


def titles(articles: list[Article], rng: np.random.Generator, maker: Maker) -> Made:
    """Title to passages of the body; every passage of the article answers it."""
    made = Made()
    for a in articles:
        runs = passages(a.text, rng, int(rng.integers(1, 4)))
        if not runs:
            continue
        first = len(made.documents)
        made.documents += [("", " ".join(run)) for run in runs]
        query = " ".join(maker.reworded(WORD.findall(a.title), 0.1, 0.1)) if rng.random() < 0.4 else a.title
        made.queries.append(query)
        made.wanted.append(list(range(first, len(made.documents))))
    return made


def summaries(articles: list[Article], rng: np.random.Generator, maker: Maker) -> Made:
    """The summary, or the first sentence, to passages of the rest, half of them under their title."""
    made = Made()
    for a in articles:
        sentences = [s for s in SENTENCE.split(a.text) if len(s) > 20]
        if len(sentences) < 4:
            continue
        lead = a.abstract if len(a.abstract) > 30 and rng.random() < 0.7 else sentences[0]
        rest = "\n".join(s for s in sentences[1:] if s.strip()[:40] not in lead)
        runs = passages(rest, rng, 2)
        if not runs:
            continue
        first = len(made.documents)
        made.documents += [(a.title if rng.random() < 0.5 else "", " ".join(run)) for run in runs]
        made.queries.append(" ".join(maker.reworded(lead.split()[:45], 0.05, 0.08)))
        made.wanted.append(list(range(first, len(made.documents))))
    return made


def asked(articles: list[Article], rng: np.random.Generator, maker: Maker) -> Made:
    """Questions and keywords to the passage that they were made of; the passages of an article share its title."""
    made = Made()
    for a in articles:
        title = a.title if rng.random() < 0.7 else ""
        for run in passages(a.text, rng, 4):
            here = len(made.documents)
            sentence = run[int(rng.integers(len(run)))]
            query = maker.question(sentence) if rng.random() < 0.75 else maker.keywords(run)
            gone = len(run) > 3 and rng.random() < 0.15
            made.documents.append((title, " ".join(s for s in run if not gone or s != sentence)))
            if query is not None and rng.random() < 0.6:
                made.queries.append(query)
                made.wanted.append([here])
    return made


def topics(articles: list[Article], rng: np.random.Generator, maker: Maker) -> Made:
    """A sentence of an article to the passages of the article that it does not stand in."""
    made = Made()
    for a in articles:
        runs = passages(a.text, rng, 5)
        if len(runs) < 3:
            continue
        out = int(rng.integers(len(runs)))
        sentence = max(runs[out], key=lambda s: min(len(s), 200))
        first = len(made.documents)
        made.documents += [
            ("" if rng.random() < 0.6 else a.title, " ".join(run)) for i, run in enumerate(runs) if i != out
        ]
        made.queries.append(" ".join(maker.reworded(sentence.split()[:40], 0.1, 0.1)))
        made.wanted.append(list(range(first, len(made.documents))))
    return made


KINDS = {"titles": titles, "summaries": summaries, "asked": asked, "topics": topics}
