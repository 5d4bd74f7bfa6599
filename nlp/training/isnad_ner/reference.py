"""Examples of our own with what tokens, pieces, scores and tags were in training, for the tests of other runtimes."""

import json

from .chain import Chain
from .judge import Scorer
from .rows import windows
from .tokens import fold, tokens

TEXTS = (
    "Barack Obama met Angela Merkel in Berlin on Tuesday, the White House said.",
    "Apple's chief executive Tim Cook didn't visit the United Nations in New York.",
    "قال الرئيس الفرنسي إيمانويل ماكرون إن فرنسا وألمانيا تدعمان الاتحاد الأوروبي.",
    "التقى وزير الخارجية المصري سامح شكري نظيره السعودي في الرياض، بحسب وكالة رويترز.",
    "وَصَلَ مُحَمَّدٌ صَلاح إلى ليفربول قادماً من رومـــــا",
    "@isnad loving the new #SamsungGalaxy in LONDON!! http://example.org/x 😀",
    "U.S. and AT&T e-mail co-operation isn’t 1,234.5 o'clock",
    "قمة الـG20 في أنقرة: ٢٠١٨/٠٣/١٥ و15 دولة",
    "\u200fالنص\u200f \u202bمن اليمين\u202c في بيروت",
    "Zürich café Ångström İstanbul straße ﬁne ½ Ⅷ",
    "漢字かな 한국어 русский Москва",
    "a",
    "...؟!",
)


def reference(scorer: Scorer, chains: dict[str, Chain], outputs: dict[str, slice]) -> str:
    """Each text as a document of one sentence; `score`: all scores of its first word."""
    lines = []
    for text in TEXTS:
        words = tokens(text)
        found = list(windows([words]))
        scores = [row for window in scorer(found) for row in window]
        told = {
            "text": text,
            "tokens": words,
            "folded": [fold(word) for word in words],
            "ids": [window.ids for window in found],
            "firsts": [window.firsts for window in found],
            "score": [round(float(x), 4) for x in scores[0]],
            "tags": {name: chain.decode([row[outputs[name]] for row in scores]) for name, chain in chains.items()},
        }
        lines.append(json.dumps(told, ensure_ascii=False))
    return "[\n" + ",\n".join(lines) + "\n]\n"
