/**
 * Prints what this folder makes of some texts, one JSON line each: `check:deno-text` compares the lines of Bun and of
 * Deno.
 */
import {
  analyse,
  canonicalUrl,
  chunkText,
  cleanText,
  contentHash,
  detectLanguage,
  highlight,
  sentences,
  simhash,
} from "./mod.ts";

const TEXTS = [
  "",
  "مَرَّاكُش والأحمد وبالمدارسِ عـــام ٢٠١٨ ﷺ ﻻ",
  "قال الوزير: «لا تعليق». ثم غادر! فهل يعود؟ نعم.",
  "The harbours weren't quiet in 2018, Dr. Smith said. Prices rose 3.5 %.",
  "<p>Tom &amp; Jerry<br>عرض &lt;جديد&gt; <script>alert(1)</script></p>",
  "mixed نص و text 😀 e\u0301 \u200fRTL\u200e \u0000 \ud800",
];

for (const text of TEXTS) {
  const clean = cleanText(text);
  const result = {
    clean,
    hash: contentHash("عنوان", clean),
    language: detectLanguage(clean),
    sentences: sentences(clean),
    chunks: chunkText("عنوان", clean.repeat(20), { maxWords: 20 }),
    terms: analyse(clean).map(({ start, end, terms }) => [start, end, terms]),
    marked: highlight(clean, "المدرسة harbour الوزير"),
    simhash: String(simhash(clean)),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
for (const url of ["HTTPS://Exämple.COM:443/a/?utm_source=x&b=2&a=1#f", "http://مثال.إختبار/خبر/"]) {
  process.stdout.write(`${canonicalUrl(url)}\n`);
}
