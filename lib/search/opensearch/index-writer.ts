import { randomUUID } from "node:crypto";
import { z } from "zod";
import { LOG_START, type LogPosition } from "../../store/mod.ts";
import { EngineError } from "../engines/error.ts";
import { bulk, type Change, type OpenSearch } from "./client.ts";
import {
  createBeside,
  type CurrentIndex,
  currentIndex,
  deleteIndex,
  Done,
  noteInMapping,
  refresh,
  swapTo,
} from "./indices.ts";
import { Refresher } from "./refresher.ts";

const Kept = z.object({
  _source: z.object({ seq: z.number(), mark: z.string(), term: z.number() }).optional(),
});
type State = { seq: number; mark: string; term: number };

/** Versions of a term: so many changes can be made in one. */
const PER_TERM = 2 ** 32;

/**
 * Up to where in the log each index goes, kept in the cluster beside them; and the versions of what is written. Whoever
 * begins to write an index takes the next term, and versions grow with terms: what a writer that was displaced sends
 * late is refused, here and in the index.
 */
class IndexState {
  readonly #search: OpenSearch;
  readonly #states: string;
  #index: string | undefined;
  #term = 0;
  #count = 0;
  #prepared = false;

  constructor(search: OpenSearch) {
    this.#search = search;
    this.#states = `${search.server.prefix}-positions`;
  }

  /**
   * Returns the position of an index, and takes the next term unless the last one is ours; undefined where it has
   * none.
   */
  async open(index: string): Promise<LogPosition | undefined> {
    const state = await this.#read(index);
    if (state === undefined) return undefined;
    if (this.#index !== index || this.#term !== state.term) await this.#take(index, state, state.term + 1);
    return { seq: state.seq, mark: state.mark };
  }

  /** Begins an index that holds nothing. */
  async begin(index: string): Promise<void> {
    await this.#take(index, LOG_START, 1);
  }

  /** Returns the version of what is written next. */
  version(): number {
    return this.#term * PER_TERM + ++this.#count;
  }

  /** Says up to where the index goes. Rejects where another writer has a later term. */
  async advance({ seq, mark }: LogPosition): Promise<void> {
    await this.#write({ seq, mark, term: this.#term });
  }

  async #read(index: string): Promise<State | undefined> {
    const kept = await this.#search
      .request(Kept, { method: "GET", path: `/${this.#states}/_doc/${index}` })
      .catch((error: unknown) => {
        if (error instanceof EngineError && error.reason === "missing") return undefined;
        throw error;
      });
    return kept?._source;
  }

  async #take(index: string, { seq, mark }: LogPosition, term: number): Promise<void> {
    await this.#prepare();
    this.#index = index;
    this.#term = term;
    this.#count = 0;
    await this.#write({ seq, mark, term });
  }

  async #write(state: State): Promise<void> {
    if (this.#index === undefined) throw new EngineError("missing", "opensearch: no index was opened to be written");
    await this.#search.request(Done, {
      ...{ method: "PUT", path: `/${this.#states}/_doc/${this.#index}`, body: state },
      query: { version: this.version(), version_type: "external_gte" },
    });
  }

  /** Makes the place where all positions are kept. */
  async #prepare(): Promise<void> {
    if (this.#prepared) return;
    const properties = { seq: { type: "long" }, mark: { type: "keyword" }, term: { type: "long" } };
    const settings = { number_of_shards: 1, number_of_replicas: this.#search.server.replicas };
    await this.#search
      .request(Done, {
        ...{ method: "PUT", path: `/${this.#states}` },
        body: { settings, mappings: { dynamic: "strict", properties } },
      })
      .catch((error: unknown) => {
        if (!(error instanceof EngineError && error.message.includes("resource_already_exists"))) throw error;
      });
    this.#prepared = true;
  }
}

const Ids = z.object({ hits: z.object({ hits: z.array(z.object({ sort: z.tuple([z.number()]) })) }) });

