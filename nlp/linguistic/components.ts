import { VERSION } from "@isnad/lib/config";
import type { Component } from "@isnad/lib/http";
import type { Registry } from "@isnad/lib/inference";
import { MODEL } from "./morph/open.ts";

/** The models and lexicons that answers come from, for health; a model whose card cannot be read is left out. */
export function components(registry: Pick<Registry, "list">): Record<string, Component> {
  const card = registry.list().find(({ name }) => name === MODEL)?.card;
  return {
    ...(card !== undefined && {
      [card.name]: { kind: "model" as const, version: card.revision, licence: card.licence },
    }),
    "camel-morph-msa": { kind: "lexicon", version: "lrec-coling2024", licence: "CC BY 4.0" },
    "isnad-senses": { kind: "lexicon", version: VERSION, licence: "Apache-2.0" },
    "isnad-levantine": { kind: "lexicon", version: VERSION, licence: "Apache-2.0" },
  };
}
