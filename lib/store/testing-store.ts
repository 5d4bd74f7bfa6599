import { connect, type Sql } from "./client.ts";
import { openStore, type Store } from "./store.ts";
import { testDatabase } from "./testing-database.ts";

/** A store over a database of its own, for a test. */
export type TestStore = {
  url: string;
  store: Store;
  /** Opens one more store over the same database, as another process would have. */
  another(): Store;
  /** Statements of the test's own, past the store. */
  sql: Sql;
  /** Closes all of it, and drops the database. */
  close(): Promise<void>;
};

/** Makes a test database and its store; each store has at most `max` connections (8). */
export async function testStore({ max = 8 }: { max?: number } = {}): Promise<TestStore> {
  const { url, drop } = await testDatabase();
  const sql = connect(url, { max: 8 });
  const stores: Store[] = [];
  const another = (): Store => {
    const store = openStore(url, { max });
    stores.push(store);
    return store;
  };
  return {
    url,
    store: another(),
    another,
    sql,
    async close() {
      await Promise.all([...stores.map((store) => store.close()), sql.end()]);
      await drop();
    },
  };
}
