import { z } from "zod";
import { LOG_START, type LogPosition } from "../../store/mod.ts";
import { EngineError } from "../engines/error.ts";
import type { OpenSearch } from "./client.ts";
import { Done } from "./indices.ts";

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
export class IndexState {
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
