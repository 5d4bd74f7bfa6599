import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { until } from "@isnad/lib/std/testing-until";
import { freePort } from "../../lib/std/ports.ts";
import {
  baseUrl,
  eachLine,
  type Ending,
  keepRunning,
  prefixed,
  refusePortsInUse,
  type StackService,
  StartError,
  startStack,
  Tail,
} from "./stack.ts";

const HOST = "127.0.0.1";
const FAKE = join(import.meta.dirname, "testing/fake-service.ts");

async function fake(name: string, ...words: string[]): Promise<StackService> {
  const port = await freePort(HOST);
  const command = [process.execPath, FAKE, String(port), ...words];
  return { name, command, port, portOption: `${name.toUpperCase()}_PORT`, healthPath: "/health" };
}

function start(...services: StackService[]) {
  const log: string[] = [];
  const pids: [string, number][] = [];
  const stack = startStack({
    services,
    host: HOST,
    cwd: import.meta.dirname,
    env: { ...process.env, FAKE_SETTINGS: "given" },
    write: (text) => log.push(text),
    onPid: (name, pid) => pids.push([name, pid]),
    backoff: () => 10,
    sayEveryMs: 20,
  });
  return { stack, log, pids };
}

test("the stack is ready once every service answers", async () => {
  const [one, slow] = [await fake("one"), await fake("slow", "slow")];
  const { stack, log } = start(one, slow);
  await stack.ready;
  expect((await fetch(`${baseUrl(HOST, slow.port)}/health`)).status).toBe(200);
  expect(Object.keys(stack.pids())).toEqual(["one", "slow"]);
  await stack.stop(120_000);
  expect(log.join("")).toContain("slow      | bye\n");
  expect(stack.pids()).toEqual({});
});

test("a service that answers is not ready before it says so; what it waits for is told", async () => {
  const filling = await fake("filling", "filling");
  const { stack, log } = start(filling);
  const order: string[] = [];
  const ready = stack.ready.then(() => order.push("ready"));
  while (!log.join("").includes("filling answers, and waits for: indexes")) await Bun.sleep(5);
  expect((await fetch(`${baseUrl(HOST, filling.port)}/health`)).status).toBe(200);
  expect(order).toEqual([]);
  await fetch(`${baseUrl(HOST, filling.port)}/fill`);
  await ready;
  await stack.stop(120_000);
});

test("a service's defaults hold where nothing else is said, by everybody's environment or its own", async () => {
  const service = await fake("one");
  const { stack } = start({ ...service, defaults: { FAKE_SETTINGS: "default", FAKE_OWN: "default" } });
  const other = await fake("two");
  const { stack: second } = start({ ...other, defaults: { FAKE_OWN: "default" }, env: { FAKE_OWN: "own" } });
  await Promise.all([stack.ready, second.ready]);
  const said = async ({ port }: StackService) => (await fetch(baseUrl(HOST, port))).text();
  expect([await said(service), await said(other)]).toEqual(["given default", "given own"]);
  await Promise.all([stack.stop(120_000), second.stop(120_000)]);
});

test("a service that is killed comes back under another process id", async () => {
  const service = await fake("one");
  const { stack, log, pids } = start(service);
  await stack.ready;
  const { one: pid } = stack.pids();
  if (pid === undefined) throw new Error("it does not run");
  process.kill(pid, "SIGKILL");
  while (pids.length < 2) await Bun.sleep(5);
  while (!(await fetch(`${baseUrl(HOST, service.port)}/health`).catch(() => null))?.ok) await Bun.sleep(5);
  expect(log.join("")).toContain("one was ended by SIGKILL and is started again");
  await stack.stop(120_000);
});

test("a service that fails once at its start does not stop the stack", async () => {
  const service = await fake("one", "fails-once", join(tmpdir(), `isnad-once-${process.pid}-${performance.now()}`));
  const { stack, pids } = start(service);
  await stack.ready;
  expect(pids).toHaveLength(2);
  await stack.stop(120_000);
});

