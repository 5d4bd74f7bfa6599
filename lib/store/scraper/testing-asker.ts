// A process that asks a site politely, for tests: `bun testing-asker.ts
// '{"databaseUrl":…,"addresses":[…],"manners":{…}}'`. It asks all addresses at once and writes the status, or the
// error's code, of each as one JSON array.
import process from "node:process";
import {
  createFetcher,
  createPoliteClient,
  EgressError,
  type FetchOptions,
  type Manners,
} from "../../web/egress/mod.ts";
import { openStore } from "../store.ts";

/** Holds what the process is told. */
export interface AskerInput {
  readonly databaseUrl: string;
  readonly name: string;
  readonly addresses: readonly string[];
  readonly manners: Manners & Pick<FetchOptions, "timeoutMs">;
}

if (import.meta.main) {
  const { databaseUrl, name, addresses, manners }: AskerInput = JSON.parse(process.argv[2] ?? "{}");
  const store = openStore(databaseUrl);
  const fetch = createPoliteClient({
    fetcher: createFetcher({ userAgent: `${name}/1`, allowPrivateHosts: "127.0.0.1" }),
    leases: store.scraper.hostLeases,
    product: name,
  });
  const outcomes = addresses.map(async (address) => {
    try {
      return (await fetch(address, manners)).status;
    } catch (error) {
      return error instanceof EgressError ? error.code : String(error);
    }
  });
  process.stdout.write(JSON.stringify(await Promise.all(outcomes)));
  await store.close();
}
