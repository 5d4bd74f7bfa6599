import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { DialectSentence } from "@isnad/lib/contract";
import { createDialectCorpus, type DialectCorpus } from "./corpus.ts";

const FOLDER = new URL("../../lexicon/dialect/", import.meta.url);

/** The sentences in Levantine dialect that ship. Throws when a file is missing or a line has another form. */
export function openDialectCorpus(): DialectCorpus {
  const files = readdirSync(fileURLToPath(FOLDER)).filter((name) => name.endsWith(".jsonl"));
  const sentences = files.sort().flatMap((name) =>
    readFileSync(fileURLToPath(new URL(name, FOLDER)), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => DialectSentence.parse(JSON.parse(line))),
  );
  return createDialectCorpus(sentences, "isnad-levantine");
}
