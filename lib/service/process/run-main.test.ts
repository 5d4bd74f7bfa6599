import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ConfigError } from "../config/mod.ts";
import { explainFailure, readServiceArguments, stops } from "./run-main.ts";

const PROCESS = join(import.meta.dir, "mod.ts");
const HTTP = join(import.meta.dir, "../http/mod.ts");
const children: { kill(signal?: number): void }[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill(9);
});

/** Starts a process whose main function has the given body; `port` is the free port that it listens on when it does. */
function start(body: string, env: Record<string, string> = {}) {
  const code = `import { aborted, runMain } from ${JSON.stringify(PROCESS)};
    import { listen } from ${JSON.stringify(HTTP)};
    import { once } from "node:events";
    const say = (text) => process.stdout.write(text + "\\n");
    await runMain(async (signal) => { ${body} });`;
  const child = Bun.spawn([process.execPath, "-e", code], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env.PATH, ...env },
  });
  children.push(child);
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let said = "";
  /** Waits for a line of standard output. */
  const line = async (): Promise<string> => {
    while (!said.includes("\n")) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`ended after "${said}": ${await new Response(child.stderr).text()}`);
      said += decoder.decode(value);
    }
    const at = said.indexOf("\n");
    const found = said.slice(0, at);
    said = said.slice(at + 1);
    return found;
  };
  return { child, line, stderr: () => new Response(child.stderr).text() };
}

const SERVE = `
  const server = await listen(async (request) => {
    if (new URL(request.url).pathname === "/slow") { say("asked"); await once(process.stdin, "data"); }
    if (new URL(request.url).pathname === "/stuck") { say("asked"); await new Promise(() => {}); }
    return new Response("answered");
  }, { host: "127.0.0.1", port: 0 });
  say(server.url);
  await aborted(signal);
  const stopped = server.stop(GRACE);
  say("stopping");
  await stopped;
`;

describe("a process that serves", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`finishes what is in flight after ${signal}, takes no more, and exits 0`, async () => {
      const { child, line } = start(SERVE.replace("GRACE", ""));
      const url = await line();
      const answer = fetch(`${url}/slow`).then((res) => res.text());
      expect(await line()).toBe("asked");
      child.kill(signal);
      expect(await line()).toBe("stopping");
      await expect(fetch(`${url}/more`)).rejects.toThrow();
      child.stdin.write("go on");
      child.stdin.flush();
      expect(await answer).toBe("answered");
      expect(await child.exited).toBe(0);
    });
  }

  test("cuts what is not answered in time, and still exits 0", async () => {
    const { child, line } = start(SERVE.replace("GRACE", "200"));
    const url = await line();
    const answer = fetch(`${url}/stuck`).catch(() => "cut");
    expect(await line()).toBe("asked");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(await answer).toBe("cut");
  });

  test("does not wait for idle connections", async () => {
    const { child, line } = start(SERVE.replace("GRACE", ""));
    const url = await line();
    await (await fetch(url)).text();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("ends at once at the second signal", async () => {
    const { child, line } = start('say("up"); await aborted(signal); say("told"); await new Promise(() => {});');
    await line();
    child.kill("SIGTERM");
    expect(await line()).toBe("told");
    await Bun.sleep(510);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(1);
  });

  test("takes a signal that npm passes on, too, for one, and stops in order", async () => {
    const { child, line } = start(
      'say("up"); await aborted(signal); say("told"); await Bun.sleep(200); say("stopped");',
    );
    await line();
    // One after the other, without a wait: on a busy machine a wait may be longer than what npm takes.
    child.kill("SIGINT");
    child.kill("SIGINT");
    expect(await line()).toBe("told");
    expect(await line()).toBe("stopped");
    expect(await child.exited).toBe(0);
  });
});

