import { createHash } from "node:crypto";
import type { OpenSearchServer } from "../../service/config/mod.ts";
import { ARTICLE_FILTER_FIELDS } from "../../contract/filters.ts";
import { filterProperties, indexSettings } from "./mapping.ts";

/** Changes whenever an index made before could not be read, or would be searched wrongly. */
export const VECTOR_VERSION = `2/${[...ARTICLE_FILTER_FIELDS.keys()].join()}`;

/**
 * What is noted in the mapping of an index of vectors; `id` is of this index alone, whatever had its name before.
 * It is `complete` once it has held everything that the log had.
 */
export type VectorMeta = { id: string; version: string; model: string; dims: number; complete: boolean };

/** The alias of the index of a model's vectors. */
export function vectorAlias(prefix: string, modelId: string): string {
  const plain = modelId.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `${prefix}-vectors-${plain}-${createHash("sha256").update(modelId).digest("hex").slice(0, 8)}`;
}

/**
 * The body of an index of articles with the vectors of their chunks, searched by cosine in a graph (HNSW) of Lucene:
 * the engine whose filters work inside the search, and that needs nothing installed beside the plugin.
 */
export function vectorIndexBody(server: OpenSearchServer, meta: VectorMeta): object {
  const method = {
    ...{ name: "hnsw", engine: "lucene", space_type: "cosinesimil" },
    parameters: { m: 16, ef_construction: 128 },
  };
  return {
    settings: { index: { ...indexSettings(server), knn: true } },
    mappings: {
      dynamic: "strict",
      _meta: meta,
      properties: {
        ...filterProperties(),
        chunks: {
          type: "nested",
          properties: {
            ...{ no: { type: "integer" }, start: { type: "integer" }, end: { type: "integer" } },
            vector: { type: "knn_vector", dimension: meta.dims, method },
          },
        },
      },
    },
  };
}
