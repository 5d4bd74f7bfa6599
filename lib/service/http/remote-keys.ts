import type { KeyUse } from "../../contract/keys.ts";
import { KeysAnswer } from "../../contract/keys.ts";
import type { Config } from "../config/mod.ts";
import { INTERNAL_HEADER } from "./access.ts";
import type { KeySource } from "./key-book.ts";

/** Where the API tells services without a database which keys there are. */
export const KEYS_PATH = "/internal/keys";

/** How long the API is waited for, in milliseconds. */
const DEADLINE_MS = 2_000;

/** The keys as the API tells of them; undefined without an internal token, which it asks for. */
export function remoteKeys({ apiUrl, tokens }: Pick<Config, "apiUrl" | "tokens">): KeySource | undefined {
  const [token] = tokens.internal;
  if (token === undefined) return undefined;
  return {
    async load(used: readonly KeyUse[]) {
      const response = await fetch(`${apiUrl}${KEYS_PATH}`, {
        method: "POST",
        headers: { [INTERNAL_HEADER]: token, "content-type": "application/json" },
        body: JSON.stringify({ used: used.slice(-1_000) }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      if (!response.ok) throw new Error(`the API answers ${response.status} to ${KEYS_PATH}`);
      return KeysAnswer.parse(await response.json()).keys;
    },
  };
}
