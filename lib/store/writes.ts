import { type Refusal, refusalOf } from "../service/process/failure.ts";
import type { Sql } from "./client.ts";

/** How long what was found holds, in milliseconds: balancers ask several times a second. */
const PROBE_MS = 1_000;

/** How long a refused write counts against a probe that went through: a full disk may have room for that little. */
const REFUSED_MS = 10_000;

/** Whether the database takes writes, as it is asked and as those who write find it. */
export type Writes = {
  /** Rejects with the database's own error when it takes no writes now. */
  check(): Promise<void>;
  /** Does what writes, and remembers it when it is refused. */
  noting<T>(write: () => Promise<T>): Promise<T>;
};

/** Watches whether the database takes writes. */
export function watchWrites(sql: Sql, now: () => number = () => performance.now()): Writes {
  let probed: { at: number; answer: Promise<unknown> } | undefined;
  let refused: { at: number; error: unknown } | undefined;
  return {
    async check() {
      if (probed === undefined || now() - probed.at > PROBE_MS) {
        const answer = sql`select probe_write()`;
        // Whoever awaits it hears of a failure.
        answer.catch(() => undefined);
        probed = { at: now(), answer };
      }
      await probed.answer;
      if (refused !== undefined && now() - refused.at < REFUSED_MS) throw refused.error;
    },
    async noting(write) {
      try {
        const result = await write();
        refused = undefined;
        return result;
      } catch (error) {
        if (isLasting(refusalOf(error))) refused = { at: now(), error };
        throw error;
      }
    },
  };
}

/** A lock may be one row's, and is over when the probe finds the table free. */
function isLasting(refusal: Refusal | undefined): boolean {
  return refusal === "full" || refusal === "read-only";
}
