import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "zod";
import type { MeiliServer } from "../../service/config/mod.ts";
import { freePort } from "../../std/ports.ts";

/** A server for tests: the real program where it is at hand, else a double that answers as it is documented. */
export type TestMeili = { server: MeiliServer; isDouble: boolean; stop(): Promise<void> };

const shared = process.env.ISNAD_SHARED ?? fileURLToPath(new URL("../../../../shared", import.meta.url));

/** Starts one. */
export async function testMeili(): Promise<TestMeili> {
  const real = await startProgram();
  return real ?? (await meiliDouble());
}

async function startProgram(): Promise<TestMeili | undefined> {
  const data = mkdtempSync(join(tmpdir(), "isnad-meili-"));
  const port = await freePort();
  const script = join(shared, "engines/meilisearch/run.sh");
  const program = spawn(script, ["--data", data, "--port", String(port)], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve) => {
    program.once("exit", () => resolve());
    program.once("error", () => resolve());
  });
  const ready = new Promise<true>((resolve) => program.stdout.once("data", () => resolve(true)));
  if ((await Promise.race([ready, ended])) !== true) {
    rmSync(data, { recursive: true, force: true });
    return undefined;
  }
  const stop = async () => {
    program.kill("SIGTERM");
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  return { server: { url: `http://127.0.0.1:${port}`, prefix: "test" }, isDouble: false, stop };
}

const Documents = z.array(z.record(z.string(), z.unknown()));
type Document = z.output<typeof Documents>[number];
const Query = z.object({
  indexUid: z.string(),
  q: z.string().default(""),
  limit: z.number().default(20),
  filter: z.array(z.string()).default([]),
  matchingStrategy: z.string().optional(),
  attributesToSearchOn: z.array(z.string()).default(["title", "content", "sounds"]),
  attributesToRetrieve: z.array(z.string()).default(["id", "ft", "fc", "length"]),
});
const Queries = z.object({ queries: z.array(Query) });
const FacetQuery = z.object({ filter: z.string(), facets: z.array(z.string()) });
const Swap = z.tuple([z.object({ indexes: z.tuple([z.string(), z.string()]) })]);
const NewIndex = z.object({ uid: z.string() });
const Settings = z.object({ filterableAttributes: z.array(z.string()) });
const Ids = z.array(z.number());
const Fetch = z.object({
  filter: z.string().optional(),
  sort: z.union([z.array(z.string()), z.string().transform((names) => names.split(","))]).default(["id:asc"]),
  limit: z.coerce.number().default(20),
  offset: z.coerce.number().default(0),
  fields: z.union([z.array(z.string()), z.string().transform((names) => names.split(","))]).optional(),
});
type Answer = { status: number; body: object };

/** These fields of a document; all where none are named. */
function picked(document: Document, fields: readonly string[] | undefined): Document {
  return fields === undefined
    ? document
    : Object.fromEntries(fields.flatMap((field) => (field in document ? [[field, document[field]]] : [])));
}

/**
 * Answers what the adapter asks of Meilisearch 1.x as 1.50 was seen to answer it: tasks are accepted with 202 and tell
 * their outcome later, a batch with one bad document fails as a whole, ten words of a query count, `frequency` drops
 * the most frequent words until there are enough documents, and words that no document has, a field that is not
 * declared cannot be filtered by.
 */