type IndexWriterOptions = {
  search: OpenSearch;
  alias: string;
  /** Returns what its mapping must say of itself to be of use. */
  isOurs(meta: CurrentIndex["meta"]): boolean;
  /** Its body; `id` belongs into `_meta`. */
  body(id: string): object;
};

/** A change of a document: all its fields, or none: it goes. */
export type DocumentChange = { id: number; source?: Record<string, unknown> | undefined };

/**
 * Writes the index behind an alias, up to where it goes in the log; another one is filled beside it after a reset, and
 * takes its place when it is complete.
 */
export class IndexWriter {
  readonly #options: IndexWriterOptions;
  readonly #state: IndexState;
  readonly #refresher: Refresher;
  #beside: { name: string; id: string; position: LogPosition } | undefined;

  constructor(options: IndexWriterOptions) {
    const { search, alias } = options;
    this.#options = options;
    this.#state = new IndexState(search);
    this.#refresher = new Refresher((timeoutMs) => refresh(search, alias, { timeoutMs, retries: 0 }));
  }

  /** Returns up to where it goes; undefined where there is no such index, or one of another version. */
  async position(): Promise<LogPosition | undefined> {
    if (this.#beside !== undefined) return this.#beside.position;
    const current = await this.#current();
    return current && (await this.#state.open(stateName(current)));
  }

  /** Begins an index beside the one that serves. */
  async reset(): Promise<void> {
    const { search, alias, body } = this.#options;
    if (this.#beside !== undefined) await deleteIndex(search, this.#beside.name);
    this.#beside = undefined;
    const id = randomUUID();
    const name = await createBeside(search, alias, body(id));
    await this.#state.begin(`${name}-${id}`);
    this.#beside = { name, id, position: LOG_START };
  }

  /** Makes changes; searches see soon those of the index that serves. */
  async write(changes: readonly DocumentChange[]): Promise<void> {
    const { search, alias } = this.#options;
    const version = this.#state.version();
    const versioned = changes.map((change): Change => ({ ...change, version }));
    const { name } = this.#beside ?? {};
    if (name !== undefined) {
      return await bulk(search, { index: name, isAlias: false }, versioned).catch((error: unknown) => {
        // Somebody deleted it: it is begun again.
        if (error instanceof EngineError && error.reason === "missing") this.#beside = undefined;
        throw error;
      });
    }
    await bulk(search, { index: alias, isAlias: true }, versioned).finally(() => this.#refresher.due());
  }

  async advance(to: LogPosition): Promise<void> {
    if (this.#beside !== undefined) this.#beside.position = to;
    await this.#state.advance(to);
  }

  /** Lets what was filled beside serve. */
  async complete(): Promise<void> {
    const { search, alias } = this.#options;
    const beside = this.#beside;
    if (beside === undefined) return;
    await refresh(search, beside.name);
    await noteInMapping(search, beside.name, { complete: true });
    await swapTo(search, alias, beside.name);
    this.#beside = undefined;
  }

  /** Returns up to `limit` ids above `after`, ascending, of what is written. */
  async ids(after: number, limit: number): Promise<number[]> {
    const { search, alias } = this.#options;
    const name = this.#beside?.name ?? alias;
    await refresh(search, name);
    const { hits } = await search.request(Ids, {
      method: "POST",
      path: `/${name}/_search`,
      query: { allow_partial_search_results: false },
      body: {
        ...{ size: limit, _source: false, track_total_hits: false },
        ...{ sort: [{ id: "asc" }], search_after: [after], stored_fields: "_none_" },
      },
    });
    return hits.hits.map(({ sort: [id] }) => id);
  }

  close(): Promise<void> {
    return this.#refresher.close();
  }

  async #current(): Promise<CurrentIndex | undefined> {
    const { search, alias, isOurs } = this.#options;
    const current = await currentIndex(search, alias);
    return current !== undefined && current.meta.complete === true && isOurs(current.meta) ? current : undefined;
  }
}

/** Under what the position of an index is kept: its own id tells it from one that had its name before. */
function stateName({ name, meta }: CurrentIndex): string {
  return `${name}-${String(meta.id)}`;
}
