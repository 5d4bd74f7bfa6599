import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { type Balancer, startBalancer } from "./balancer.ts";

const open: { stop(force?: boolean): Promise<void> }[] = [];
const balancers: Balancer[] = [];

afterEach(async () => {
  await Promise.all(balancers.splice(0).map((balancer) => balancer.stop(100)));
  await Promise.all(open.splice(0).map((server) => server.stop(true)));
});

type Seen = { path: string; headers: Headers; body: string };

/** A service that says its name, and remembers what it saw. */
function service(name: string, answer?: (request: Request) => Response | Promise<Response>) {
  const seen: Seen[] = [];
  const state: { ready: boolean; checks: number; held?: Promise<void> } = { ready: true, checks: 0 };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/readyz") {
        state.checks++;
        await state.held;
        return new Response("", { status: state.ready ? 200 : 503 });
      }
      seen.push({ path: pathname + search, headers: request.headers, body: await request.clone().text() });
      return answer === undefined ? new Response(name, { headers: { "X-Name": name } }) : await answer(request);
    },
  });
  open.push(server);
  return { name, url: `http://127.0.0.1:${server.port}`, seen, state, server };
}

function before(...backends: { name: string; url: string }[]): { url: string; balancer: Balancer } {
  const balancer = startBalancer({ host: "127.0.0.1", port: 0, backends, checkMs: 10 });
  balancers.push(balancer);
  return { url: `http://127.0.0.1:${balancer.port}`, balancer };
}

const text = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).text();

/** Resolves once the balancer knows of each whether it is ready: when it asks again it has heard the first answer. */
async function allChecked(...services: readonly { state: { checks: number } }[]): Promise<void> {
  while (services.some(({ state }) => state.checks < 2)) await Bun.sleep(5);
}

test("requests go to each process in turn, whole: path, query, body, headers, status, and the client's address", async () => {
  const [a, b] = [service("a"), service("b")];
  const { url } = before(a, b);
  await allChecked(a, b);
  const names = [];
  for (let i = 0; i < 4; i++) names.push(await text(`${url}/x?q=%D9%85&n=${i}`, { method: "POST", body: "مرحبا" }));
  expect(names.toSorted()).toEqual(["a", "a", "b", "b"]);
  const [first] = a.seen;
  expect(first?.path).toStartWith("/x?q=%D9%85&n=");
  expect(first?.body).toBe("مرحبا");
  expect(first?.headers.get("x-forwarded-for")).toBe("127.0.0.1");
  expect(first?.headers.get("host")).toBe(new URL(url).host);
  const missing = service("c", () => Response.json({ no: 1 }, { status: 404, headers: { "X-Request-Id": "7" } }));
  const answer = await fetch(before(missing).url);
  expect([answer.status, answer.headers.get("x-request-id"), await answer.json()]).toEqual([404, "7", { no: 1 }]);
});

test("what a client says of its address is passed on from a trusted proxy alone", async () => {
  const a = service("a");
  const headers = { "X-Forwarded-For": "192.0.2.9" };
  await fetch(before(a).url, { headers });
  const trusting = startBalancer({ host: "127.0.0.1", port: 0, backends: [a], trustedProxies: ["127.0.0.0/8"] });
  balancers.push(trusting);
  await fetch(`http://127.0.0.1:${trusting.port}`, { headers });
  expect(a.seen.map((seen) => seen.headers.get("x-forwarded-for"))).toEqual(["127.0.0.1", "192.0.2.9, 127.0.0.1"]);
});

test("a process that is not ready gets no requests, and gets them again once it is", async () => {
  const [a, b] = [service("a"), service("b")];
  const { url } = before(a, b);
  a.state.ready = false;
  while ((await text(url)) !== "b" || (await text(url)) !== "b") await Bun.sleep(5);
  expect(new Set(await Promise.all(Array.from({ length: 10 }, () => text(url))))).toEqual(new Set(["b"]));
  a.state.ready = true;
  while ((await text(url)) !== "a") await Bun.sleep(5);
});

test("a process that has not answered yet is not asked again, and holds back the question to no other", async () => {
  const [slow, b] = [service("slow"), service("b")];
  const held = Promise.withResolvers<void>();
  slow.state.held = held.promise;
  before(slow, b);
  while (b.state.checks < 10) await Bun.sleep(5);
  expect(slow.state.checks).toBeLessThan(b.state.checks);
  held.resolve();
  await allChecked(slow);
});

test("where a process is gone the request goes to the next; where all are it is 503 with Retry-After", async () => {
  const [a, b] = [service("a"), service("b")];
  const { url } = before(a, b);
  await text(url);
  await a.server.stop(true);
  for (let i = 0; i < 6; i++) expect(await text(url, { method: "POST", body: "{}" })).toBe("b");
  await b.server.stop(true);
  const none = await fetch(`${url}/a%20b?q=1`, { headers: { "X-Request-Id": "r-1" } });
  expect([none.status, none.headers.get("retry-after"), none.headers.get("x-request-id")]).toEqual([503, "1", "r-1"]);
  expect(await none.json()).toEqual({
    type: "/errors/service-unavailable",
    title: "Service Unavailable",
    status: 503,
    detail: "No process of the service answers.",
    instance: "/a%20b",
  });
});