export async function meiliDouble(): Promise<TestMeili> {
  const indexes = new Map<string, { documents: Map<string, Document>; filterable: string[] }>();
  const tasks: { status: string; error?: object }[] = [];
  const fault = (status: number, code: string): Answer => ({
    status,
    body: { message: `${code} (double)`, code, type: "invalid_request" },
  });
  const taskFault = (code: string, message = `${code} (double)`) => ({ message, code, type: "invalid_request" });
  const task = (work: () => object | undefined): Answer => {
    const error = work();
    tasks.push(error === undefined ? { status: "succeeded" } : { status: "failed", error });
    const taskUid = tasks.length - 1;
    return { status: 202, body: { taskUid, indexUid: null, status: "enqueued", type: "documentAdditionOrUpdate" } };
  };
  const made = (uid: string) => {
    const known = indexes.get(uid) ?? { documents: new Map<string, Document>(), filterable: [] };
    indexes.set(uid, known);
    return known;
  };

  function search({
    indexUid,
    q,
    limit,
    filter,
    matchingStrategy,
    attributesToSearchOn: fields,
    attributesToRetrieve,
  }: z.output<typeof Query>) {
    const { documents } = made(indexUid);
    const words = q.split(" ").filter(Boolean);
    const excluded = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1));
    const asked = words.filter((word) => !word.startsWith("-")).slice(0, 10);
    const holds = (document: Document, word: string) =>
      fields.some((field) => ` ${document[field]} `.includes(` ${word} `));
    const passing = [...documents.values()].filter(
      (document) => filter.every((each) => passes(document, each)) && !excluded.some((word) => holds(document, word)),
    );
    const frequency = (word: string) => [...documents.values()].filter((document) => holds(document, word)).length;
    const looked = matchingStrategy === "all" ? asked : asked.filter((word) => frequency(word) > 0);
    const byRarity = looked.toSorted((a, b) => frequency(a) - frequency(b));
    const hits: Document[] = [];
    for (let kept = byRarity.length; kept >= (asked.length === 0 ? 0 : 1); kept--) {
      const needed = byRarity.slice(0, kept);
      for (const document of passing) {
        if (!hits.includes(document) && needed.every((word) => holds(document, word))) hits.push(document);
      }
      if (matchingStrategy === "all") break;
    }
    const shown = hits.slice(0, limit).map((document) => picked(document, attributesToRetrieve));
    return { indexUid, hits: shown, query: q, limit, offset: 0, estimatedTotalHits: hits.length };
  }

  function answer(method: string, { pathname, searchParams }: URL, body: unknown): Answer {
    const [, first, uid = "", part, action] = pathname.split("/");
    if (first === "version") return { status: 200, body: { commitSha: "", commitDate: "", pkgVersion: "1.50.0" } };
    if (first === "tasks") return { status: 200, body: { uid: Number(uid), ...tasks[Number(uid)] } };
    if (first === "multi-search") {
      const { queries } = Queries.parse(body);
      for (const query of queries) {
        const index = indexes.get(query.indexUid);
        if (index === undefined) return fault(400, "index_not_found");
        const unknown = query.filter.some((each) => !index.filterable.includes(each.split(" ")[0] ?? ""));
        if (unknown) return fault(400, "invalid_search_filter");
      }
      return { status: 200, body: { results: queries.map(search) } };
    }
    if (first === "swap-indexes") {
      const [swapped] = Swap.parse(body);
      const [a, b] = swapped.indexes;
      return task(() => {
        const [left, right] = [indexes.get(a), indexes.get(b)];
        if (left === undefined || right === undefined) return taskFault("index_not_found");
        indexes.set(a, right).set(b, left);
        return undefined;
      });
    }
    if (first !== "indexes") return fault(404, "not_found");
    if (method === "POST" && uid === "") {
      const { uid: created } = NewIndex.parse(body);
      return task(() => {
        if (indexes.has(created)) return taskFault("index_already_exists", `Index \`${created}\` already exists.`);
        made(created);
        return undefined;
      });
    }
    const index = indexes.get(uid);
    if (method === "POST" && part === "documents" && action === undefined) {
      const documents = Documents.parse(body);
      return task(() => {
        if (documents.some(({ id }) => id === undefined)) return taskFault("missing_document_id");
        const bad = documents.find(({ id }) => !/^[\w-]{1,511}$/.test(String(id)));
        if (bad !== undefined) {
          return taskFault("invalid_document_id", `Document identifier \`${JSON.stringify(bad.id)}\` is invalid.`);
        }
        for (const document of documents) made(uid).documents.set(String(document.id), document);
        return undefined;
      });
    }
    if (index === undefined && method === "DELETE" && part === undefined) {
      return task(() => taskFault("index_not_found"));
    }
    if (index === undefined) return fault(404, "index_not_found");
    if (part === undefined) {
      if (method === "DELETE") return task(() => void indexes.delete(uid));
      return {
        status: 200,
        body: { uid, primaryKey: "id", createdAt: "2024-01-01T00:00:00Z", updatedAt: "2024-01-01T00:00:00Z" },
      };
    }
    if (part === "settings") {
      const { filterableAttributes } = Settings.parse(body);
      return task(() => {
        index.filterable = filterableAttributes;
        return undefined;
      });
    }
    if (part === "search") {
      const { filter, facets } = FacetQuery.parse(body);
      const passing = [...index.documents.values()].filter((document) => passes(document, filter));
      const facetDistribution = Object.fromEntries(
        facets.map((name) => {
          const values = passing.flatMap((document) => document[name] ?? []).map(String);
          return [
            name,
            Object.fromEntries(
              Map.groupBy(values, (value) => value)
                .entries()
                .map(([v, of]) => [v, of.length]),
            ),
          ];
        }),
      );
      return { status: 200, body: { hits: [], facetDistribution, estimatedTotalHits: passing.length } };
    }
    if (part === "stats") {
      return {
        status: 200,
        body: { numberOfDocuments: index.documents.size, isIndexing: false, fieldDistribution: {} },
      };
    }
    if (method === "DELETE") return task(() => void index.documents.clear());
    if (action === "delete-batch") {
      const ids = Ids.parse(body);
      return task(() => {
        for (const id of ids) index.documents.delete(String(id));
        return undefined;
      });
    }
    if (action === "fetch" || action === undefined) {
      const { filter, sort, limit, offset, fields } = Fetch.parse(body ?? Object.fromEntries(searchParams));
      const results = [...index.documents.values()]
        .filter((document) => filter === undefined || passes(document, filter))
        .toSorted((a, b) => sort.reduce((order, by) => order || compared(a, b, by), 0));
      const shown = results.slice(offset, offset + limit).map((document) => picked(document, fields));
      return { status: 200, body: { results: shown, offset, limit, total: results.length } };
    }
    const document = index.documents.get(action ?? "");
    return document === undefined ? fault(404, "document_not_found") : { status: 200, body: document };
  }

  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://double");
      const { status, body } = answer(request.method ?? "GET", url, JSON.parse(text === "" ? "null" : text));
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    ...{ server: { url, prefix: "test" }, isDouble: true },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function compared(a: Document, b: Document, by: string): number {
  const [field = "", direction] = by.split(":");
  return (Number(a[field]) - Number(b[field])) * (direction === "desc" ? -1 : 1);
}

