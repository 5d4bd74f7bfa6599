import { fileURLToPath, URL } from "node:url";
import { DialectSentence } from "@isnad/lib/contract";
import { readEntries } from "../lexicon-files.ts";
import { createDialectCorpus, type DialectCorpus } from "./corpus.ts";

const FOLDER = new URL("../../lexicon/dialect/", import.meta.url);

/** The sentences in Levantine dialect that ship. Throws when a file is missing or a line has another form. */
export function openDialectCorpus(): DialectCorpus {
  return createDialectCorpus(readEntries(fileURLToPath(FOLDER), DialectSentence), "isnad-levantine");
}
