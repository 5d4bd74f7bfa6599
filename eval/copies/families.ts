import { createHash } from "node:crypto";
import { cleanText, fold, sentences } from "@isnad/lib/text";
import { readJsonLines } from "../retrieval-sets.ts";
import { closingsOf, EDITS, randomFrom, shuffled } from "./edits.ts";
import { seriesOf } from "./series.ts";

/** An article of the store that is measured; `family` is that of the text it was made of. */
export type StoredCopy = {
  articleId: number;
  id: string;
  family: string;
  /** The edit that made it of the first; undefined for the first itself and for real articles. */
  edit: string | undefined;
  sourceId: string;
  title: string;
  content: string;
  /** The text of the real article that it was made of; undefined for series. */
  real: string | undefined;
  /** The text that an edit wrote in from; undefined for others. */
  foreign?: string;
  publishedAt: string;
};

/** Returns the title of a copy: the same, a shorter one, or that of another article. */
const titleOf = (title: string, i: number, other: string): string =>
  i === 0 ? title : i === 1 ? title.split(" ").slice(0, 4).join(" ") : other;

/** Names a half of the articles: one to choose by, the other to measure. */
export type Half = "dev" | "held-out";

const hashOf = (text: string): number =>
  Number.parseInt(createHash("sha256").update(text).digest("hex").slice(0, 8), 16);

/** Texts to copy have so many words: a brief of fewer would be none. */
const MIN_WORDS = 35;

const COPIES = 4;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2024, 0, 1);

/** Real articles that stand beside the copies, for each that is copied. */
const BESIDE = 14;

/** Unrelated articles that end alike, in a group. */
const ENDING_GROUP = 6;

type Row = { id: string; source: string; title: string; content: string };

/**
 * Makes families out of the real articles of a half of a file: an article, and copies of it by edits that are known,
 * each by another paper and later. Beside them stand real articles, among them series of one form, groups of unrelated
 * articles with one ending, and series that a script makes (rates, weather, matches, horoscopes).
 */
export function makeFamilies(path: string, half: Half, count: number): StoredCopy[] {
  const rows = new Map<string, Row>();
  for (const row of readJsonLines(path.replace(/\.gz$/, ""))) {
    const [title, content] = [cleanText(String(row.title ?? "")), cleanText(String(row.text ?? ""))];
    if (content !== "" && title !== "" && hashOf(`half ${row.id}`) % 2 === (half === "dev" ? 0 : 1))
      rows.set(`${fold(title)}\n${fold(content).slice(0, 400)}`, {
        id: String(row.id),
        source: String(row.source),
        title,
        content,
      });
  }
  const all = [...rows.values()].sort((a, b) => hashOf(a.id) - hashOf(b.id));
  const long = all.filter(({ content }) => content.split(/\s+/).length >= MIN_WORDS && sentences(content).length >= 3);
  const copied = long.slice(0, count);
  const isCopied = new Set(copied);
  const others = all.filter((row) => !isCopied.has(row));
  const beside = others.slice(0, count * BESIDE);
  // What edits write in comes from articles that are not stored: it must join nothing.
  const spare = others.slice(count * BESIDE).filter(({ content }) => content.length > 400);
  // Each but once: two copies with the same foreign sentences would share them.
  const foreign = (): Row => spare.pop() ?? pick(others);
  const random = randomFrom(hashOf(`${path.split("/").at(-1)} ${half}`));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const stored: Omit<StoredCopy, "articleId">[] = [];
  const time = (at: number) => new Date(START_MS + at).toISOString();
  copied.forEach((row, n) => {
    const at = n * 3_600_000;
    const { id, source, title, content } = row;
    stored.push({
      id,
      family: id,
      edit: undefined,
      sourceId: source,
      title,
      content,
      real: content,
      publishedAt: time(at),
    });
    const edits = shuffled(Object.keys(EDITS), random);
    edits.slice(0, COPIES).forEach((edit, i) => {
      const other = foreign().content;
      const made = EDITS[edit]?.(content, { random, foreign: other }) ?? "";
      stored.push({
        id: `${id} ${edit}`,
        family: id,
        edit,
        sourceId: `paper-${Math.floor(random() * 40)}`,
        title: titleOf(title, i, random() < 0.5 ? pick(others).title : title),
        content: made,
        real: content,
        foreign: other,
        publishedAt: time(at + (i + 1) * 1_200_000 + random() * DAY_MS),
      });
    });
  });
  beside.forEach(({ id, source, title, content }, n) => {
    const group = Math.floor(n / ENDING_GROUP);
    const ending = group % 8 === 0 ? ` ${closingsOf(content)[group % 2]}` : "";
    stored.push({
      id,
      family: id,
      edit: undefined,
      sourceId: ending === "" ? source : `paper-${group % 40}`,
      title,
      content: content + ending,
      real: content,
      publishedAt: time(n * 300_000),
    });
  });
  const lang = /\p{Script=Arabic}/u.test(all[0]?.content ?? "") ? "ar" : "en";
  for (const each of seriesOf(lang, random))
    stored.push({ ...each, real: undefined, publishedAt: time(random() * 30 * DAY_MS) });
  return shuffled(stored, random).map((each, i) => ({ articleId: i + 1, ...each }));
}
