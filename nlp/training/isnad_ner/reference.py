"""Examples of our own with what tokens, features and chains gave in training, for the tests of other runtimes."""

import json

from .attributes import facts, feature_hash, sentence_features
from .features import shapes
from .stack import UPPER, Stack
from .tokens import tokens

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


def reference(stack: Stack) -> str:
    rows = []
    for text in TEXTS:
        words = tokens(text)
        rows.append({
            "text": text,
            "tokens": words,
            "facts": [list(facts(w)) for w in words],
            "shapes": shapes(words),
            "features": [sorted(feature_hash(f) for f in row) for row in sentence_features(words)],
            "tags": {name: stack.chains[name].tag(stack.features(name, words)) for name in UPPER},
        })
    return json.dumps(rows, ensure_ascii=False, indent=0) + "\n"
