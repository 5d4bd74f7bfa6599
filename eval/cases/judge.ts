import type { ExtractedPage } from "../../lib/extraction/mod.ts";
import type { Expectation } from "./cases.ts";

/** An expectation that a page does not meet. */
export interface Miss {
  readonly key: keyof Expectation;
  readonly expected: unknown;
  readonly actual: unknown;
}

type Judged = Pick<ExtractedPage, "title" | "content" | "authors" | "image" | "publishedLocal">;

const PLACEHOLDER = /^data:|placeholder|spacer|blank|pixel|1x1|loading\.\w+$/i;

/** Returns what a page's reading lacks of what is expected of it; empty when the case holds. */
export function judgePage(page: Judged, expected: Expectation): Miss[] {
  const content = folded(page.content);
  const date = page.publishedLocal;
  const count = (text: string) => content.split(folded(text)).length - 1;
  const missing = (expected.content_has ?? []).filter((text) => count(text) === 0);
  const present = (expected.content_not ?? []).filter((text) => count(text) > 0);
  const notOnce = (expected.content_once ?? []).filter((text) => count(text) !== 1);
  const titled = (expected.title_not ?? []).filter((text) => folded(page.title).includes(folded(text)));
  const sorted = (names: readonly string[]) => JSON.stringify([...names].sort());
  const verdicts: [key: keyof Expectation, holds: boolean, actual: unknown][] = [
    ["date", expected.date === undefined || date?.startsWith(expected.date) === true, date],
    ["date_not", expected.date_not === undefined || date?.startsWith(expected.date_not) !== true, date],
    ["authors", expected.authors === undefined || sorted(page.authors) === sorted(expected.authors), page.authors],
    ["authors_has", expected.authors_has === undefined || page.authors.includes(expected.authors_has), page.authors],
    ["content_has", missing.length === 0, missing],
    ["content_not", present.length === 0, present],
    ["content_once", notOnce.length === 0, notOnce],
    ["title_not", titled.length === 0, page.title],
    ["image", expected.image === undefined || expected.image === isPicture(page.image), page.image],
  ];
  return verdicts.flatMap(([key, holds, actual]) => (holds ? [] : [{ key, expected: expected[key], actual }]));
}

function isPicture(address: string | null): boolean {
  return address !== null && !PLACEHOLDER.test(address);
}

function folded(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
