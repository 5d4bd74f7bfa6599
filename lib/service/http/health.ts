import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { errorMessage, isObject, parseJson } from "../../std/mod.ts";
import { type HttpEnv, note } from "./context.ts";

/**
 * A dependency of a service. `check` rejects when it cannot be used; without a `critical` one nothing can be served.
 * Where `readiness` is set, the service is not ready without it, though some requests are served.
 */
export type Dependency = {
  check(signal: AbortSignal): Promise<unknown>;
  critical: boolean;
  readiness?: boolean;
};

/** Thrown by a check whose reason is shown: one of a few words, of which none tells anything of the machine. */
export class DependencyFailure extends Error {
  override name = "DependencyFailure";
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Dependencies of one kind, by name, as they are found at the time; none of them is critical. Reasons are logged, not
 * served.
 */
export type DependencyGroup = (signal: AbortSignal) => Promise<Record<string, { ok: boolean; reason?: string }>>;

const State = z.enum(["ok", "fail"]);

/** A model or lexicon that a service answers from. */
const Component = z.object({ kind: z.enum(["model", "lexicon"]), version: z.string(), licence: z.string() });
export type Component = z.infer<typeof Component>;

/** The body of the health routes. */
const Health = z
  .object({
    status: z.enum(["ok", "degraded"]),
    service: z.string(),
    version: z.string(),
    uptime_s: z.number(),
    deps: z
      .record(z.string(), z.union([State, z.record(z.string(), State)]))
      .openapi({ description: "Each dependency, or each of a group." }),
    reasons: z
      .record(z.string(), z.string())
      .optional()
      .openapi({ description: "Why a dependency fails, where that is known: `read-only`, `locked`, `full`, …" }),
    components: z
      .record(z.string(), Component)
      .optional()
      .openapi({ description: "Models and lexicons that answers come from." }),
  })
  .openapi("Health");

type HealthReport = {
  status: 200 | 503;
  /** Tells whether requests may be sent here. */
  ready: boolean;
  body: z.infer<typeof Health>;
  failures: Record<string, string>;
};

/** Time that a dependency has to answer, in milliseconds. */
const DEADLINE_MS = 2_000;

/**
 * Makes a function that checks all dependencies at once. Calls that come while a check is under way share it, so that
 * probes cannot pile up on a slow dependency.
 */
export function createHealth(opts: {
  service: string;
  version: string;
  deps: Record<string, Dependency>;
  groups?: Record<string, DependencyGroup> | undefined;
  components?: (() => Record<string, Component>) | undefined;
  deadlineMs?: number;
}): () => Promise<HealthReport> {
  const startedAt = performance.now();
  let underWay: Promise<HealthReport> | undefined;
  const run = async (): Promise<HealthReport> => {
    const failures: Record<string, string> = {};
    const reasons: Record<string, string> = {};
    const entries = Object.entries(opts.deps);
    const deadlineMs = opts.deadlineMs ?? DEADLINE_MS;
    const groups: Record<string, Record<string, "ok" | "fail">> = {};
    await Promise.all([
      ...entries.map(async ([name, dep]) => {
        const failure = await failureOf(dep, deadlineMs);
        if (failure === undefined) return;
        failures[name] = failure.message;
        if (failure.reason !== undefined) reasons[name] = failure.reason;
      }),
      ...Object.entries(opts.groups ?? {}).map(async ([name, group]) => {
        const states: Record<string, "ok" | "fail"> = {};
        groups[name] = states;
        const check = async (signal: AbortSignal): Promise<void> => {
          for (const [member, { ok, reason }] of Object.entries(await group(signal))) {
            states[member] = ok ? "ok" : "fail";
            if (!ok) failures[`${name}.${member}`] = reason ?? "fails";
          }
        };
        const failure = await failureOf({ check, critical: false }, deadlineMs);
        if (failure !== undefined) failures[name] = failure.message;
      }),
    ]);
    const failed = (name: string): boolean => failures[name] !== undefined;
    const isDown = entries.some(([name, dep]) => dep.critical && failed(name));
    return {
      status: isDown ? 503 : 200,
      ready: !isDown && !entries.some(([name, dep]) => dep.readiness === true && failed(name)),
      body: {
        status: Object.keys(failures).length > 0 ? "degraded" : "ok",
        service: opts.service,
        version: opts.version,
        uptime_s: Math.round((performance.now() - startedAt) / 100) / 10,
        deps: {
          ...Object.fromEntries(entries.map(([name]) => [name, failed(name) ? "fail" : "ok"] as const)),
          ...groups,
        },
        ...(Object.keys(reasons).length > 0 && { reasons }),
        ...(opts.components !== undefined && { components: opts.components() }),
      },
      failures,
    };
  };
  return () => {
    underWay ??= run().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

type Failure = { message: string; reason?: string };

/** Undefined when the dependency answers in time, else what went wrong. */
async function failureOf(dep: Dependency, deadlineMs: number): Promise<Failure | undefined> {
  const signal = AbortSignal.timeout(deadlineMs);
  const late = new Promise<Failure>((resolve) => {
    signal.addEventListener("abort", () => resolve({ message: `no answer within ${deadlineMs} ms` }), { once: true });
  });
  const answer = (async () => dep.check(signal))().then(
    () => undefined,
    (error: unknown): Failure => {
      const message = errorMessage(error);
      return error instanceof DependencyFailure ? { message, reason: error.reason } : { message };
    },
  );
  return await Promise.race([answer, late]);
}

/** Returns the `operationId` of what every service has: `getEdgeHealth`. Names stay unique over all services. */
export function operationId(verb: string, service: string, noun: string): string {
  return [verb, ...service.split("-"), noun]
    .map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}

/**
 * Adds `/livez`, which touches no dependency, the health body at every path of `healthPaths`, and `/readyz`, by which
 * balancers know whom to send requests to.
 */
export function addHealth(
  app: OpenAPIHono<HttpEnv>,
  opts: {
    name: string;
    version: string;
    deps: Record<string, Dependency>;
    depGroups?: Record<string, DependencyGroup>;
    components?: () => Record<string, Component>;
    healthPaths?: readonly string[];
  },
): void {
  app.openapi(liveness(opts.name), (c) => c.json({ status: "ok" as const }, 200));
  const check = createHealth({
    service: opts.name,
    version: opts.version,
    deps: opts.deps,
    groups: opts.depGroups,
    components: opts.components,
  });
  app.openapi(readiness(opts.name), async (c) => {
    if (isStopping(c.env)) return c.json({ status: "stopping" as const }, 503);
    const { ready, body, failures } = await check();
    if (ready) return c.json({ status: "ready" as const }, 200);
    note(c, { failures });
    const { deps, reasons } = body;
    return c.json({ status: "failing" as const, deps, ...(reasons !== undefined && { reasons }) }, 503);
  });
  for (const [i, path] of (opts.healthPaths ?? ["/health"]).entries()) {
    app.openapi(health(path, operationId(i === 0 ? "get" : "check", opts.name, "health")), async (c) => {
      const { status, body, failures } = await check();
      if (body.status !== "ok") note(c, { failures });
      return c.json(body, status);
    });
  }
}

const NotReady = z.object({
  status: z.enum(["stopping", "failing"]),
  deps: Health.shape.deps.optional(),
  reasons: Health.shape.reasons,
});

const liveness = (service: string) =>
  createRoute({
    method: "get",
    path: "/livez",
    operationId: operationId("get", service, "liveness"),
    tags: ["operations"],
    summary: "Whether the process answers; touches no dependency",
    responses: {
      200: {
        description: "The process answers.",
        content: { "application/json": { schema: z.object({ status: z.literal("ok") }) } },
      },
    },
  });

const readiness = (service: string) =>
  createRoute({
    method: "get",
    path: "/readyz",
    operationId: operationId("get", service, "readiness"),
    tags: ["operations"],
    summary: "Whether requests may be sent here",
    responses: {
      200: {
        description: "They may.",
        content: { "application/json": { schema: z.object({ status: z.literal("ready") }) } },
      },
      503: {
        description:
          "The service is about to stop, or lacks what some of its routes need: the database, its readiness to write, disk, an index. `deps` says which.",
        content: { "application/json": { schema: NotReady } },
      },
    },
  });

/** Returns the connection that `listen` hands over beside the request. */
function isStopping(env: unknown): boolean {
  if (typeof env !== "object" || env === null || !("stopping" in env)) return false;
  return typeof env.stopping === "function" && env.stopping() === true;
}

const health = (path: string, id: string) =>
  createRoute({
    method: "get",
    path,
    operationId: id,
    tags: ["operations"],
    summary: "Health of the service and of each dependency",
    responses: {
      200: {
        description: "Requests are served; `degraded` when a dependency fails that not every request needs.",
        content: { "application/json": { schema: Health } },
      },
      503: {
        description: "A dependency fails without which no request can be served.",
        content: { "application/json": { schema: Health } },
      },
    },
  });

/** Holds what another process says of itself by the body of its health. */
type HealthReading = {
  status: string | null;
  version: string | null;
  /** Dependencies that it cannot use; members of a group as `indexes.keyword`. */
  failing: { name: string; reason: string | null }[];
  components: ({ name: string } & Record<"kind" | "version" | "licence", string>)[];
};

/** Reads the body of a health route, of this version or another; undefined where it is none. */
export function readHealth(text: string): HealthReading | undefined {
  const body = parseJson(text);
  if (!isObject(body)) return undefined;
  const { status, version } = body;
  const reasons = isObject(body.reasons) ? body.reasons : {};
  const failing = Object.entries(isObject(body.deps) ? body.deps : {}).flatMap(([dependency, state]) => {
    const members = isObject(state)
      ? Object.entries(state).map(([member, each]) => [`${dependency}.${member}`, each] as const)
      : [[dependency, state] as const];
    return members.flatMap(([name, each]) => (each === "fail" ? [{ name, reason: textOr(reasons[name], null) }] : []));
  });
  const components = Object.entries(isObject(body.components) ? body.components : {}).map(([name, about]) => {
    const { kind, version, licence } = isObject(about) ? about : {};
    return { name, kind: textOr(kind, ""), version: textOr(version, ""), licence: textOr(licence, "") };
  });
  return { status: textOr(status, null), version: textOr(version, null), failing, components };
}

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === "string" ? value : other;
}
