import type { EnqueuedTaskPromise, Meilisearch } from "meilisearch";
import { z } from "zod";
import type { MeiliServer } from "../../service/config/mod.ts";
import { mapInSlices } from "../../std/mod.ts";
import { ANALYSER_VERSION } from "../../text/mod.ts";
import { LOG_START, type LogPosition } from "../../store/mod.ts";
import {
  type KeywordDoc,
  type KeywordIndex,
  KeywordIndexError,
  type KeywordStatus,
  supportsBySearch,
} from "../keyword/types.ts";
import { asKeywordError, EngineError } from "../engines/error.ts";
import { ARTICLE_FIELDS, comparable, timeOf } from "../filters.ts";
import { asEngineError, faultOf } from "./client.ts";
import { encodeTerm, type MeiliDocument, MOST_HITS } from "./document.ts";
import { MeiliKeywordSearch } from "./search.ts";
import { surveyServer } from "./survey.ts";
import { analysedText } from "../keyword/candidates.ts";
import { authorKey } from "../keyword/condition.ts";
import { isInArabic } from "../keyword/invert.ts";
import { domainsOf, HOST_FIELDS, suffixField } from "../opensearch/mapping.ts";

/**
 * The settings of an index: our terms are searched as they are. No typos, no prefixes, no nearness of words: what ranks
 * is ours.
 */
const SETTINGS = {
  searchableAttributes: ["title", "content", "sounds"],
  displayedAttributes: ["id", "ft", "fc", "length", "time"],
  filterableAttributes: [
    "id",
    "arabic",
    "time",
    "authors",
    "named",
    ...ARTICLE_FIELDS,
    ...[...HOST_FIELDS].map(suffixField),
  ],
  sortableAttributes: ["id", "time"],
  rankingRules: ["words", "attribute", "exactness"],
  stopWords: [],
  typoTolerance: { enabled: false },
  prefixSearch: "disabled" as const,
  proximityPrecision: "byAttribute" as const,
  pagination: { maxTotalHits: MOST_HITS },
  faceting: { maxValuesPerFacet: 1_000, sortFacetValuesBy: { "*": "count" as const } },
};

/** Words of a name at most: a name has some runs of each. */
const MAX_NAME_WORDS = 8;

/** Returns every run of the words of a name, as names are compared: the server compares whole values only. */
function namesWithin(name: string): string[] {
  const words = authorKey(name).trim().split(" ").slice(0, MAX_NAME_WORDS);
  return words.flatMap((_, from) =>
    words.slice(from).map((_word, more) => words.slice(from, from + more + 1).join(" ")),
  );
}

/** The document of an article. */
function meiliDocument(doc: KeywordDoc): MeiliDocument {
  const title = analysedText(doc.title);
  const content = analysedText(doc.content);
  const encoded = ({ stems, roots }: { stems: string; roots: string }): string =>
    `${stems} ${roots}`.split(" ").filter(Boolean).map(encodeTerm).join(" ");
  const document: MeiliDocument = {
    ...{ id: doc.articleId, title: encoded(title), content: encoded(content) },
    sounds: `${title.sounds} ${content.sounds}`,
    arabic: isInArabic([...title.rooted, ...content.rooted]),
    ...{ ft: title.forms, fc: content.forms, length: title.terms + content.terms },
    ...{ time: timeOf(doc), authors: doc.authors ?? [], named: (doc.authors ?? []).flatMap(namesWithin) },
  };
  for (const field of ARTICLE_FIELDS) {
    const value = comparable(doc, field);
    document[field] = value;
    if (HOST_FIELDS.has(field)) document[suffixField(field)] = value === null ? [] : domainsOf(String(value));
  }
  return document;
}

