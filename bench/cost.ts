import { KeysRequest } from "@isnad/lib/contract";
import { KEYS_PATH, z } from "@isnad/lib/service/http";
import { FILLED_SERVICES, type FilledService } from "../e2e/services.ts";
import { type Document, hostileHeaders, type HostileRequest, hostileRequests, type Route } from "./cost-requests.ts";
import { type Figure, longestTurn } from "./rounds.ts";

/** Paths of the routes that are measured, separated by commas; all when missing. */
const ONLY = process.env.BENCH_ROUTES?.split(",");
/** The longest that a request may keep the event loop of its service, in milliseconds. */
const LOOP_MS = 50;
/** Requests of a route that are measured at most, and for how long: all routes together take less than ten minutes. */
const MAX_REQUESTS = 250;
const MAX_ROUTE_MS = 20_000;
/** The most expensive requests of a route are measured so often again, and the least counts. */
const SUSPECTS = 3;
const REPEATS = 2;
/** The statuses of errors that the handler of a route answers with, and nothing before it. */
const REACHED = new Set([404, 409]);
/** One that takes longer is measured once: what is compiled or collected meanwhile is little of it. */
const LONG_MS = 1_000;

/** Holds what one request costs: processor time of one turn of the event loop, and of the whole process. */
type Cost = { what: string; loopMs: number; wholeMs: number; status: number };

/** The most expensive requests of a route. */
type RouteCost = { name: string; loop: Cost; whole: Cost; deadlineMs: number; requests: number; isAnswered: boolean };

/**
 * The processor time of the worst request found for every route of every service: hostile texts at the limit of each
 * field that its document names. Prints a row for each route; the figures count those beyond their limits.
 */
export async function cost(): Promise<Figure[]> {
  const rows: RouteCost[] = [];
  const unlisted: string[] = [];
  print(["route", "loop ms", "worst input", "whole ms", "worst input", "deadline", "requests"]);
  for (const open of Object.values(FILLED_SERVICES)) {
    const service = await open();
    try {
      const { routes: all, document } = await routesOf(service.app);
      const routes = all.filter(({ path }) => ONLY === undefined || ONLY.includes(path));
      unlisted.push(...unlistedOf(routes).map((name) => `${service.name} ${name}`));
      for (const route of routes) {
        const requests = [...hostileRequests(route, document, service.headers)];
        if (route.path === "/livez") requests.push(...hostileHeaders());
        const row = await worstOf(service, route, spread(requests, MAX_REQUESTS));
        rows.push(row);
        print(rowOf(row));
      }
    } finally {
      await service.close();
    }
  }
  const names = (of: readonly RouteCost[]) => of.map(({ name }) => name).join(", ");
  const slow = rows.filter(({ loop }) => loop.loopMs > LOOP_MS);
  const late = rows.filter(({ whole, deadlineMs }) => whole.wholeMs > deadlineMs);
  const silent = rows.filter(({ isAnswered }) => !isAnswered);
  const none = { atMost: 0 };
  return [
    { name: "cost: routes that no document lists", value: unlisted.length, bound: none, detail: unlisted.join(", ") },
    { name: `cost: routes that keep the loop > ${LOOP_MS} ms`, value: slow.length, bound: none, detail: names(slow) },
    { name: "cost: routes beyond their deadline", value: late.length, bound: none, detail: names(late) },
    { name: "cost: routes whose handler was not reached", value: silent.length, bound: none, detail: names(silent) },
  ];
}

/** Routes that are in no document because services ask them of each other. */
const HIDDEN: Document["paths"] = {
  [KEYS_PATH]: {
    post: { requestBody: { content: { "application/json": { schema: Object(z.toJSONSchema(KeysRequest)) } } } },
  },
};