test("a service that never starts ends the wait with its own last words", async () => {
  const { stack, pids } = start(await fake("one"), await fake("broken", "broken"));
  expect(await stack.ready.catch((error) => error)).toBeInstanceOf(StartError);
  expect(await stack.ready.catch((error) => error.message)).toBe("broken does not start: the model is missing");
  expect(pids.filter(([name]) => name === "broken")).toHaveLength(3);
  await stack.stop(120_000);
});

test("a stop before everything is ready leaves no process", async () => {
  const { stack } = start(await fake("one", "never-ready"));
  await stack.stop(120_000);
  expect(stack.pids()).toEqual({});
  expect(await stack.ready.catch((error) => error.message)).toBe("stopped before everything was ready");
});

test("a port in use is named together with its option", async () => {
  const service = await fake("one");
  await refusePortsInUse(HOST, [service]);
  const other = Bun.serve({ port: service.port, hostname: HOST, fetch: () => new Response() });
  await expect(refusePortsInUse(HOST, [service])).rejects.toThrow(`port ${service.port} (ONE_PORT) is in use`);
  await other.stop(true);
});

test("a port that two services are given is named with both options", async () => {
  const [one, two] = [await fake("one"), await fake("two")];
  await expect(refusePortsInUse(HOST, [one, { ...two, port: one.port }])).rejects.toThrow(
    `ONE_PORT and TWO_PORT are both ${one.port}`,
  );
  // The same number on another address is another port.
  await refusePortsInUse(HOST, [one, { ...two, port: one.port, host: "127.0.0.2" }]);
});

test("URLs are shown with an address that can be called", () => {
  expect(baseUrl("0.0.0.0", 1)).toBe("http://127.0.0.1:1");
  expect(baseUrl("::", 1)).toBe("http://[::1]:1");
  expect(baseUrl("fd00::2", 1)).toBe("http://[fd00::2]:1");
  expect(baseUrl("10.0.0.7", 1)).toBe("http://10.0.0.7:1");
});

const quick = () => 10;

function child(script: string, onEnd: (ending: Ending) => boolean = () => false) {
  const lines: string[] = [];
  const pids: number[] = [];
  const it = keepRunning(
    { name: "it", command: [process.execPath, "-e", script], cwd: import.meta.dirname, env: process.env },
    { onLine: (line) => lines.push(line), onStart: (pid) => pids.push(pid), onEnd },
    quick,
  );
  return { it, lines, pids };
}

const WAITS = "setInterval(() => {}, 1000); process.stdout.write('here\\n');";

test("what the process writes to either stream is heard line by line", async () => {
  let ending: Ending | undefined;
  const { lines } = child("console.log('out'); console.error('err')", (e) => {
    ending = e;
    return false;
  });
  await until(() => ending !== undefined);
  expect(lines.toSorted()).toEqual(["err", "out"]);
  expect(ending?.code).toBe(0);
});

test("a process that ends by itself is started again, and its last line is told", async () => {
  const endings: Ending[] = [];
  const { pids } = child("console.error('port taken'); process.exit(3)", (ending) => {
    endings.push(ending);
    return endings.length < 3;
  });
  await until(() => endings.length === 3);
  expect(endings[0]).toEqual({ code: 3, signal: null, lastLine: "port taken" });
  expect(new Set(pids).size).toBe(3);
});

test("a process that is killed is started again", async () => {
  const { it, lines, pids } = child(WAITS, () => true);
  await until(() => lines.length === 1);
  process.kill(it.pid() ?? 0, "SIGKILL");
  await until(() => lines.length === 2);
  expect(pids).toHaveLength(2);
  await it.stop(60_000);
});

test("a stop is SIGTERM and no restart", async () => {
  const { it, lines, pids } = child(`process.on('SIGTERM', () => { console.log('bye'); process.exit(0) }); ${WAITS}`);
  await until(() => lines.length === 1);
  await it.stop(120_000);
  expect(lines).toEqual(["here", "bye"]);
  expect(it.pid()).toBeUndefined();
  await Bun.sleep(40);
  expect(pids).toHaveLength(1);
});

