import type { Sql } from "../client.ts";
import { CHUNKS_CHANNEL } from "../events.ts";

/**
 * Calls `onChange` after each commit that changed chunks, and after each reconnection, when something may have been
 * missed. A notice can be lost with the connection: poll now and then as well. Returns how to stop.
 */
export async function listenChunks(sql: Sql, onChange: () => void): Promise<() => Promise<void>> {
  const { unlisten } = await sql.listen(CHUNKS_CHANNEL, onChange, onChange);
  return unlisten;
}