describe("a process under supervision", () => {
  const WAIT = 'say("up"); await aborted(signal); say(signal.reason.message);';

  test("stops when its standard input ends", async () => {
    const { child, line } = start(WAIT, { ISNAD_SUPERVISED: "1" });
    await line();
    child.stdin.end();
    expect(await line()).toBe("the supervisor is gone");
    expect(await child.exited).toBe(0);
  });

  test("minds its standard input only then", async () => {
    const { child, line } = start(WAIT);
    await line();
    child.stdin.end();
    await Bun.sleep(150);
    child.kill("SIGTERM");
    expect(await line()).toBe("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});

describe("a process that cannot run", () => {
  test("says in one line that the port is in use, and exits 1", async () => {
    const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("mine") });
    const { child, stderr } = start(
      `await listen(() => new Response(""), { host: "127.0.0.1", port: ${taken.port} });`,
    );
    expect(await child.exited).toBe(1);
    expect(await stderr()).toBe(
      `port ${taken.port} on 127.0.0.1 is in use: stop the other process or choose another port\n`,
    );
    await taken.stop(true);
  });

  test("says what failed in one line, and exits 1", async () => {
    const { child, stderr } = start('throw Object.assign(new Error("x"), { code: "EROFS", path: "/data" });');
    expect(await child.exited).toBe(1);
    expect(await stderr()).toBe("/data cannot be written: check DATA_DIR and its permissions\n");
  });

  test("shows the stack of an error that nobody expected", async () => {
    const { child, stderr } = start('setTimeout(() => { throw new Error("stray"); }, 5); await aborted(signal);');
    expect(await child.exited).toBe(1);
    expect(await stderr()).toMatch(/^stray\n.*at .*/s);
  });

  test("exits 0 when the signal interrupted its start", async () => {
    const { child, line } = start('say("up"); await aborted(signal); signal.throwIfAborted();');
    await line();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});

const usage = { name: "api", summary: "The central API.", portOption: "API_PORT" };
const ROOT = join(import.meta.dirname, "../../..");

test("a service without arguments runs", () => {
  expect(readServiceArguments([], usage)).toBeUndefined();
});

test("--help wins over whatever else is there", () => {
  for (const argv of [["--help"], ["-h"], ["--port", "1", "--help"]]) {
    expect(readServiceArguments(argv, usage)).toMatchObject({ to: "stdout", code: 0 });
  }
});

test("anything else is wrong usage, and named", () => {
  for (const argument of ["--port=1", "serve", "-x", ""]) {
    const printed = readServiceArguments([argument], usage);
    expect(printed).toMatchObject({ to: "stderr", code: 2 });
    expect(printed?.text).toStartWith(`api: unexpected argument: ${argument}\nTry: bun run api --help`);
  }
});

const ENTRIES = {
  api: "api/main.ts",
  workers: "workers/main.ts",
  scraper: "scraper/main.ts",
  retrieval: "nlp/retrieval/main.ts",
  nlp: "nlp/linguistic/main.ts",
  edge: "edge/main.ts",
  up: "cli/up/main.ts",
  demo: "cli/demo/main.ts",
};

/** Runs a program with an argument, over a database that nobody can reach: one that started would fail. */
async function endOf(entry: string, argument: string) {
  const env = { PATH: process.env.PATH, DATABASE_URL: "postgres://127.0.0.1:1/none", DATA_DIR: "/nonexistent" };
  const command = [process.execPath, join(ROOT, entry), argument];
  const child = Bun.spawn(command, { env, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

test.each(Object.entries(ENTRIES))(
  "%s prints its help and starts nothing",
  async (name, entry) => {
    expect(await endOf(entry, "--help")).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining(`run ${name}`),
    });
  },
  300_000,
);

// The services read their arguments as one does.
test.each([ENTRIES.edge, ENTRIES.up, ENTRIES.demo])(
  "%s ends with exit code 2 at what it does not know",
  async (entry) => {
    const wrong = { code: 2, out: "", err: expect.stringContaining("--help") };
    expect(await endOf(entry, "--unheard-of")).toMatchObject(wrong);
  },
  300_000,
);

test("the first stop is told its reason, the same one passed on is none, and a later one is another", async () => {
  const told: string[] = [];
  const stop = stops(
    (reason) => void told.push(reason),
    () => void told.push("again"),
  );
  stop("SIGINT");
  stop("SIGINT");
  stop("SIGTERM");
  expect(told).toEqual(["SIGINT"]);
  await Bun.sleep(510);
  stop("SIGINT");
  expect(told).toEqual(["SIGINT", "again"]);
});

const system = (code: string, path?: string) => Object.assign(new Error(`${code}: it failed`), { code, path });

test("a full disk is named, wherever the error says so", () => {
  expect(explainFailure(system("ENOSPC", "/data/x"))).toBe("the disk is full (/data/x): free space and start again");
  expect(explainFailure(new Error("insert failed", { cause: system("53100") }))).toBe(
    "the disk is full: free space and start again",
  );
  expect(explainFailure(Object.assign(new Error("full"), { code: "ERR_SQLITE_ERROR", errcode: 13 }))).toStartWith(
    "the disk is full",
  );
});

test("a folder that cannot be written is named", () => {
  for (const code of ["EROFS", "EACCES", "EPERM"]) {
    expect(explainFailure(system(code, "/data"))).toBe("/data cannot be written: check DATA_DIR and its permissions");
  }
});

test("a wrong configuration is one line that lists every variable", () => {
  const error = new ConfigError([
    { name: "A", rule: "must be set" },
    { name: "B", rule: "must be a number" },
  ]);
  expect(explainFailure(error)).toBe("configuration: A must be set; B must be a number");
});

test("any other error is one line", () => {
  expect(explainFailure(new Error("first\n  second"))).toBe("first second");
  expect(explainFailure(new TypeError(""))).toBe("TypeError");
  expect(explainFailure("text")).toBe("text");
});

test("what failed first counts, not what failed while cleaning up after it", async () => {
  const failing = async () => {
    await using opened = new AsyncDisposableStack();
    opened.defer(() => Promise.reject(new Error("second")));
    throw system("ENOSPC", "/data/x");
  };
  const error = await failing().catch((thrown: unknown) => thrown);
  expect(explainFailure(error)).toStartWith("the disk is full (/data/x)");
});
