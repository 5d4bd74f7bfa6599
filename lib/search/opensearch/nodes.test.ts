import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { z } from "zod";
import { EngineError } from "../engines/error.ts";
import { firstAnswer, multiSearch, type OpenSearch, openSearchClient, SearchAnswer } from "./client.ts";
import { currentIndex } from "./indices.ts";

type Answer = { status?: number; body: unknown };
/** A node that answers as it is told; undefined: it takes the request and never answers. */
type Node = { url: string; asked: string[]; answer: (path: string) => Answer | undefined; server: Server };

const opened: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

const HITS = { body: { responses: [{ status: 200, took: 1 }] } };
const LOST_SHARD = { status: 503, error: { type: "search_phase_execution_exception", reason: "a node left" } };

async function startNode(answer: Node["answer"] = () => HITS): Promise<Node> {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    request.resume().on("end", () => {
      // Whether a node that was gone is back.
      if (request.method === "HEAD") {
        response.end();
        return;
      }
      node.asked.push(path);
      const given = node.answer(path);
      if (given === undefined) return;
      response.writeHead(given.status ?? 200, { "content-type": "application/json" }).end(JSON.stringify(given.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const node: Node = { url: `http://127.0.0.1:${port}`, asked: [], answer, server };
  opened.push({ close: () => stop(node) });
  return node;
}

function stop({ server }: Node): void {
  server.close();
  server.closeAllConnections();
}

function cluster(nodes: readonly Node[]): OpenSearch {
  const search = openSearchClient({ urls: nodes.map(({ url }) => url), prefix: "test", shards: 1, replicas: 1 });
  opened.push(search);
  return search;
}

const searchOf = (search: OpenSearch) =>
  multiSearch(search, { index: "articles", answer: SearchAnswer }, [{ size: 1 }]);
const Any = z.unknown();
const askedOf = (nodes: readonly Node[]) => nodes.map(({ asked }) => asked.length);

describe("a cluster that loses a node", () => {
  test("answers every search of the nodes that are left, and asks the lost one no more", async () => {
    const nodes = await Promise.all([startNode(), startNode(), startNode()]);
    const search = cluster(nodes);
    for (let i = 0; i < 3; i++) await searchOf(search);
    expect(askedOf(nodes)).toEqual([1, 1, 1]);
    const [lost] = nodes;
    if (lost) stop(lost);
    for (let i = 0; i < 6; i++) expect(await searchOf(search)).toHaveLength(1);
    expect(askedOf(nodes).slice(1)).toEqual([4, 4]);
  });

  test("answers a search that the node had taken when it was lost", async () => {
    const taken: Node[] = [];
    const nodes = await Promise.all([startNode(), startNode()]);
    for (const node of nodes) {
      node.answer = () => {
        if (taken.length > 0) return HITS;
        taken.push(node);
        stop(node);
        return undefined;
      };
    }
    expect(await searchOf(cluster(nodes))).toHaveLength(1);
    expect(taken).toHaveLength(1);
  });

  test("is asked again where a shard was lost in the midst of a search, of another node", async () => {
    const failing = () => ({ body: { responses: [LOST_SHARD] } });
    const nodes = await Promise.all([startNode(failing), startNode(failing), startNode()]);
    expect(await searchOf(cluster(nodes))).toHaveLength(1);
    expect(askedOf(nodes)).toEqual([1, 1, 1]);
  });

  test("that lost all of them is away", async () => {
    const nodes = await Promise.all([startNode(), startNode()]);
    for (const node of nodes) stop(node);
    const error = await searchOf(cluster(nodes)).catch((error) => error);
    expect(error).toMatchObject({ name: "EngineError", reason: "away" });
    expect(String(error)).toContain("/articles/_msearch");
  });

  test("that refuses a search is asked once", async () => {
    const refused = { status: 400, error: { type: "parsing_exception", reason: "no such query" } };
    const node = await startNode(() => ({ body: { responses: [refused] } }));
    await expect(searchOf(cluster([node, await startNode(node.answer)]))).rejects.toThrow("no such query");
    expect(node.asked).toHaveLength(1);
  });
});

describe("a node that takes requests and does not answer", () => {
  test("is joined by another one after a while, and gets no more until it has answered", async () => {
    const nodes = await Promise.all([startNode(() => undefined), startNode(), startNode()]);
    const search = cluster(nodes);
    const ask = () =>
      firstAnswer(() => search.request(Any, { method: "GET", path: "/x", timeoutMs: 20_000, retries: 0 }), {
        hedgeMs: 100,
      });
    for (let i = 0; i < 9; i++) await ask();
    expect(askedOf(nodes)[0]).toBe(1);
    expect(Math.min(...askedOf(nodes).slice(1))).toBeGreaterThanOrEqual(4);
  });

  test("fails what is asked when no other one answers in time either", async () => {
    const nodes = await Promise.all([startNode(() => undefined), startNode(() => undefined)]);
    const search = cluster(nodes);
    const asked = firstAnswer(() => search.request(Any, { method: "GET", path: "/x", timeoutMs: 4_000, retries: 0 }), {
      ...{ hedgeMs: 5, withinMs: 1_000 },
    });
    const error = await asked.catch((error) => error);
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ reason: "away", message: "opensearch: no answer within 1000 ms" });
    expect(askedOf(nodes)).toEqual([1, 1]);
  });
});

describe("what an index is", () => {
  const mapping = { "articles-1": { mappings: { _meta: { version: "1" } } } };
  const none = { status: 404, body: { error: { type: "index_not_found_exception", reason: "none" } } };

  test("is known to every node, whether or not one manages the cluster", async () => {
    const node = await startNode((path) => (path.includes("local=true") ? { body: mapping } : undefined));
    expect(await currentIndex(cluster([node]), "articles")).toEqual({ name: "articles-1", meta: { version: "1" } });
  });

  test("is asked of the node that manages the cluster where another one knows of none", async () => {
    const node = await startNode((path) => (path.includes("local=true") ? none : { body: mapping }));
    expect(await currentIndex(cluster([node]), "articles")).toMatchObject({ name: "articles-1" });
    node.answer = () => none;
    expect(await currentIndex(cluster([node]), "articles")).toBeUndefined();
  });
});
