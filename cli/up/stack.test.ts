import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../lib/std/ports.ts";
import { baseUrl, refusePortsInUse, type StackService, StartError, startStack } from "./stack.ts";

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
