/**
 * A lemma in the form in which lemmas are compared with their vowels: without sukun, the vowel of a long vowel's own
 * letter, of an initial alef and at the end, which sources write or leave out (كِتاب and كِتَاب are one).
 */
export function vowelForm(lemma: string): string {
  return lemma
    .normalize("NFC")
    .replace(/[\u0652\u0670`]/g, "")
    .replaceAll("ٱ", "ا")
    .replace(/^ا[\u064e-\u0650]/u, "ا")
    .replace(/\u064e(?=[اىة])/gu, "")
    .replace(/\u0650(?=ي(?![\u064b-\u0651]))|\u064f(?=و(?![\u064b-\u0651]))/gu, "")
    .replace(/ا\u064b$|\u064b(\u0651?)ا?$/u, "$1")
    .replace(/[\u064c-\u0650](?=\u0651?$)/u, "");
}
