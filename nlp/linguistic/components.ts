import { VERSION } from "@isnad/lib/service/config";
import type { Component } from "@isnad/lib/service/http";
import type { ModelCard, Registry } from "@isnad/lib/models";
import { importedHead, importedPath } from "../../lib/arabic/dialect/corpus.ts";
import { DIALECT_MODEL } from "../../lib/arabic/dialect/identify.ts";
import { SHIPPED } from "../../lib/arabic/dialect/answer.ts";
import { MODEL } from "../../lib/arabic/morphology/model.ts";
import { RE_MODEL } from "../../lib/arabic/relations/answer.ts";
import { SENSES_EMBEDDER, SENSES_MODEL } from "../../lib/arabic/senses/sense-vectors.ts";

/**
 * Returns the models and lexicons that answers come from, for health; a model whose card cannot be read is left out. An
 * imported corpus of dialect stands in place of the one that ships.
 */
export function components(registry: Pick<Registry, "list">, dataDir: string): Record<string, Component> {
  const imported = importedHead(importedPath(dataDir));
  const cards = registry.list().flatMap(({ card }) => (card !== undefined && isOurs(card) ? [card] : []));
  const models = cards.map(({ name, revision, licence }) => {
    return [name, { kind: "model" as const, version: revision, licence }] as const;
  });
  return {
    ...Object.fromEntries(models),
    "camel-morph-msa": { kind: "lexicon", version: "lrec-coling2024", licence: "CC BY 4.0" },
    "unicode-cldr": { kind: "lexicon", version: "2024", licence: "Unicode License v3" },
    "isnad-senses": { kind: "lexicon", version: VERSION, licence: "Apache-2.0" },
    ...(imported === undefined
      ? { [SHIPPED]: { kind: "lexicon" as const, version: VERSION, licence: "Apache-2.0" } }
      : { [imported.corpus]: { kind: "lexicon", version: imported.sha256.slice(0, 12), licence: imported.licence } }),
  };
}

/** The models that this service reads: of words, relations, senses and dialects, and the tagger with its pieces. */
const isOurs = ({ name, task }: ModelCard): boolean =>
  [MODEL, RE_MODEL, DIALECT_MODEL, SENSES_MODEL, SENSES_EMBEDDER].includes(name) || task === "tag" || task === "pieces";