test("where the ready ones are gone a request goes to one that was not ready when it was asked", async () => {
  const [a, b] = [service("a"), service("b")];
  b.state.ready = false;
  const balancer = startBalancer({ host: "127.0.0.1", port: 0, backends: [a, b], checkMs: 60_000 });
  balancers.push(balancer);
  const url = `http://127.0.0.1:${balancer.port}`;
  for (let alike = 0; alike < 3; ) alike = (await text(url)) === "a" ? alike + 1 : 0;
  await a.server.stop(true);
  expect(await text(url)).toBe("b");
});

test("a process that drains finishes what it has, and gets nothing more", async () => {
  const release = Promise.withResolvers<void>();
  const late = () => release.promise.then(() => new Response("late"));
  const [a, b] = [service("a", late), service("b")];
  const { url, balancer } = before(a, b);
  const asked: Promise<string>[] = [];
  while (a.seen.length === 0) {
    asked.push(text(url));
    await Bun.sleep(5);
  }
  let drained = false;
  const draining = balancer.drain("a", 300_000).then(() => {
    drained = true;
  });
  for (let i = 0; i < 5; i++) expect(await text(url)).toBe("b");
  expect(drained).toBe(false);
  release.resolve();
  await draining;
  // More than one may have been sent to it before it drained.
  const answers = (await Promise.all(asked)).filter((answer) => answer !== "b");
  expect(answers).toEqual(a.seen.map(() => "late"));
  balancer.resume("a");
});

test("an event stream comes through as it is written, and its end reaches the process when the client leaves", async () => {
  let left = false;
  const stream = () =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode("data: x\n\n"));
          await Bun.sleep(5);
        },
        cancel() {
          left = true;
        },
      }),
      { headers: { "Content-Type": "text/event-stream" } },
    );
  const { url, balancer } = before(service("a", stream));
  const stop = new AbortController();
  const response = await fetch(url, { signal: stop.signal });
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toStartWith("data: x\n\n");
  stop.abort();
  while (!left) await Bun.sleep(5);
  await balancer.drain("a", 300_000);
});

test("a request whose process ended under it is made again where that is the same, else it is 502", async () => {
  const script = `const s = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (r) => {
    if (new URL(r.url).pathname !== "/readyz") process.exit(1);
    console.log("checked");
    return new Response();
  } }); console.log(s.port)`;
  const start = async () => {
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    const lines = linesOf(child.stdout);
    const { value: port = "" } = await lines.next();
    // What the first check found is known when the second one is made.
    const known = async () => {
      for (let checks = 0; checks < 2; checks++) await lines.next();
    };
    return { name: "dies", url: `http://127.0.0.1:${port}`, known };
  };
  const [dies, other] = [await start(), service("b")];
  const { url } = before(dies, other);
  await dies.known();
  await allChecked(other);
  for (let i = 0; i < 2; i++) expect(await text(url)).toBe("b");
  const alone = await start();
  const posting = before(alone);
  await alone.known();
  expect((await fetch(posting.url, { method: "POST", body: "{}" })).status).toBe(502);
});

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}

test("a client that sends no more of its body is cut off; who has sent all of it waits as long as it takes", async () => {
  const { promise: cut, resolve } = Promise.withResolvers<void>();
  const a = service("a", async () => {
    await cut;
    return new Response("done");
  });
  const balancer = startBalancer({ host: "127.0.0.1", port: 0, backends: [a], idleS: 3 });
  balancers.push(balancer);
  const url = `http://127.0.0.1:${balancer.port}/`;
  const pieces = () => new Blob(["whole ", "body"]).stream();
  const waiting = [
    text(url, { method: "POST", body: "whole body" }),
    text(url, { method: "POST", body: pieces() }),
    text(url),
  ];
  while (a.seen.length < waiting.length) await Bun.sleep(5);
  const socket = connect(balancer.port, "127.0.0.1", () => {
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf");
  });
  socket.on("close", () => resolve());
  expect(await Promise.all(waiting)).toEqual(["done", "done", "done"]);
  expect(a.seen.map(({ body }) => body).toSorted()).toEqual(["", "whole body", "whole body"]);
}, 300_000);

test("equal lengths of a body count as one, and different ones are refused", async () => {
  const a = service("a");
  const { balancer } = before(a);
  await allChecked(a);
  const post = (...lengths: number[]): Promise<number> =>
    new Promise((resolve, reject) => {
      const head = ["POST / HTTP/1.1", "Host: a", "Connection: close", ...lengths.map((n) => `Content-Length: ${n}`)];
      const socket = connect(balancer.port, "127.0.0.1", () => socket.write(`${head.join("\r\n")}\r\n\r\nabc`));
      let answer = "";
      socket.on("data", (data) => {
        answer += data.toString();
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(Number(answer.split(" ")[1])));
    });
  expect(await post(3, 3)).toBe(200);
  expect(a.seen.map(({ body }) => body)).toEqual(["abc"]);
  expect(await post(3, 2)).toBe(400);
  expect(a.seen).toHaveLength(1);
});
