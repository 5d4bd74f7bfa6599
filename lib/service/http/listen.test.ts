import { afterEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { jsonBody } from "./body.ts";
import { ListenError, type Listening, listen } from "./listen.ts";
import { testService } from "./testing.ts";

const open: Listening[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop(0);
});

async function serve(over = {}) {
  const service = testService();
  service.app.post("/in", jsonBody({ limit: 100_000 }), async (c) => c.json({ length: (await c.req.text()).length }));
  const server = await listen(service.app.fetch, { host: "127.0.0.1", port: 0, ...over });
  open.push(server);
  return { ...service, server };
}

/** Speaks raw HTTP: sends `head`, then `chunk` again and again until an answer comes. */
function speak(port: number, head: string, chunk?: string): Promise<{ answer: string; sent: number }> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(head);
      pump();
    });
    const pump = (): void => {
      if (chunk === undefined || socket.destroyed) return;
      sent += chunk.length;
      socket.write(chunk, () => setTimeout(pump, 1));
    };
    socket.on("data", (data) => {
      resolve({ answer: data.toString(), sent });
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

const head = (...lines: string[]) =>
  ["POST /in HTTP/1.1", "Host: localhost", "Content-Type: application/json", ...lines, "", ""].join("\r\n");

describe("listen()", () => {
  test("tells the address of a free port", async () => {
    const { server } = await serve();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  });

  test("explains why it cannot listen", async () => {
    const { server } = await serve();
    const again = listen(() => new Response(""), { host: "127.0.0.1", port: server.port });
    await expect(again).rejects.toThrow(ListenError);
    await expect(again).rejects.toThrow(`port ${server.port} on 127.0.0.1 is in use`);
    await expect(listen(() => new Response(""), { host: "192.0.2.1", port: 0 })).rejects.toThrow("cannot listen");
  });
});

describe("over the wire", () => {
  test("a URL with 20,000 characters of four bytes reaches its route", async () => {
    const { app, server } = await serve();
    app.get("/length", (c) => c.text(String(c.req.query("text")?.length)));
    const text = encodeURIComponent("😀".repeat(20_000));
    const response = await fetch(`${server.url}/length?text=${text}`);
    expect([response.status, await response.text()]).toEqual([200, "40000"]);
  });

  test("a declared length over the limit is answered before the body comes", async () => {
    const { server } = await serve();
    const { answer } = await speak(server.port, head("Content-Length: 99999999999"));
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(answer.toLowerCase()).toContain("content-type: application/problem+json");
    expect(answer.toLowerCase()).toContain("x-request-id: ");
  });

  test("an endless body without a length is answered soon after the limit", async () => {
    const { server } = await serve();
    const chunk = `2710\r\n${"x".repeat(10_000)}\r\n`;
    const { answer, sent } = await speak(server.port, head("Transfer-Encoding: chunked"), chunk);
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(sent).toBeLessThan(1_000_000);
  });

  test("a connection goes on after a refused body", async () => {
    const { server } = await serve();
    for (let round = 0; round < 3; round++) {
      const body = "x".repeat(150_000);
      const refused = await fetch(`${server.url}/in`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      expect(refused.status).toBe(413);
      await refused.text();
      expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    }
  });

  test("a client that goes away in the middle of its body is no server error", async () => {
    const { server, lines } = await serve();
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () => {
        socket.write(`${head("Content-Length: 5000")}{"a":`);
        setTimeout(() => socket.destroy(), 50);
      });
      socket.on("close", () => resolve());
    });
    const deadline = Date.now() + 30_000;
    while (lines.length === 0 && Date.now() < deadline) await Bun.sleep(10);
    expect(lines).toMatchObject([{ status: 400, level: "info", path: "/in" }]);
  });

  test("what is sent behind a request in work ends the connection, and reaches no handler", async () => {
    const { app, server } = await serve();
    const begun: string[] = [];
    const held = Promise.withResolvers<void>();
    app.get("/held/:name", async (c) => {
      begun.push(c.req.param("name"));
      await held.promise;
      return c.text("");
    });
    const ask = (name: string) => `GET /held/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const received = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(server.port, "127.0.0.1", () => socket.write(ask("first") + ask("second")));
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("close", () => resolve(text));
    });
    held.resolve();
    expect([received, begun]).toEqual(["", ["first"]]);
    expect((await fetch(`${server.url}/held/third`)).status).toBe(200);
  });
});
