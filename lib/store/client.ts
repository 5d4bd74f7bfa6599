import postgres from "postgres";

/** A pool of connections, with 64-bit integers read as numbers. */
export type Sql = postgres.Sql<{ bigint: number }>;

/** One transaction of the pool. */
export type Tx = postgres.TransactionSql<{ bigint: number }>;

/** Opens a pool of at most `max` connections; they are made on demand and made anew after a loss. */
export function connect(url: string, { max = 8, name = "isnad" }: { max?: number; name?: string } = {}): Sql {
  return postgres(url, {
    max,
    connect_timeout: 10,
    max_lifetime: null,
    // The driver's own waits grow to 20 s; a database that comes back should be used at once.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
    connection: { application_name: name },
    onnotice: () => {},
    types: {
      // article_id and the like stay far below 2^53; what may not (simhash) is selected as text.
      bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: Number },
    },
  });
}
