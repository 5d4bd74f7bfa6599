"""Reference encodings of texts of our own: what tokenizer and model gave in training, for the tests of other runtimes."""

import json

import numpy as np

from .corpus import ROOT
from .evaluate import Table

ODD = (
    "الحُكُومَةُ الأُرْدُنِّيَّةُ",
    "الحـــكومه الٱردنيه",
    "٢٠١٨/٠٣/١٥ و۱۲۳۴۵۶",
    "قمة الـG20 في أنقرة: 1,234.56 دولار!",
    "پژوهشگران کتاب‌ها می‌خوانند",
    "\u200fالنص\u200f \u202bمن اليمين\u202c \u2067هنا\u2069",
    "ﷲ ﻻ ﻷ ﺍﻟﺴﻼﻡ",
    "naïve café déjà vu, Zürich — Ångström’s",
    "ﬁne ﬂow Ⅷ ½ x² ㎏ ①",
    "don't U.S.-led e-mail co-operation isn’t",
    "COVID-19 و5G وB2B",
    "ΑΣ Σίσυφος İstanbul ılık straße",
    "emoji 😀 بين 👨‍👩‍👧 الكلمات",
    "tab\tnew\nline\u00a0nbsp\u3000wide\u2003em",
    "control\u0000char\u0007acters\u001b",
    "supercalifragilisticexpialidocious",
    "وسيستخدمونها فبالمستشفيات كالمعتاد",
    "漢字かな 한국어 русский",
    "a",
    "ا",
    "7",
    "",
    "   ",
    "...؟!",
)


def texts() -> list[str]:
    pairs = json.loads((ROOT / "eval" / "embed" / "pairs.json").read_text(encoding="utf8"))
    return [text for rows in pairs.values() for pair in rows for text in pair] + list(ODD)


def reference(table: Table) -> str:
    """For each text its ids (the unknown token left out) and its cosine to the first text, one object a line."""
    found = texts()
    vectors = table.embed(found)
    rows = []
    for text, vector in zip(found, vectors, strict=True):
        ids = [i for i in table.tokenizer.encode(text, add_special_tokens=False).ids if i != 0]
        row = {"text": text, "ids": ids, "cosine": round(float(np.dot(vector, vectors[0])), 5)}
        rows.append(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
    return "[\n" + ",\n".join(rows) + "\n]\n"