test("a process that ignores SIGTERM is killed when its time is over", async () => {
  const { it, lines } = child(`process.on('SIGTERM', () => {}); ${WAITS}`);
  await until(() => lines.length === 1);
  await it.stop(100);
  expect(it.pid()).toBeUndefined();
});

test("a stop during the pause before a restart leaves nothing running", async () => {
  let ends = 0;
  const { it, pids } = child("process.exit(1)", () => {
    ends++;
    return true;
  });
  await until(() => ends === 1);
  await it.stop(100);
  await Bun.sleep(40);
  expect(pids).toHaveLength(1);
});

/** A script that starts a process of its own, which keeps the streams open, and says its id. */
const HOLDS_STREAMS = `const it = require('node:child_process').spawn('sleep', ['120'], { stdio: 'inherit', detached: true });
  it.unref(); console.log(it.pid);`;

test("a stop is over once nothing runs, also where a process of its own keeps the streams open", async () => {
  const { it, lines } = child(
    `process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); ${HOLDS_STREAMS}`,
  );
  await until(() => lines.length === 1);
  await it.stop(120_000);
  expect(it.pid()).toBeUndefined();
  process.kill(Number(lines[0]), "SIGKILL");
});

test("an end is noticed although a process of its own keeps the streams open", async () => {
  let ended = false;
  const { lines } = child(HOLDS_STREAMS, () => {
    ended = true;
    return false;
  });
  await until(() => ended && lines.length === 1);
  process.kill(Number(lines[0]), "SIGKILL");
});

test("a program that is not there ends at once, with the reason", async () => {
  let ending: Ending | undefined;
  keepRunning(
    { name: "none", command: ["/nowhere/program"], cwd: import.meta.dirname, env: {} },
    {
      onLine: () => {},
      onStart: () => {},
      onEnd: (e) => {
        ending = e;
        return false;
      },
    },
  );
  await until(() => ending !== undefined);
  expect(ending?.lastLine).toContain("ENOENT");
});

test("the process sees the end of its standard input when the supervisor is killed", async () => {
  const script = `
    import { keepRunning } from ${JSON.stringify(`${import.meta.dirname}/stack.ts`)};
    keepRunning(
      { name: "c", command: [process.execPath, "-e", "process.stdin.on('end', () => process.exit(0)); process.stdin.resume()"],
        cwd: ".", env: process.env },
      { onLine() {}, onStart: (pid) => console.log(pid), onEnd: () => false });
  `;
  const supervisor = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stdin: "ignore" });
  const pid = Number(new TextDecoder().decode((await supervisor.stdout.getReader().read()).value));
  supervisor.kill("SIGKILL");
  await supervisor.exited;
  await until(() => !alive(pid));
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)])
      .stdout.toString()
      .startsWith("Z");
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

test("a log line carries the name of its process in a column", () => {
  expect(prefixed("api", "hello")).toBe("api       | hello\n");
  expect(prefixed("retrieval", "hello")).toBe("retrieval | hello\n");
});

test("lines come whole, however the bytes were cut, and the last needs no newline", async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  eachLine(stream, (line) => lines.push(line));
  stream.write("on");
  stream.write("e\ntwo\r\nلا");
  stream.end("st");
  while (lines.length < 3) await Bun.sleep(1);
  expect(lines).toEqual(["one", "two", "لاst"]);
});

test("the tail remembers the last line that says something", () => {
  const tail = new Tail(2);
  expect(tail.last()).toBe("");
  for (const line of ["a", "b", "c", "  "]) tail.push(line);
  expect(tail.last()).toBe("c");
});

test("the tail passes over what surrounds an error", () => {
  const tail = new Tail();
  const lines = [
    "1 | import x",
    "    ^",
    "SyntaxError: no such export",
    "      at main.ts:3:4",
    "",
    "Bun v1.4.4 (Linux x64)",
  ];
  for (const line of lines) tail.push(line);
  expect(tail.last()).toBe("SyntaxError: no such export");
});
