import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "@isnad/lib/service/http";
import { isObject, parseJsonObject } from "@isnad/lib/std";
import { codePointSlicer, fold } from "@isnad/lib/text";

/** A question of `questions.jsonl`, as its README says. */
const Question = z.object({
  id: z.string(),
  part: z.enum(["dev", "test"]),
  topic: z.string(),
  lang: z.enum(["ar", "en"]),
  kind: z.enum(["plain", "follow-up", "other language"]),
  ask: z.array(z.string()).min(1).max(2),
  article: z.string().optional(),
  sha256: z.string().optional(),
  gold: z.array(z.tuple([z.int(), z.int()])).optional(),
  about: z.string().optional(),
});
export type NewsQuestion = z.output<typeof Question>;

/** An article of the archive that questions are asked of. */
export type NewsArticle = { id: string; title: string; text: string };

/** Articles of the archive beside those that are asked about: every so many of both files. */
const EVERY = 10;

/** Reads the questions, of one part or all. */
export function readNewsQuestions(part?: "dev" | "test"): NewsQuestion[] {
  const lines = readFileSync(new URL("./questions.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const all = lines.map((line) => Question.parse(JSON.parse(line)));
  return part === undefined ? all : all.filter((question) => question.part === part);
}

/**
 * Reads the archive: the articles that the questions name, and of the others every tenth. Throws an Error for an
 * article that is missing, or is not the one that the question was written for.
 */
export function readNewsArchive(folder: string, questions: readonly NewsQuestion[]): NewsArticle[] {
  const named = new Map(questions.map(({ article, sha256 }) => [article, sha256]));
  for (const { about } of questions) if (about !== undefined && !named.has(about)) named.set(about, undefined);
  const articles: NewsArticle[] = [];
  for (const file of ["english.jsonl.gz", "ant_v2_ar.jsonl.gz"]) {
    const lines = gunzipSync(readFileSync(join(folder, file)))
      .toString("utf8")
      .split("\n");
    for (const [place, line] of lines.entries()) {
      const row = parseJsonObject(line);
      if (!isObject(row) || typeof row.id !== "string" || typeof row.text !== "string") continue;
      const { id, text, title } = row;
      if (place % EVERY !== 0 && !named.has(id)) continue;
      const expected = named.get(id);
      if (expected !== undefined && createHash("sha256").update(text).digest("hex") !== expected) {
        throw new Error(`${file}: ${id} is not the article that questions were written for`);
      }
      named.delete(id);
      articles.push({ id, title: typeof title === "string" ? title : "", text });
    }
  }
  const missing = [...named.keys()].filter((id) => id !== undefined);
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join(", ")}`);
  return articles;
}

/** Tells whether a text has, as whole words, what answers a question in its article. */
export function holdsGold(text: string, { gold = [] }: NewsQuestion, article: string): boolean {
  const slice = codePointSlicer(article);
  const said = ` ${plain(text)} `;
  return gold.some(([start, end]) => said.includes(` ${plain(slice(start, end))} `));
}

/** Returns the words of a text in folded form, with what belongs to numbers. */
function plain(text: string): string {
  return (
    fold(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}$%£€.,:-]+/gu)
      ?.map((word) => word.replace(/^[.,:-]+|[.,:-]+$/g, ""))
      .filter((word) => word !== "")
      .join(" ") ?? ""
  );
}