/** Changes whenever an index made before could not be read, or would be searched wrongly. */
const VERSION = `5/${ANALYSER_VERSION}/${ARTICLE_FIELDS.join()}`;
/** Longest time of a task, in milliseconds: it waits for those before it. */
const TASK = { timeout: 600_000, interval: 20 };
/** How long it is taken for granted that the index is the one it was, in milliseconds. */
const KNOWN_MS = 5_000;
/** The only document of the index that says what the other one is. */
const META_ID = "articles";

const Position = z.object({ seq: z.number(), mark: z.string() });
/** `position`: up to where in the log the index goes. */
const Meta = z.object({ version: z.string(), position: Position.optional() });
const Ids = z.array(z.object({ id: z.number() }));

/** What an index in a Meilisearch server needs of the platform. */
type MeiliKeywordOptions = {
  client: Meilisearch;
  server: MeiliServer;
  tiers(): Promise<ReadonlyMap<string, number>>;
};

/** Opens the index of articles by word in a Meilisearch server; its follower makes it. */
export function openMeiliKeyword({ client, server, tiers }: MeiliKeywordOptions): KeywordIndex {
  const name = `${server.prefix}-articles`;
  const beside = `${name}-next`;
  const searcher = new MeiliKeywordSearch({ client, index: name, tiers });
  let checkedAt = Number.NEGATIVE_INFINITY;
  /** Up to where the index goes that is filled beside the one that serves, while there is one. */
  let filling: LogPosition | undefined;
  const written = () => client.index<MeiliDocument>(filling === undefined ? name : beside);

  async function assertUsable(): Promise<void> {
    if (performance.now() - checkedAt < KNOWN_MS) return;
    const meta = await metaOf(client, server);
    if (meta === undefined) throw new KeywordIndexError("missing", `keyword index: there is no ${name}`);
    if (meta.version !== VERSION)
      throw new KeywordIndexError("other-version", `keyword index: ${name} is of another version`);
    checkedAt = performance.now();
  }

  /** Reads where the index can be used. */
  async function read<T>(work: () => Promise<T>): Promise<T> {
    return await attempt(async () => {
      await assertUsable();
      return await work();
    });
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      checkedAt = Number.NEGATIVE_INFINITY;
      throw asKeywordError(error instanceof KeywordIndexError ? error : asEngineError(error));
    }
  }

  /** Writes documents; where one is refused the server takes none, so halves are tried until that one is alone. */
  async function add(documents: MeiliDocument[], refused: EngineError[]): Promise<void> {
    if (documents.length === 0) return;
    try {
      await done(written().addDocuments(documents, { primaryKey: "id" }));
    } catch (error) {
      const fault = asEngineError(error);
      if (fault.reason !== "rejected") throw fault;
      const [only] = documents;
      if (documents.length === 1 && only !== undefined) {
        refused.push(
          new EngineError("rejected", `meilisearch: article ${only.id}: ${fault.message}`, { cause: fault }),
        );
        return;
      }
      const middle = Math.ceil(documents.length / 2);
      await add(documents.slice(0, middle), refused);
      await add(documents.slice(middle), refused);
    }
  }

  const count = async (): Promise<number> => (await client.index(name).getStats()).numberOfDocuments;

  async function status(): Promise<KeywordStatus> {
    try {
      return await read(async () => ({ state: "ready" as const, documents: await count(), complete: true }));
    } catch (error) {
      return { state: asKeywordError(error).reason, documents: 0, complete: false };
    }
  }

  /** Lets what was filled beside serve. */
  async function swap(position: LogPosition): Promise<void> {
    if (!(await exists(client, name))) await makeIndex(client, name);
    await done(client.swapIndexes([{ indexes: [name, beside], rename: false }]));
    await putMeta(client, server, { version: VERSION, position });
    filling = undefined;
    await done(client.deleteIndex(beside));
    searcher.changed();
    checkedAt = Number.NEGATIVE_INFINITY;
  }

  const search: KeywordIndex["search"] = (query) =>
    read(async () => ({ hits: await searcher.search(query), corrections: [] }));

  return {
    upsert: (docs) =>
      attempt(async () => {
        const refused: EngineError[] = [];
        await add([...(await mapInSlices(docs, meiliDocument))], refused);
        const [first] = refused;
        if (first !== undefined) throw first;
      }),
    remove: (articleIds) =>
      attempt(async () => {
        if (articleIds.length > 0) await done(written().deleteDocuments([...articleIds]));
      }),
    ids: (afterId, limit) =>
      attempt(async () => {
        const { results } = await written().getDocuments({
          ...{ filter: `id > ${afterId}`, sort: ["id:asc"], limit, fields: ["id"] },
        });
        return Ids.parse(results).map(({ id }) => id);
      }),
    position: () =>
      attempt(async () => {
        if (filling !== undefined) return filling;
        const meta = await metaOf(client, server);
        return meta?.version === VERSION ? meta.position : undefined;
      }),
    advance: (to) =>
      attempt(async () => {
        if (filling !== undefined) filling = to;
        else await putMeta(client, server, { version: VERSION, position: to });
      }),
    reset: () =>
      attempt(async () => {
        filling = undefined;
        if (await exists(client, beside)) await done(client.deleteIndex(beside));
        await makeIndex(client, beside);
        filling = LOG_START;
      }),
    complete: () =>
      attempt(async () => {
        if (filling !== undefined) await swap(filling);
      }),
    // Tiers are read from the platform when a search asks for one.
    setTier: async () => {},
    save: async () => {},
    search,
    supports: supportsBySearch(search),
    allowed: (query, articleIds) => read(() => searcher.allowed(query, articleIds)),
    survey: (query) => read(() => surveyServer({ client, index: name, searcher }, query)),
    reading: ({ text }) => read(async () => ({ text, translation: await searcher.translation(text) })),
    suggest: async () => ({ titles: [], words: [] }),
    count: () => attempt(count),
    status,
    threads: () => undefined,
    close: async () => {},
  };
}

