import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { eventStream, type OutgoingEvent } from "./event-stream.ts";
import { listen, type Listening } from "./listen.ts";
import { AppError } from "./problem.ts";
import { testService } from "./testing.ts";

const open: Listening[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop(0);
});

type Source = (signal: AbortSignal) => AsyncIterable<OutgoingEvent>;

async function serve(source: Source, heartbeatMs = 15_000) {
  const service = testService();
  const outcomes: string[] = [];
  service.app.get("/events", (c) =>
    eventStream(c, source, { heartbeatMs, onEnd: (outcome) => ({ ends: outcomes.push(outcome) }) }),
  );
  const server = await listen(service.app.fetch, { host: "127.0.0.1", port: 0 });
  open.push(server);
  return { ...service, outcomes, port: server.port, url: `${server.url}/events` };
}

async function* failing(): AsyncGenerator<OutgoingEvent> {
  await Promise.reject(new AppError("service-unavailable", "not now"));
  yield delta("never");
}

const delta = (text: string): OutgoingEvent => ({ event: "delta", data: { text } });

test("events are sent byte by byte as the format has them, and the end is logged", async () => {
  const { url, lines, outcomes } = await serve(async function* () {
    yield delta("سطر\nآخر");
    yield { event: "done", data: {} };
  });
  const response = await fetch(url, { headers: { "x-request-id": "r-7" } });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("x-request-id")).toBe("r-7");
  expect(await response.text()).toBe('event: delta\ndata: {"text":"سطر\\nآخر"}\n\nevent: done\ndata: {}\n\n');
  expect(outcomes).toEqual(["done"]);
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: "stream ended", request_id: "r-7", outcome: "done", ends: 1 }),
  );
});

test("what fails before the first event is a problem with its status, what fails later the last event", async () => {
  const early = await serve(() => failing());
  const refused = await fetch(early.url);
  expect([refused.status, refused.headers.get("content-type")]).toEqual([503, "application/problem+json"]);

  const late = await serve(async function* () {
    yield delta("a");
    throw new Error("a secret of the code");
  });
  const text = await (await fetch(late.url)).text();
  const [first, second, ...rest] = text.split("\n\n");
  expect(first).toBe('event: delta\ndata: {"text":"a"}');
  expect(rest).toEqual([""]);
  expect(second?.startsWith("event: error\ndata: ")).toBe(true);
  expect(JSON.parse(second?.split("data: ")[1] ?? "")).toEqual({
    type: "/errors/internal-error",
    title: "Internal Server Error",
    status: 500,
    detail: "The request could not be completed.",
    instance: "/events",
  });
  expect(late.outcomes).toEqual(["error"]);
});

test("events that are there together come in one piece, those that come later in their own", async () => {
  const later = Promise.withResolvers<void>();
  const { url } = await serve(async function* () {
    for (const text of ["a", "b", "c"]) yield delta(text);
    await later.promise;
    yield delta("d");
  });
  const body = (await fetch(url)).body?.getReader();
  const read = async () => new TextDecoder().decode((await body?.read())?.value);
  const whole = (texts: string[]) => texts.map((text) => `event: delta\ndata: {"text":"${text}"}\n\n`).join("");
  expect(await read()).toBe(whole(["a", "b", "c"]));
  later.resolve();
  expect(await read()).toBe(whole(["d"]));
});

test("while nothing is sent, comment lines keep the connection, and no event is lost to them", async () => {
  const later = Promise.withResolvers<void>();
  const { url } = await serve(async function* () {
    yield delta("a");
    await later.promise;
    yield delta("b");
  }, 20);
  let text = "";
  for await (const piece of (await fetch(url)).body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.split(": keep-alive").length > 2) later.resolve();
  }
  expect(text.replace(/(: keep-alive\n\n){2,}/, "*")).toBe(
    'event: delta\ndata: {"text":"a"}\n\n*event: delta\ndata: {"text":"b"}\n\n',
  );
});

test("a client that leaves aborts the signal, also while nothing comes", async () => {
  for (const silent of [true, false]) {
    const left = Promise.withResolvers<void>();
    const { port, outcomes } = await serve(async function* (signal) {
      signal.addEventListener("abort", () => left.resolve());
      yield delta("a");
      while (!signal.aborted) {
        await sleep(silent ? 60_000 : 10, undefined, { signal }).catch(() => signal.throwIfAborted());
        yield delta("b");
      }
    }, 20);
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    socket.once("data", () => socket.destroy());
    await left.promise;
    while (outcomes.length === 0) await sleep(5);
    expect(outcomes).toEqual(["left"]);
  }
});

test("a stream that the stop of the service would cut ends with an error, and so does its source", async () => {
  for (const silent of [true, false]) {
    let isOver = false;
    const { url, outcomes } = await serve(async function* (signal) {
      try {
        for (yield delta("a"); ; yield delta("b")) await sleep(silent ? 60_000 : 10, undefined, { signal });
      } finally {
        isOver = true;
      }
    });
    const text = (await fetch(url)).text();
    const [server] = open.splice(0);
    await server?.stop(600);
    const events = (await text).split("\n\n").filter((event) => !event.startsWith("event: delta"));
    const detail = "The service stops; ask again.";
    const problem = { type: "/errors/service-unavailable", title: "Service Unavailable", status: 503, detail };
    expect(events).toEqual([`event: error\ndata: ${JSON.stringify({ ...problem, instance: "/events" })}`, ""]);
    expect(outcomes).toEqual(["error"]);
    while (!isOver) await sleep(5);
  }
});

test("a source is not read faster than the client reads", async () => {
  let made = 0;
  const { port } = await serve(async function* () {
    for (; made < 2000; made++) yield delta("x".repeat(100_000));
  });
  const socket = connect(port, "127.0.0.1", () => socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  for (let before = -1; before !== made; ) {
    before = made;
    await sleep(100);
  }
  expect(made).toBeLessThan(500);
  socket.destroy();
});
