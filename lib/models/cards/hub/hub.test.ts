import { afterAll, afterEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { download, type HubFile } from "./hub.ts";

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
  expect(await failure(hub)).toMatchObject({ code: "model-altered", message: expect.stringContaining("larger than") });
});