/** Waits for a task; one that failed rejects with {@link EngineError}. */
async function done(task: EnqueuedTaskPromise): Promise<void> {
  const { status, error } = await task.waitTask(TASK);
  if (status === "succeeded") return;
  const code = error?.code ?? "";
  // Tasks fail without a status of HTTP: what is no fault of the server is one of the request.
  const fault = code === "internal" ? "away" : faultOf(400, code);
  throw new EngineError(fault, `meilisearch: ${error?.message ?? `a task was ${status}`}`);
}

async function makeIndex(client: Meilisearch, name: string): Promise<void> {
  if (!(await exists(client, name))) {
    await done(client.createIndex(name, { primaryKey: "id" })).catch((error: unknown) => {
      // Another process was first.
      if (!asEngineError(error).message.includes("already exists")) throw error;
    });
  }
  await done(client.index(name).updateSettings(SETTINGS));
}

async function exists(client: Meilisearch, name: string): Promise<boolean> {
  try {
    await client.getRawIndex(name);
    return true;
  } catch (error) {
    const fault = asEngineError(error);
    if (fault.reason === "missing") return false;
    throw fault;
  }
}

async function metaOf(client: Meilisearch, { prefix }: MeiliServer): Promise<z.output<typeof Meta> | undefined> {
  try {
    // The meta document outlives an index that somebody deletes.
    await client.getRawIndex(`${prefix}-articles`);
    return Meta.parse(await client.index(`${prefix}-meta`).getDocument(META_ID));
  } catch (error) {
    const fault = asEngineError(error);
    if (fault.reason === "missing" || fault.message.includes("not found")) return undefined;
    throw fault;
  }
}

async function putMeta(client: Meilisearch, { prefix }: MeiliServer, meta: z.output<typeof Meta>): Promise<void> {
  await done(client.index(`${prefix}-meta`).addDocuments([{ id: META_ID, ...meta }], { primaryKey: "id" }));
}
