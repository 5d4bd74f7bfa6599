import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmbedder } from "../tasks/embed/embedder.ts";
import { CATALOGUE, type CatalogueEntry, catalogueEntry, download, type HubFile, pullModel } from "./hub.ts";
import { type HubImitation, imitateHub } from "./testing.ts";
import { openRegistry } from "./registry.ts";

describe("pull", () => {
  const PATHS = { model: "onnx/model_quantized.onnx", tokenizer: "tokenizer.json" };
  const entry: CatalogueEntry = {
    name: "tiny",
    task: "embed",
    repo: "someone/Tiny-Encoder",
    languages: ["ar", "en"],
    description: "A table of token vectors.",
    licence: "MIT",
    architecture: "encoder",
    dims: 8,
    pooling: "mean",
    files: { "model.onnx": PATHS.model, "tokenizer.json": PATHS.tokenizer },
  };
  const { signal } = new AbortController();

  let hub: HubImitation;
  let dir: string;
  beforeEach(async () => {
    hub = await imitateHub(entry.repo, PATHS);
    dir = mkdtempSync(join(tmpdir(), "isnad-pull-"));
  });
  afterEach(async () => {
    await hub.close();
    rmSync(dir, { recursive: true });
  });

  const pull = (more: { stallMs?: number } = {}) => pullModel(entry, { hub, dir, signal, pauseMs: 1, ...more });
  const failure = (pulling: Promise<unknown>) =>
    pulling.then(
      () => undefined,
      (error: unknown) => error,
    );

  test("a pulled model has a card with checksums, passes verification, and embeds", async () => {
    const { card, outcome } = await pull();
    expect(outcome).toBe("pulled");
    expect(card).toMatchObject({ name: "tiny", revision: "1f".repeat(6), dims: 8, licence: "MIT" });
    const registry = openRegistry({ dirs: [dir] });
    await registry.verify("tiny");
    const embedder = await createEmbedder({ registry, model: "tiny" });
    const [first, second] = await embedder.embed(["رفع البنك المركزي أسعار الفائدة", "Prices rose"], "passage");
    expect([first?.length, second?.length]).toEqual([8, 8]);
    await embedder.close();
    expect(readdirSync(dir).toSorted()).toEqual([".lock-tiny", "tiny"]);
  });

  test("of two pulls of one model at the same time one is refused, and the model is whole", async () => {
    Object.assign(hub.faults, { breakAfter: 4000, breaks: 2 });
    const ends = await Promise.allSettled([pull({ stallMs: 700 }), pull({ stallMs: 700 })]);
    expect(ends.toSorted((a, b) => a.status.localeCompare(b.status))).toMatchObject([
      { status: "fulfilled", value: { outcome: "pulled" } },
      { status: "rejected", reason: { code: "hub-failed", message: "tiny is being pulled already" } },
    ]);
    await openRegistry({ dirs: [dir] }).verify("tiny");
  });

  test("a pull leaves the draft of a model alone whose name begins with its own", async () => {
    const other = join(dir, ".pulling-tiny-large-1f1f1f1f1f1f");
    const old = join(dir, ".pulling-tiny-000000000000");
    for (const draft of [other, old]) mkdirSync(draft);
    await pull();
    expect([existsSync(other), existsSync(old)]).toEqual([true, false]);
  });

  test("a download whose connection falls silent goes on where it stopped", async () => {
    Object.assign(hub.faults, { breakAfter: 4000, breaks: 2 });
    await pull({ stallMs: 700 });
    const ranges = hub.requests.filter(({ path }) => path === PATHS.model).map(({ range }) => range);
    expect([ranges[0], ranges.at(-1)]).toEqual([undefined, "bytes=8000-"]);
    await openRegistry({ dirs: [dir] }).verify("tiny");
  });

  test("a download whose connection is closed too early is had in the end", async () => {
    Object.assign(hub.faults, { breakAfter: 4000, breaks: 3, closes: true });
    await pull();
    await openRegistry({ dirs: [dir] }).verify("tiny");
  });

  test("a pull that was killed goes on in the next one", async () => {
    Object.assign(hub.faults, { breakAfter: 3000, breaks: 1 });
    const abort = new AbortController();
    const broken = pullModel(entry, {
      hub,
      dir,
      signal: abort.signal,
      pauseMs: 60_000,
      onProgress: () => abort.abort(),
    });
    expect(await failure(broken)).toMatchObject({ name: "AbortError" });
    hub.requests.length = 0;
    hub.faults.breaks = 0;
    await pull();
    expect(hub.requests[0]?.range ?? "").toMatch(/^bytes=[1-9]\d*-$/);
    await openRegistry({ dirs: [dir] }).verify("tiny");
  });

  test("a hub that answers a range with the whole file is read from the start again", async () => {
    Object.assign(hub.faults, { breakAfter: 4000, breaks: 1, ignoresRange: true });
    await pull({ stallMs: 700 });
    await openRegistry({ dirs: [dir] }).verify("tiny");
  });

  test("content that is not what the hub states is refused, and nothing is installed", async () => {
    hub.faults.alters = true;
    expect(await failure(pull())).toMatchObject({ code: "model-altered" });
    expect(existsSync(join(dir, "tiny"))).toBe(false);
    hub.faults.alters = false;
    expect((await pull()).outcome).toBe("pulled");
  });

  test("a hub that sends nothing is given up in the end", async () => {
    hub.faults.stalls = true;
    expect(await failure(pull({ stallMs: 5 }))).toMatchObject({ code: "hub-failed" });
  });

  test("the same revision is not pulled twice; a new one takes the place of the old", async () => {
    await pull();
    hub.requests.length = 0;
    expect((await pull()).outcome).toBe("present");
    expect(hub.requests).toEqual([]);
    hub.commit("2e".repeat(20));
    const { outcome, card } = await pull();
    expect([outcome, card.revision]).toEqual(["pulled", "2e".repeat(6)]);
    expect(readdirSync(dir).toSorted()).toEqual([".lock-tiny", "tiny"]);
  });

  test("a file that was cut off after the pull is found by verification", async () => {
    await pull();
    truncateSync(join(dir, "tiny", "model.onnx"), 100);
    const verifying = openRegistry({ dirs: [dir] }).verify("tiny");
    expect(await failure(verifying)).toMatchObject({ code: "model-altered" });
  });

  test("a file that was cut off or taken away after the pull is there again after another", async () => {
    await pull();
    for (const harm of [(path: string) => truncateSync(path, 100), (path: string) => rmSync(path)]) {
      harm(join(dir, "tiny", "model.onnx"));
      expect((await pull()).outcome).toBe("pulled");
      await openRegistry({ dirs: [dir] }).verify("tiny");
    }
    expect((await pull()).outcome).toBe("present");
  });

  test("a pull that is given up before the hub answers ends with its reason", async () => {
    const gone = AbortSignal.abort(new Error("gone"));
    expect(await failure(pullModel(entry, { hub, dir, signal: gone }))).toMatchObject({ message: "gone" });
  });

  test("a repository that is not there, and one without the file, are named", async () => {
    const absent = pullModel({ ...entry, repo: "nobody/none" }, { hub, dir, signal });
    expect(String(await failure(absent))).toContain("nobody/none/revision/main: the hub answered 404");
    const lacking = pullModel({ ...entry, files: { "model.onnx": "other.onnx" } }, { hub, dir, signal });
    expect(String(await failure(lacking))).toContain("someone/Tiny-Encoder has no other.onnx");
  });

  test("a hub that does not answer, or answers something else, is named", async () => {
    const nobody = pullModel(entry, { hub: { url: "http://127.0.0.1:1" }, dir, signal });
    expect(await failure(nobody)).toMatchObject({ code: "hub-failed" });
  });

  test("the token goes to the hub", async () => {
    await pullModel(entry, { hub: { url: hub.url, token: "secret" }, dir, signal });
    expect(hub.requests.map(({ authorization }) => authorization)).toContain("Bearer secret");
  });

  test("a model folder that somebody else damaged is made whole again by a pull", async () => {
    await pull();
    writeFileSync(join(dir, "tiny", "model.json"), "{");
    expect((await pull()).outcome).toBe("pulled");
    expect(JSON.parse(readFileSync(join(dir, "tiny", "model.json"), "utf8"))).toMatchObject({ name: "tiny" });
  });

  test("every task that needs a large model has one that can be pulled, under a licence that allows free use", () => {
    const tasks = new Set(CATALOGUE.map(({ task }) => task));
    for (const task of ["embed", "rerank", "transcribe", "translate"] as const) expect(tasks).toContain(task);
    for (const { licence } of CATALOGUE) expect(["MIT", "Apache-2.0"]).toContain(licence);
  });

  test("an embedding model says all that is needed to run it", () => {
    for (const { task, architecture, dims, pooling, files } of CATALOGUE) {
      if (task !== "embed") continue;
      expect({ architecture, known: dims !== undefined && pooling !== undefined }).toEqual({
        architecture: "encoder",
        known: true,
      });
      expect(Object.keys(files).sort()).toEqual(["model.onnx", "tokenizer.json"]);
    }
  });

  test("a reranker is a cross-encoder with its length and its two files", () => {
    for (const { task, architecture, max_tokens, files } of CATALOGUE) {
      if (task !== "rerank") continue;
      expect({ architecture, known: max_tokens !== undefined }).toEqual({ architecture: "cross-encoder", known: true });
      expect(Object.keys(files).sort()).toEqual(["model.onnx", "tokenizer.json"]);
    }
  });

  test("names are unique, and an unknown one is answered with those there are", () => {
    expect(new Set(CATALOGUE.map(({ name }) => name)).size).toBe(CATALOGUE.length);
    expect(() => catalogueEntry("gpt")).toThrow("multilingual-e5-small");
  });
});

