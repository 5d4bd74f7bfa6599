import { statSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { DialectSentence } from "../../contract/lexicon.ts";
import { at } from "../../std/mod.ts";
import { attempt } from "../attempt.ts";
import { hashOf } from "../hash.ts";
import { readEntries } from "../lexicon-files.ts";
import { createDialectCorpus, type DialectCorpus } from "./corpus.ts";
import { importedPath, readImported } from "./imported.ts";
import type { CorpusSentence } from "./sentence.ts";

const FOLDER = new URL("../../../nlp/lexicon/dialect/", import.meta.url);

/** The corpus that ships, as health and answers call it. */
export const SHIPPED = "isnad-levantine";

/** The sentences in Levantine dialect that ship. Throws when a file is missing or a line has another form. */
export function openShippedCorpus(): DialectCorpus {
  const sentences = readEntries(fileURLToPath(FOLDER), DialectSentence).map(toCorpusSentence);
  return createDialectCorpus({ size: sentences.length, at: (place) => at(sentences, place) }, SHIPPED);
}

/**
 * The corpus to answer from, opened anew when another one has been imported: the imported one, else the one that ships.
 * The function throws when the one that is to answer is missing or damaged.
 */
export function openDialectCorpus(dataDir: string | undefined): () => DialectCorpus {
  const path = dataDir === undefined ? undefined : importedPath(dataDir);
  let version: string | undefined;
  let opened: () => DialectCorpus = openShippedCorpus;
  return () => {
    const current = versionOf(path);
    if (current !== version) opened = attempt(() => open(path));
    version = current;
    return opened();
  };
}

function open(path: string | undefined): DialectCorpus {
  const imported = path === undefined ? undefined : readImported(path);
  return imported === undefined ? openShippedCorpus() : createDialectCorpus(imported.sentences, imported.head.corpus);
}

/** Which file stands at the path; another one after each import. */
function versionOf(path: string | undefined): string {
  const facts = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return facts === undefined ? "" : `${facts.ino} ${facts.mtimeMs} ${facts.size}`;
}

/** A sentence of the lexicon as one of a corpus. */
export function toCorpusSentence({ id, text, region, tokens }: DialectSentence): CorpusSentence {
  return {
    sentence_id: sentenceId(id),
    text,
    dialect: region,
    tokens: tokens.map(({ segments, msa_lemma, dialect_lemma, token, coda, pos, gloss }) => ({
      ...{ token, coda, segmentation: segments, lemma_msa: msa_lemma, lemma_dialect: dialect_lemma, pos, gloss },
    })),
  };
}

/** A number for the id of a sentence: of 31 bits, made of the id alone. */
function sentenceId(id: string): number {
  return hashOf(id) >>> 1;
}
