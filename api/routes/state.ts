import { statfs } from "node:fs/promises";
import { type ServiceState, StackState } from "@isnad/lib/contract";
import {
  type Access,
  answer,
  createRoute,
  type HttpContext,
  type HttpEnv,
  type Limiter,
  type OpenAPIHono,
  problems,
  readHealth,
  type ServiceClient,
} from "@isnad/lib/service/http";
import { FOLLOWER_SILENT_S, type FollowerFacts } from "@isnad/lib/store";
import type { ApiDeps } from "../deps.ts";

/** Time that a service has to say how it is, in milliseconds. */
const HEALTH_MS = 3_000;

/** Set-aside articles that are named. */
const SET_ASIDE_SHOWN = 20;

/** Holds what the route asks: the services beside the API, and the store. */
type StateDeps = Pick<ApiDeps, "config" | "store"> & {
  access: Access;
  limiter: Limiter;
  behind: Record<"retrieval" | "nlp" | "edge" | "scraper", ServiceClient>;
};

/** GET /v1/state: how the services, stages, indexes and the storage stand. */
export function addState(app: OpenAPIHono<HttpEnv>, { config, store, access, limiter, behind }: StateDeps): void {
  app.openapi({ ...definition, middleware: [access.require("desk")] }, async (c) => {
    const { signal } = c.req.raw;
    const ownState = async () => serviceState("api", await app.fetch(new Request("http://localhost/health"), c.env));
    const answer = await limiter.run(
      async (): Promise<StackState> => {
        const [own, others, size, pending, backlog, setAside, followers, unusual, keys, disk] = await Promise.all([
          ownState(),
          Promise.all(SERVICES.map((name) => askHealth(c, name, behind[name]))),
          store.size(),
          store.articles.countPending(),
          store.work.backlog(),
          store.work.setAside({ limit: SET_ASIDE_SHOWN }),
          store.followers.list(),
          store.sourceStates.countUnusual(),
          store.keys.list(),
          diskOf(config.dataDir),
        ]);
        return {
          services: [own, ...others],
          articles: { pending, stored: size.articles },
          stages: backlog.map(({ stage, waiting, setAside: set_aside }) => ({ stage, waiting, set_aside })),
          set_aside: setAside.map(({ articleId, ...rest }) => ({ article_id: articleId, ...rest })),
          indexes: followers.map(indexState),
          sources: { quiet: unusual.quiet, doubled: unusual.doubled },
          storage: { database_bytes: size.bytes, ...disk },
          keys: keys.flatMap(({ keyId, name, scopes, ratePerMin, createdAt, expiresAt, revokedAt, lastUsedAt }) =>
            revokedAt !== null
              ? []
              : [
                  {
                    ...{ key_id: keyId, name, scopes, rate_per_min: ratePerMin },
                    ...{ created_at: createdAt, expires_at: expiresAt, last_used_at: lastUsedAt },
                  },
                ],
          ),
        };
      },
      { signal, client: c.var.client },
    );
    return c.json(answer, 200);
  });
}

const SERVICES = ["retrieval", "nlp", "edge", "scraper"] as const;

/** Asks a service how it is; one that does not answer is away. */
async function askHealth(
  c: HttpContext,
  name: (typeof SERVICES)[number],
  service: ServiceClient,
): Promise<ServiceState> {
  const { requestId, client } = c.var;
  const request = { method: "GET", headers: new Headers(), body: undefined, timeoutMs: HEALTH_MS };
  try {
    return await serviceState(
      name,
      await service.forward("/health", request, { requestId, client, signal: c.req.raw.signal }),
    );
  } catch {
    return { name, status: "away", version: null, failing: [], components: [] };
  }
}

/** Reads a health body as what it says of a service. */
async function serviceState(name: ServiceState["name"], response: Response): Promise<ServiceState> {
  const health = readHealth(await response.text());
  if (health === undefined || health.status === null)
    return { name, status: "away", version: null, failing: [], components: [] };
  const { status, ...rest } = health;
  return { name, status: response.status === 200 && status === "ok" ? "ok" : "degraded", ...rest };
}

function indexState({ name, state, behind, reason, silentS }: FollowerFacts): StackState["indexes"][number] {
  return { name, state: silentS > FOLLOWER_SILENT_S ? "silent" : state, behind, reason };
}

/** Returns what is free where the data lies; null where the system does not say. */
async function diskOf(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { disk_free_bytes: bavail * bsize, disk_bytes: blocks * bsize };
  } catch {
    return { disk_free_bytes: null, disk_bytes: null };
  }
}

const definition = createRoute({
  method: "get",
  path: "/v1/state",
  operationId: "getState",
  tags: ["operation"],
  summary: "How the services, stages, indexes and the storage stand",
  security: [{ ingestToken: [] }],
  responses: {
    200: answer("As it is now.", StackState),
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});
