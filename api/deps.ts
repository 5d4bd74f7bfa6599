import type { Config } from "@isnad/lib/service/config";
import type { Logger, Registry } from "@isnad/lib/service/process";
import type { Queues } from "@isnad/lib/work/queue";
import type { Store } from "@isnad/lib/store";
import type { DeskAssets } from "./desk/assets.ts";

/** Describes what the API stands on. All of it is opened and closed by the caller. */
export type ApiDeps = {
  config: Config;
  store: Store;
  queues: Pick<Queues, "add" | "ping">;
  logger: Logger;
  metrics: Registry;
  /** Files of the desk; without them there is no desk. */
  desk?: DeskAssets | undefined;
};
