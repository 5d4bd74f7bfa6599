/** Changes whenever a text is analysed otherwise than before, so that an index made before must be made anew. */
export const ANALYSER_VERSION = "0";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The terms of a document's fields, separated by spaces. */
export function analyseDocument(title: string, content: string): { title: string; content: string } {
  return { title: terms(title).join(" "), content: terms(content).join(" ") };
}

/** The terms that a query asks for, each once. */
export function analyseQuery(text: string): string[] {
  return [...new Set(terms(text))];
}

function terms(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[\u064b-\u065f\u0670\u0640]/g, "")
      .replace(/[\u0622\u0623\u0625]/g, "\u0627")
      .match(WORD) ?? []
  );
}
