import { setTimeout as sleep } from "node:timers/promises";
import { retry } from "../std/mod.ts";
import { codeOf, isConnectionLost, isConnectionRefused, isRetryable, type Sql, type Tx } from "./client.ts";

/** Holds what a transaction does when its connection is lost while it is committed. */
type LostCommit = {
  /** The work is idempotent, so it is run again when a commit was lost. */
  repeatable?: boolean;
  /** The server is asked whether it was done: if so, this is its result; if not, it is run again. */
  exactlyOnce?: boolean;
};

/** Thrown inside a transaction that met a rare race and must be run again from its start. */
export class RunAgain extends Error {
  override readonly name = "RunAgain";
}

/** Says how what met a lost connection is tried again: a server that was killed is back within a second. */
const WHILE_LOST = { attempts: 5, backoff: { baseMs: 50, factor: 3, maxMs: 500, jitter: 0.3 } };

/**
 * Runs `work` in a transaction, and again when Postgres chose it as the victim of a deadlock or a serialization
 * failure, when it threw `RunAgain`, or when the connection was lost before the commit was sent. `work` must do nothing
 * but SQL. Once the commit is on its way, a lost connection leaves open whether it was done: the error is passed on,
 * unless the options say otherwise.
 */
export async function transaction<T>(
  sql: Sql,
  work: (tx: Tx) => Promise<T>,
  { repeatable = false, exactlyOnce = false }: LostCommit = {},
): Promise<T> {
  let races = 0;
  return await whileLost(async (mayRepeat) => {
    for (;;) {
      mayRepeat(true);
      let committing: { made: T; id: string } | undefined;
      try {
        const result = await sql.begin(async (tx) => {
          const asking = exactlyOnce ? transactionId(tx) : undefined;
          const made = await work(tx);
          const id = await asking;
          if (id !== undefined) committing = { made, id };
          mayRepeat(repeatable);
          return { made };
        });
        return result.made;
      } catch (error) {
        if (committing !== undefined && isConnectionLost(error)) {
          const committed = await wasCommitted(sql, committing.id);
          if (committed) return committing.made;
          mayRepeat(committed === false);
        }
        if (++races === 10 || !(error instanceof RunAgain || isRetryable(error))) throw error;
        await sleep(Math.random() * 10 * races);
      }
    }
  });
}

/** The id of a transaction, sent without waiting, so that it takes no round trip of its own. */
function transactionId(tx: Tx): Promise<string> {
  const asking = tx<{ id: string }[]>`select pg_current_xact_id()::text as id`.execute().then((rows) => {
    const [row] = rows;
    if (row === undefined) throw new Error("the transaction has no id");
    return row.id;
  });
  // The work may fail first.
  asking.catch(() => {});
  return asking;
}

/**
 * Tells whether a transaction whose connection was lost was committed; undefined when the server cannot say it in time.
 */
async function wasCommitted(sql: Sql, id: string): Promise<boolean | undefined> {
  try {
    return await retry(
      async () => {
        const [row] = await sql<{ status: string | null }[]>`select pg_xact_status(${id}::xid8) as status`;
        if (row?.status === "in progress") throw new RunAgain();
        return row?.status == null ? undefined : row.status === "committed";
      },
      { ...WHILE_LOST, isRetryable: (error) => error instanceof RunAgain || isConnectionLost(error) },
    );
  } catch {
    return undefined;
  }
}

/** Runs statements that may as well be done twice, and again when their connection was lost or a race undid them. */
export async function repeating<T>(work: () => Promise<T>): Promise<T> {
  return await whileLost(work, (error) => isConnectionLost(error) || isRetryable(error));
}

/** Runs a statement, and again only when it was not done: no connection could be made for it, or a race undid it. */
export async function onceConnected<T>(work: () => Promise<T>): Promise<T> {
  return await whileLost(work, (error) => isConnectionRefused(error) || isRetryable(error));
}

async function whileLost<T>(
  work: (mayRepeat: (yes: boolean) => void) => Promise<T>,
  isLost: (error: unknown) => boolean = isConnectionLost,
): Promise<T> {
  let repeat = true;
  const attempt = () => {
    repeat = true;
    return work((yes) => {
      repeat = yes;
    });
  };
  return await retry(attempt, { ...WHILE_LOST, isRetryable: (error) => repeat && isLost(error) && !isClosed(error) });
}

/** Tells whether the pool was closed by its owner: it makes no connection any more. */
function isClosed(error: unknown): boolean {
  return codeOf(error) === "CONNECTION_ENDED";
}
