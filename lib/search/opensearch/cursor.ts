import { z } from "zod";
import { EngineError } from "../engines/error.ts";
import type { OpenSearch } from "./client.ts";
import { Done } from "./indices.ts";

/**
 * How long a writer has an index to itself after its last word, in milliseconds of whoever waits for that: machines
 * agree on no time, and the cluster tells none.
 */
const LEASE_MS = 15_000;

/** How far an index has followed the change log, and who writes it; nobody, where that is empty. */
type State = { seq: number; owner: string };

const Kept = z.object({
  _seq_no: z.number().optional(),
  _primary_term: z.number().optional(),
  _source: z.object({ seq: z.number(), owner: z.string() }).optional(),
});

/**
 * How far the change log was followed into an index, and the one writer that does so, both kept in the cluster. Two
 * writers would do no harm, as each change has its version; they would do the work twice.
 */
export class Cursor {
  readonly #search: OpenSearch;
  readonly #states: string;
  readonly #index: string;
  readonly #owner: string;
  readonly #now: () => number;
  #at: { no: number; term: number } | undefined;
  #writtenAt = 0;
  /** The last word of somebody else, and when it was first seen. */
  #theirs: { no: number | undefined; seenAt: number } | undefined;
  seq = 0;

  /** `now`: milliseconds of a clock that nobody sets. */
  constructor(
    search: OpenSearch,
    { index, owner, now = () => performance.now() }: { index: string; owner: string; now?: () => number },
  ) {
    this.#search = search;
    this.#states = `${search.server.prefix}-state`;
    this.#index = index;
    this.#owner = owner;
    this.#now = now;
  }

  /** Makes the place where all cursors are kept. */
  async prepare(): Promise<void> {
    const properties = { seq: { type: "long" }, owner: { type: "keyword" }, until: { type: "long" } };
    const settings = { number_of_shards: 1, number_of_replicas: this.#search.server.replicas };
    await this.#search
      .request(Done, {
        ...{ method: "PUT", path: `/${this.#states}` },
        body: { settings, mappings: { dynamic: "strict", properties } },
      })
      .catch((error: unknown) => {
        if (!(error instanceof EngineError && error.message.includes("resource_already_exists"))) throw error;
      });
  }

  /** Takes the index, and reads how far it is. Returns false while somebody else has it. */
  async take(): Promise<boolean> {
    if (this.#at !== undefined && this.#now() < this.#writtenAt + LEASE_MS / 2) return true;
    const kept = await this.#search
      .request(Kept, { method: "GET", path: `/${this.#states}/_doc/${this.#index}` })
      .catch((error: unknown) => {
        if (error instanceof EngineError && error.reason === "missing") return {} as z.output<typeof Kept>;
        throw error;
      });
    const { _source: state } = kept;
    if (state !== undefined && state.owner !== this.#owner && state.owner !== "") {
      const now = this.#now();
      if (this.#theirs?.no !== kept._seq_no) this.#theirs = { no: kept._seq_no, seenAt: now };
      if (now < (this.#theirs?.seenAt ?? now) + LEASE_MS) return false;
    }
    this.seq = state?.seq ?? 0;
    this.#at =
      kept._seq_no === undefined || kept._primary_term === undefined
        ? undefined
        : { no: kept._seq_no, term: kept._primary_term };
    return await this.#write({ seq: this.seq, owner: this.#owner });
  }

  /** Notes how far the index is now. Returns false when somebody else has taken it meanwhile. */
  async advance(seq: number): Promise<boolean> {
    this.seq = seq;
    return await this.#write({ seq, owner: this.#owner });
  }

  /** Leaves the index to others. */
  async release(): Promise<void> {
    if (this.#at !== undefined) await this.#write({ seq: this.seq, owner: "" });
    this.#at = undefined;
  }

  async #write(state: State): Promise<boolean> {
    const guard =
      this.#at === undefined ? { op_type: "create" } : { if_seq_no: this.#at.no, if_primary_term: this.#at.term };
    const sentAt = this.#now();
    const written = z.object({ _seq_no: z.number(), _primary_term: z.number() });
    try {
      const done = await this.#search.request(written, {
        ...{ method: "PUT", path: `/${this.#states}/_doc/${this.#index}` },
        // The version before this one compares `until` with its machine's clock.
        ...{ body: { ...state, until: state.owner === "" ? 0 : Date.now() + LEASE_MS }, query: guard },
      });
      this.#at = { no: done._seq_no, term: done._primary_term };
      this.#writtenAt = sentAt;
      return true;
    } catch (error) {
      if (!(error instanceof EngineError && error.message.includes("version_conflict"))) throw error;
      this.#at = undefined;
      return false;
    }
  }
}
