import { createHash } from "node:crypto";
import process from "node:process";
import { analyse } from "./query.ts";
import { chunkText } from "./chunks.ts";
import { cleanText, contentHash, fold } from "./clean.ts";
import { codePointLength, codePointSlice } from "./characters.ts";
import { highlight } from "./highlight.ts";
import { detectLanguage } from "./language.ts";
import { sentences } from "./sentences.ts";
import { pieces, randomTexts } from "./testing.ts";
import { canonicalUrl } from "./url.ts";

/** Returns one hash of all that the text functions give for a fixed set of texts: equal wherever they run. */
export function goldenHash(): string {
  return createHash("sha256").update(JSON.stringify(golden())).digest("hex");
}

function golden(): unknown[] {
  const texts = [
    "<p>قالت وزارة الصحة في مَرَّاكُش، الثلاثاء: إن 3 < 5.</p> <b>W</b>ord &amp; ﻻ ـ ٢٠١٨ \u{1F600}\ud800",
    "The U.S. said on Tuesday that 1,000 people don't agree. Mr. Smith left! Café “closed”.",
    ...randomTexts(200, pieces.scripts),
    ...randomTexts(200, pieces.markup),
  ];
  const results = texts.map((text) => {
    const clean = cleanText(text);
    return {
      clean,
      fold: fold(text),
      hash: contentHash("عنوان", text),
      length: codePointLength(clean),
      slice: codePointSlice(clean, 3, 9),
      language: detectLanguage(clean),
      sentences: sentences(clean),
      chunks: chunkText("t", clean, { maxWords: 5 }),
      tokens: analyse(clean),
      highlight: highlight(clean, "مراكش المدارس word"),
    };
  });
  return [...results, canonicalUrl("HTTPS://موقع.Example:443/خبر/?utm_source=x&b=%d8&a=1#f")];
}

// Run as a program by the check that compares Bun and Deno.
if (import.meta.main) process.stdout.write(`${goldenHash()}\n`);