/** Matches the parts of an expression: brackets, how parts are joined, and comparisons. */
const PARTS =
  /\s*(\(|\)|AND\b|OR\b|NOT\b|\w+ (?:=|>=|<=|<|>) (?:"(?:[^"\\]|\\.)*"|-?\d+|true|false)|\w+ IN \[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])/gy;

/** Tells whether a document passes an expression: comparisons, joined by AND, OR, NOT and brackets. */
function passes(document: Document, expression: string): boolean {
  const parts = Array.from(expression.matchAll(PARTS), ([, part = ""]) => part);
  let next = 0;
  const joined = (by: "OR" | "AND", operand: () => boolean): boolean => {
    let value = operand();
    for (; parts[next] === by; ) {
      next++;
      const other = operand();
      value = by === "OR" ? value || other : value && other;
    }
    return value;
  };
  const any = (): boolean => joined("OR", () => joined("AND", single));
  const single = (): boolean => {
    const part = parts[next++] ?? "";
    if (part === "NOT") return !single();
    if (part !== "(") return holds(document, part);
    const value = any();
    next++;
    return value;
  };
  return any();
}

/** Tells whether a document has what a comparison asks for: `field = "x"`, `field >= 1`, `field IN [1, "x"]`. */
function holds(document: Document, expression: string): boolean {
  const [, field = "", operator, wanted = ""] = /^(\w+) (=|>=|<=|<|>|IN) (.*)$/s.exec(expression) ?? [];
  const value = document[field];
  if (operator === "IN") return z.array(z.unknown()).parse(JSON.parse(wanted)).includes(value);
  const compared: unknown = JSON.parse(wanted);
  // The server compares texts in any case.
  const same = (one: unknown) =>
    typeof one === "string" ? one.toLowerCase() === String(compared).toLowerCase() : one === compared;
  if (operator === "=") return Array.isArray(value) ? value.some(same) : same(value);
  if (typeof value !== "number" || typeof compared !== "number") return false;
  return (
    { ">=": value >= compared, "<=": value <= compared, ">": value > compared, "<": value < compared }[
      operator ?? ""
    ] ?? false
  );
}
