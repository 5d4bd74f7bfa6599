import { KeysRequest } from "@isnad/lib/contract";
import {
  type Access,
  type HttpEnv,
  invalidFields,
  jsonBody,
  KEYS_PATH,
  type OpenAPIHono,
} from "@isnad/lib/service/http";
import type { Store } from "@isnad/lib/store";

/** Tells services of the platform that have no database which keys are in force; nobody else is answered. */
export function addKeys(
  app: OpenAPIHono<HttpEnv>,
  { access, store }: { access: Access; store: Pick<Store, "keys"> },
): void {
  app.post(KEYS_PATH, access.require("internal"), jsonBody(), async (c) => {
    const { data } = KeysRequest.safeParse(await c.req.json());
    if (data === undefined) throw invalidFields({ used: ["must be a list of keys and times"] });
    return c.json({ keys: await store.keys.current(data.used) }, 200);
  });
}
