import { createHash } from "node:crypto";
import { ARTICLE_FILTER_FIELDS, FILTERS, isNumeric } from "../../contract/filter-table.ts";
import type { OpenSearchServer } from "../../service/config/mod.ts";
import { ANALYSER_VERSION } from "../../text/mod.ts";
import { ARTICLE_FIELDS, type ArticleFields, comparable } from "../filters.ts";
import { REFRESH_INTERVAL } from "./refresher.ts";

/** A query as the engine takes it. */
export type Clause = Record<string, unknown>;

/** Changes whenever an index made before could not be read, or would be searched wrongly. */
export const KEYWORD_VERSION = `4/${ANALYSER_VERSION}/${[...ARTICLE_FILTER_FIELDS.keys()].join()}`;

/** Fields that a filter asks for a host or the domains above it. */
export const HOST_FIELDS: ReadonlySet<string> = new Set(
  Object.values(FILTERS).flatMap(({ field, kind }) => (kind === "within" ? [field] : [])),
);

/** The field that holds a host and every domain above it. */
export const suffixField = (field: string): string => `${field}Suffixes`;

/** Returns what filters look at of an article, as fields of a mapping. */
function filterProperties(): Record<string, object> {
  const properties: Record<string, object> = { id: { type: "long" } };
  for (const [field, type] of ARTICLE_FILTER_FIELDS) {
    properties[field] = { type: isNumeric(type) ? "long" : "keyword" };
    if (HOST_FIELDS.has(field)) properties[suffixField(field)] = { type: "keyword" };
  }
  return properties;
}

/** Settings that all indexes share. */
export function indexSettings({ shards, replicas }: OpenSearchServer): Record<string, unknown> {
  return {
    number_of_shards: shards,
    number_of_replicas: replicas,
    // Writers refresh sooner.
    refresh_interval: REFRESH_INTERVAL,
    // How long a deletion's version is remembered: a write that was sent before it and arrives later is refused.
    gc_deletes: "1h",
    max_terms_count: 65_536,
  };
}

/** Terms as our analyser gives them, apart by blanks; only how often each occurs matters. */
const TERMS = { type: "text", analyzer: "terms", index_options: "freqs" };
/** The sounds of words; only whether a document has one matters. */
const SOUNDS = { type: "text", analyzer: "terms", index_options: "docs", norms: false };
/** The forms of words in order, for phrases. */
const FORMS = { type: "text", analyzer: "terms", norms: false };

/**
 * The body of an index of articles by word. `all` and `allr` are the stems and roots of title, three times, and
 * content, which is how both are searched by default; `tt`, `tc`, `rt`, `rc` those of each field, `ft` and `fc` the
 * words as written, `sounds` how these sound, `arabic` whether they are in that script, `entitled` those of the title
 * as one, `length` the number of stems and roots; `time` when it was published, else when it came, `authors` as they
 * are shown, `named` as they are compared.
 */
export function keywordIndexBody(server: OpenSearchServer, id: string) {
  return {
    settings: {
      index: indexSettings(server),
      analysis: { analyzer: { terms: { type: "custom", tokenizer: "whitespace" } } },
    },
    mappings: {
      dynamic: "strict",
      // What a search reads; a document is only ever written whole, from the database.
      _source: { includes: ["ft", "fc"] },
      _meta: { id, version: KEYWORD_VERSION, complete: false },
      properties: {
        ...filterProperties(),
        ...{ all: TERMS, allr: TERMS, tt: TERMS, tc: TERMS, rt: TERMS, rc: TERMS, ft: FORMS, fc: FORMS },
        sounds: SOUNDS,
        arabic: { type: "boolean" },
        entitled: { type: "keyword" },
        time: { type: "date", format: "epoch_millis" },
        authors: { type: "keyword" },
        named: FORMS,
        length: { type: "integer" },
      },
    },
  };
}

/** Changes whenever an index made before could not be read, or would be searched wrongly. */
export const VECTOR_VERSION = `2/${[...ARTICLE_FILTER_FIELDS.keys()].join()}`;

/**
 * Holds what is noted in the mapping of an index of vectors; `id` is of this index alone, whatever had its name before.
 * It is `complete` once it has held everything that the log had.
 */
type VectorMeta = { id: string; version: string; model: string; dims: number; complete: boolean };

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

/** Returns what filters look at of an article, as it is written. */
export function filterSource(articleId: number, article: ArticleFields): Record<string, unknown> {
  const source: Record<string, unknown> = { id: articleId };
  for (const field of ARTICLE_FIELDS) {
    const value = comparable(article, field);
    if (value === null) continue;
    source[field] = value;
    if (HOST_FIELDS.has(field)) source[suffixField(field)] = domainsOf(String(value));
  }
  return source;
}

/** A host and every domain above it. */
export function domainsOf(host: string): string[] {
  const labels = host.split(".");
  return labels.map((_, i) => labels.slice(i).join("."));
}

/** Returns what titles have in common that are the same words. */
export function entitledKey(forms: string): string {
  return createHash("sha256").update(forms).digest("base64url").slice(0, 22);
}
