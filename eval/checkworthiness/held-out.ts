import { readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { URL } from "node:url";
import { readJsonLines } from "../embed/data.ts";
import { readSet } from "./evaluate.ts";
import type { Sentence } from "./sentences.ts";

const DEBATES: unknown = JSON.parse(
  readFileSync(new URL("../../nlp/training/isnad_check/held-out-debates.json", import.meta.url), "utf8"),
);

/** The debates of a folder that the shipped model was not trained on, by file name. */
export function heldOutDebates(folder: string): Map<string, Sentence[]> {
  const names = new Set(Array.isArray(DEBATES) ? DEBATES : []);
  return new Map([...readSet(folder)].filter(([file]) => names.has(parse(file).name)));
}

/** Our own sentences in a language, of the topics of which the shipped model has seen none. */
export function heldOutClaims(folder: string, lang: "ar" | "en"): Sentence[] {
  const topics: Record<string, { held_out: boolean }> = JSON.parse(readFileSync(join(folder, "topics.json"), "utf8"));
  return Object.entries(topics)
    .filter(([, topic]) => topic.held_out)
    .flatMap(([topic]) => readJsonLines(join(folder, `${topic}.${lang}.jsonl`)))
    .map(({ id, text, label }) => ({ id: String(id), text: String(text), label: label === "claim" }));
}
