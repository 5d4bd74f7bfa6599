/** Sentences of exactly `words` words, as long ones as the news has: those of an article, one after the other. */
export function sentencesOf(article: string, words: number): string[] {
  const body = article.slice(article.indexOf("\n\n") + 2);
  const all = body
    .replace(/[.؟?!…]+(?=[»”"')\]]*(?:\s|$))/g, "،")
    .split(/\s+/)
    .filter(Boolean);
  return Array.from({ length: Math.floor(all.length / words) }, (_, i) =>
    all
      .slice(i * words, (i + 1) * words)
      .join(" ")
      .replace(/،?$/, "."),
  );
}
