import { randomUUID } from "node:crypto";
import { z } from "zod";
import { LOG_START, type LogPosition } from "../../store/mod.ts";
import { EngineError } from "../engines/error.ts";
import { bulk, type Change } from "./bulk.ts";
import type { OpenSearch } from "./client.ts";
import { IndexState } from "./index-state.ts";
import {
  createBeside,
  type CurrentIndex,
  currentIndex,
  deleteIndex,
  noteInMapping,
  refresh,
  swapTo,
} from "./indices.ts";
import { Refresher } from "./refresher.ts";

const Ids = z.object({ hits: z.object({ hits: z.array(z.object({ sort: z.tuple([z.number()]) })) }) });

/** What an index under an alias is made of. */
export type IndexWriterOptions = {
  search: OpenSearch;
  alias: string;
  /** What its mapping must say of itself to be of use. */
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
