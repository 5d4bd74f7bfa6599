import { openStore, type Store } from "@isnad/lib/store";
import { testDatabase } from "@isnad/lib/store/testing";

/** A store over a database of its own, for tests; call `close()` when done. */
export async function testStore(): Promise<{ store: Store; url: string; close(): Promise<void> }> {
  const database = await testDatabase();
  const store = openStore(database.url);
  return {
    store,
    url: database.url,
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
}
