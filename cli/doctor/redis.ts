import { explain } from "@isnad/lib/service/cli";
import type { Config } from "@isnad/lib/service/config";
import { redisFacts } from "@isnad/lib/work/queue";
import { bytes, type Finding, findings } from "./finding.ts";

/** The Redis of the queues, where one is set. */
export async function redisFindings({ redisUrl }: Config): Promise<Finding[]> {
  const { list, ok, warn, fail } = findings("Redis");
  if (redisUrl === undefined) {
    ok("queues", "in PostgreSQL; REDIS_URL is not set");
    return list;
  }
  try {
    const { version, evictionPolicy, usedBytes } = await redisFacts(redisUrl);
    ok("reachable", `version ${version}, ${bytes(usedBytes)} used`);
    if (evictionPolicy !== "noeviction")
      warn("eviction", `maxmemory-policy is ${evictionPolicy}: noeviction loses no jobs`);
    else ok("eviction", evictionPolicy);
  } catch (error) {
    fail("reachable", `REDIS_URL: ${explain(error)}`);
  }
  return list;
}