/** Returns the routes of a service, with what its document says of each; those of services among each other, too. */
export async function routesOf(
  app: Pick<FilledService["app"], "request" | "routes">,
): Promise<{ routes: Route[]; document: Document }> {
  const document: Document = Object(await (await app.request("/openapi.json")).json());
  const routes = new Map<string, Route>();
  for (const { method: given, path: pattern } of app.routes) {
    const path = pattern.replace(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");
    const operations = document.paths[path] ?? HIDDEN[path] ?? {};
    // Middleware takes every method, and stands in no document.
    for (const method of given === "ALL" ? Object.keys(operations).map((name) => name.toUpperCase()) : [given]) {
      routes.set(`${method} ${path}`, { method, path, operation: operations[method.toLowerCase()] });
    }
  }
  return { routes: [...routes.values()], document };
}

/** Hostile in more than one field, or in no field at all. */
const ESSENTIAL = /^(?:as documented|all fields|(?:.*: )?(?:many|deep|an open))/;
/** A prime: every so many requests there is another field and another text. */
const STRIDE = 7_919;

/** Returns `max` of the requests of a route, those in an order that alternates between its fields. */
export function spread(requests: readonly HostileRequest[], max: number): HostileRequest[] {
  const essential = requests.filter(({ what }) => ESSENTIAL.test(what));
  const others = requests.filter(({ what }) => !ESSENTIAL.test(what));
  const alternating = others.map((_, i) => others[(i * STRIDE) % others.length]).filter((each) => each !== undefined);
  return [...essential, ...alternating].slice(0, max);
}

/** The routes that no document lists, whose fields are therefore unknown. */
export function unlistedOf(routes: readonly Route[]): string[] {
  return routes.flatMap(({ method, path, operation }) => (operation === undefined ? [`${method} ${path}`] : []));
}

async function worstOf(service: FilledService, route: Route, requests: readonly HostileRequest[]): Promise<RouteCost> {
  const costs = new Map<HostileRequest, Cost>();
  const start = performance.now();
  for (const request of requests) {
    if (performance.now() - start > MAX_ROUTE_MS) break;
    costs.set(request, await costOf(service, request));
  }
  const isAnswered = [...costs.values()].some(({ status }) => status < 400 || REACHED.has(status));
  for (const of of [byLoop, byWhole]) {
    for (const [request] of [...costs].sort(([, a], [, b]) => of(b) - of(a)).slice(0, SUSPECTS)) {
      for (let i = 0; i < REPEATS; i++) {
        const before = costs.get(request);
        if (before === undefined || before.wholeMs > LONG_MS) continue;
        const again = await costOf(service, request);
        const loopMs = Math.min(before.loopMs, again.loopMs);
        costs.set(request, { ...before, loopMs, wholeMs: Math.min(before.wholeMs, again.wholeMs) });
      }
    }
  }
  const worst = (by: (cost: Cost) => number) => [...costs.values()].reduce((a, b) => (by(b) > by(a) ? b : a));
  return {
    name: `${service.name} ${route.method} ${route.path}`,
    ...{ loop: worst(byLoop), whole: worst(byWhole), deadlineMs: service.deadlineMs(route.path) },
    ...{ requests: costs.size, isAnswered },
  };
}

const byLoop = ({ loopMs }: Cost): number => loopMs;
const byWhole = ({ wholeMs }: Cost): number => wholeMs;

async function costOf({ app }: FilledService, { what, path, init }: HostileRequest): Promise<Cost> {
  const before = process.cpuUsage();
  const { ms, result } = await longestTurn(async () => {
    const response = await app.request(path, init);
    await response.arrayBuffer();
    return response.status;
  });
  const { user, system } = process.cpuUsage(before);
  return { what, loopMs: ms, wholeMs: (user + system) / 1_000, status: result };
}

function rowOf({ name, loop, whole, deadlineMs, requests }: RouteCost): string[] {
  const input = ({ what, status }: Cost) => `${what} (${status})`;
  const ms = (value: number) => value.toFixed(1);
  return [name, ms(loop.loopMs), input(loop), ms(whole.wholeMs), input(whole), String(deadlineMs), String(requests)];
}

function print(cells: readonly string[]): void {
  process.stdout.write(`${cells.join(" | ")}\n`);
}