describe("hub", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-hub-"));
  const servers: Server[] = [];
  afterAll(() => rmSync(dir, { recursive: true }));
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
    for (const name of readdirSync(dir)) rmSync(join(dir, name));
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  }

  const content = Buffer.alloc(300_000, "weights ");
  const file: HubFile = {
    path: "model.onnx",
    bytes: content.length,
    checksum: { algorithm: "sha256", hex: createHash("sha256").update(content).digest("hex") },
  };

  async function failure(hubUrl: string, token?: string): Promise<unknown> {
    const options = { hub: { url: hubUrl, token }, signal: new AbortController().signal, pauseMs: 1 };
    return await download(`${hubUrl}/model.onnx`, file, join(dir, "model.onnx"), options).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  test("the hub's own host may be a private one; the file comes as it is", async () => {
    const hub = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("identity");
      response.end(content);
    });
    expect(await failure(hub)).toBeUndefined();
    expect(readFileSync(join(dir, "model.onnx")).equals(content)).toBe(true);
  });

  test("what a hub redirects to may not be in a private network; it is never asked", async () => {
    let asked = 0;
    const inside = await serve((_, response) => {
      asked++;
      response.end(content);
    });
    const hub = await serve((_, response) => void response.writeHead(302, { location: `${inside}/secret` }).end());
    expect(await failure(hub, "token")).toMatchObject({
      code: "hub-failed",
      message: expect.stringContaining("private-address"),
    });
    expect(asked).toBe(0);
  });

  test("more than the hub states is refused before it fills the disk", async () => {
    const hub = await serve((_, response) => {
      response.write(content);
      response.end(content);
    });
    expect(await failure(hub)).toMatchObject({
      code: "model-altered",
      message: expect.stringContaining("larger than"),
    });
  });
});
