import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "@isnad/lib/service/http";
import { readText } from "../embed/data.ts";

/** A question with the texts that answer it and the passage that they stand in, by its place among the passages. */
export type Question = { id: string; text: string; answers: string[]; passage: number };

/** Questions over one pool of passages. */
export type QuestionSet = { passages: { id: string; title: string; text: string }[]; questions: Question[] };

const Squad = z.object({
  data: z.array(
    z.object({
      title: z.string().default(""),
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(
            z.object({
              id: z.coerce.string(),
              question: z.string(),
              answers: z.array(z.object({ text: z.string() })),
            }),
          ),
        }),
      ),
    }),
  ),
});

/**
 * Reads questions in the format of SQuAD, which TyDi QA's gold passages and ARCD have: a file, or all `.json` and
 * `.json.gz` of a folder as one pool. A passage that occurs twice is one; a question without an answer is left out.
 * Throws an Error for a folder without such files.
 */
export function readQuestions(path: string): QuestionSet {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.json(\.gz)?$/.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path];
  if (files.length === 0) throw new Error(`${path}: no .json or .json.gz is there`);
  const places = new Map<string, number>();
  const set: QuestionSet = { passages: [], questions: [] };
  for (const file of files) {
    const { data } = Squad.parse(JSON.parse(readText(file.replace(/\.gz$/, ""))));
    for (const { title, paragraphs } of data) {
      for (const { context, qas } of paragraphs) {
        const passage = places.get(context) ?? set.passages.length;
        if (passage === set.passages.length) {
          places.set(context, passage);
          set.passages.push({ id: String(passage + 1), title: title.replaceAll("_", " "), text: context });
        }
        for (const { id, question, answers } of qas) {
          const texts = answers.map(({ text }) => text).filter((text) => text.trim() !== "");
          if (texts.length > 0) set.questions.push({ id, text: question.trim(), answers: texts, passage });
        }
      }
    }
  }
  return set;
}
