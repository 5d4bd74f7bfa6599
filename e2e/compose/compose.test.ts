import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { options } from "@isnad/lib/service/config";
import { hasRedis, sayThatRedisIsMissing, type TestRedis, testRedis } from "@isnad/lib/work/queue/testing";
import { type TestDatabase, testDatabase } from "@isnad/lib/store/testing";
import { makeSecrets } from "../../cli/compose/secrets.ts";
import { freePort } from "../../lib/std/ports.ts";
import { answers, services as processes } from "../../cli/up/services.ts";
import {
  type ComposeService,
  expressionsInMonitoring,
  filesOf,
  imageFilter,
  namesIn,
  readComposeFile,
} from "./testing-compose-file.ts";

setDefaultTimeout(300_000);
sayThatRedisIsMissing();

const ROOT = join(import.meta.dirname, "..", "..");

/** Searched by the engines that are built in: the others are tested where they are at hand. */
const file = readComposeFile({ MEILI_URL: "", MEILI_API_KEY_FILE: "", DRAIN_MS: "100", LOG_LEVEL: "warn" });
const own = Object.entries(file.services).filter(([, service]) => service.build !== undefined);
/** Options, and what `up` gives the runtime of a service. */
const known = new Set([
  ...options.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])),
  ...processes.flatMap(({ defaults }) => Object.keys(defaults ?? {})),
]);

describe("compose.yaml", () => {
  test("starts each service of the platform, by a command that the image has", () => {
    expect(own.map(([name]) => name)).toEqual(["api", "workers", "retrieval", "scraper", "nlp", "edge"]);
    for (const [, { command, healthcheck }] of own) {
      expect(command[0]).toBe("bun");
      expect(existsSync(join(ROOT, command[1] ?? ""))).toBe(true);
      expect(existsSync(join(ROOT, healthcheck.test[2] ?? ""))).toBe(true);
    }
  });

  test("gives them settings that exist, and secrets by file that are declared and made", () => {
    const dir = mkdtempSync(join(tmpdir(), "isnad-compose-secrets-"));
    expect(makeSecrets(dir).toSorted()).toEqual(Object.keys(file.secrets).toSorted());
    rmSync(dir, { recursive: true });
    for (const [name, { environment, secrets }] of own) {
      for (const [variable, value] of Object.entries(environment)) {
        expect([name, variable, known.has(variable)]).toEqual([name, variable, true]);
        if (!variable.endsWith("_FILE") || value === "") continue;
        expect(secrets).toContain(value?.replace("/run/secrets/", "") ?? "");
      }
    }
    for (const { secrets } of Object.values(file.services)) {
      for (const secret of secrets) expect(file.secrets).toHaveProperty(secret);
    }
  });

  test("tells each service where the others are, and lets every other setting come from .env", () => {
    const others = own.flatMap(([name, { environment }]) => {
      const upper = name.toUpperCase();
      return known.has(`${upper}_URL`) ? [[`${upper}_URL`, `http://${name}:${environment[`${upper}_PORT`]}`]] : [];
    });
    expect(others.map(([variable]) => variable).toSorted()).toEqual([
      ...["API_URL", "EDGE_URL", "NLP_URL", "RETRIEVAL_URL", "SCRAPER_URL"],
    ]);
    for (const [name, { environment, env_file }] of own) {
      expect([name, environment]).toEqual([name, expect.objectContaining(Object.fromEntries(others))]);
      expect([name, env_file]).toEqual([name, [{ path: ".env", required: false }]]);
    }
  });

  test("takes an engine of somebody else by settings alone, its password and certificates by file", () => {
    const mounted = (name: string) => `/run/secrets/${name}`;
    const environment = {
      ...{ MEILI_URL: "", MEILI_API_KEY_FILE: "", OPENSEARCH_URL: "https://a:9200", OPENSEARCH_USER: "u" },
      OPENSEARCH_PASSWORD_FILE: mounted("opensearch_password"),
      OPENSEARCH_CA_FILE: mounted("opensearch_ca"),
      OPENSEARCH_REPLICAS: "2",
    };
    for (const name of ["workers", "retrieval"]) {
      const service = readComposeFile(environment).services[name];
      expect(service?.environment).toMatchObject(environment);
      for (const secret of ["opensearch_password", "opensearch_ca"]) expect(service?.secrets).toContain(secret);
    }
  });

  test("lets nobody be root, write outside of volumes, or take all of the machine", () => {
    for (const [name, service] of Object.entries(file.services)) {
      expect([name, service.security_opt]).toEqual([name, ["no-new-privileges:true"]]);
      const { cpus, memory, pids } = service.deploy.resources.limits;
      expect([name, Number(cpus) > 0, /^\d+[gm]$/.test(memory), pids > 0]).toEqual([name, true, true, true]);
      for (const volume of service.volumes) expect(file.volumes).toHaveProperty(volume.split(":")[0] ?? "");
      for (const network of service.networks) expect(file.networks).toHaveProperty(network);
      for (const port of service.ports) expect([name, port]).toEqual([name, expect.stringMatching(/^127\.0\.0\.1:/)]);
    }
    for (const [name, { user, read_only, cap_drop, volumes, tmpfs }] of own) {
      expect([name, user, read_only, cap_drop]).toEqual([name, "1000:1000", true, ["ALL"]]);
      expect([...volumes, ...tmpfs].some((place) => /(^|:)\/data(:|$)/.test(place))).toBe(true);
    }
  });
});

test("the image installs every workspace as the lockfile and bunfig.toml say, with the Bun that the build uses", () => {
  const read = (name: string) => readFileSync(join(ROOT, name), "utf8");
  const dockerfile = read("Dockerfile");
  const { workspaces }: { workspaces: string[] } = JSON.parse(read("package.json"));
  for (const workspace of workspaces) {
    expect(dockerfile).toContain(`COPY ${workspace}/package.json ${workspace}/package.json\n`);
  }
  const copied = Array.from(dockerfile.matchAll(/^COPY ([^-\n].*) \S+$/gm), ([, names = ""]) =>
    names.split(" "),
  ).flat();
  expect(copied).toContain("bunfig.toml");
  for (const name of copied) expect([name, existsSync(join(ROOT, name))]).toEqual([name, true]);
  const [, version] = /BUN_VERSION=(\S+)/.exec(read(".ci/run")) ?? [];
  expect(dockerfile).toContain(`ARG BUN_VERSION=${version}\n`);
  expect(read(".dockerignore").split("\n")).toContain("!bunfig.toml");
});

test("the image has every file that its services and commands import", () => {
  const isInImage = imageFilter(readFileSync(join(ROOT, ".dockerignore"), "utf8"));
  const services = own.flatMap(([, { command, healthcheck }]) => [command[1] ?? "", healthcheck.test[2] ?? ""]);
  const files = filesOf(ROOT, [...new Set(services), "cli/main.ts", "tools/install.ts"]);
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => !isInImage(file))).toEqual([]);
  expect(["README.md", "lib/store/testing.ts", "cli/demo/main.ts", "api/app.test.ts"].filter(isInImage)).toEqual([]);
});

/** A `.env` that has, for another stack, each secret that the file gives the services. */
const dotEnv = Object.fromEntries(
  own
    .flatMap(([, { environment }]) => Object.entries(environment))
    .filter(([variable, value]) => variable.endsWith("_FILE") && value !== "")
    .map(([variable]) => [variable.replace(/_FILE$/, ""), "postgres://elsewhere/isnad"]),
);

describe.skipIf(!hasRedis)("the services of compose.yaml", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-compose-"));
  const children = new Map<string, Bun.Subprocess<"ignore", "ignore", "pipe">>();
  const ports = new Map<string, number>();
  let database: TestDatabase;
  let redis: TestRedis;

  beforeAll(async () => {
    database = await testDatabase({ empty: true });
    redis = await testRedis();
    makeSecrets(dir);
    rmSync(join(dir, "database_url"));
    writeFileSync(join(dir, "database_url"), database.url);
  });

  afterAll(async () => {
    for (const child of children.values()) {
      child.kill("SIGKILL");
      await child.exited;
    }
    await redis.stop();
    await database.drop();
    rmSync(dir, { recursive: true });
  });

  /** A text of the file with the containers' hosts, ports and folders replaced by those of this test. */
  function here(text: string, service: string): string {
    return text
      .replace("/run/secrets/", `${dir}/`)
      .replace(/^\/data$/, join(dir, "data", service))
      .replace("redis://redis:6379", redis.url)
      .replaceAll(/(127\.0\.0\.1|[a-z]+):(\d{4})\b/g, (_, host: string, port: string) => {
        const name = host === "127.0.0.1" ? service : host;
        return `127.0.0.1:${ports.get(name) ?? port}`;
      })
      .replace(/^0\.0\.0\.0$/, "127.0.0.1");
  }

  /** The environment of a service: what the file sets, and what it leaves of {@link dotEnv}. */
  function environmentOf(name: string, { environment }: ComposeService): Record<string, string> {
    const entries = Object.entries(environment).map(([variable, value]) => {
      const port = /^([A-Z]+)_PORT$/.exec(variable)?.[1]?.toLowerCase();
      return [variable, port === undefined ? here(value ?? "", name) : String(ports.get(port) ?? value)];
    });
    return { ...dotEnv, ...Object.fromEntries(entries) };
  }

  test("come up over real servers by their own command, environment and health check, take an article, find it, and stop", async () => {
    for (const [name] of own) ports.set(name, await freePort());
    for (const [name, service] of own) {
      mkdirSync(join(dir, "data", name), { recursive: true });
      const [, ...args] = service.command;
      const env = { PATH: process.env.PATH, ...environmentOf(name, service) };
      const child = Bun.spawn([process.execPath, ...args], {
        ...{ cwd: ROOT, env, stdin: "ignore" as const, stdout: "ignore" as const, stderr: "pipe" as const },
      });
      children.set(name, child);
    }
    await Promise.all(own.map(([name, service]) => healthy(name, service)));
    const api = `http://127.0.0.1:${ports.get("api")}`;
    const token = readFileSync(join(dir, "ingest_token"), "utf8").trim();
    const content = "The harbour council met on Tuesday to decide whether the old ferry line should be kept. ".repeat(
      4,
    );
    const posted = await fetch(`${api}/v1/ingest/articles`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ source_id: "s", external_id: "1", url: "https://a.test/1", title: "The ferry", content }),
    });
    expect(posted.status).toBe(202);
    // Workers and retrieval share no folder: the one follows what the other has done through the database.
    for (const mode of ["bm25", "vector"]) {
      while (
        !(await (await fetch(`${api}/v1/search?q=ferry+council&mode=${mode}`)).text()).includes("https://a.test/1")
      ) {
        await Bun.sleep(50);
      }
    }
    const exposed = await metricNames();
    for (const { place, expr } of expressionsInMonitoring()) {
      const unknown = namesIn(expr).metrics.filter((name) => !exposed.has(name));
      expect([place, unknown]).toEqual([place, []]);
    }
    for (const child of children.values()) child.kill("SIGTERM");
    const codes = await Promise.all(Array.from(children, async ([name, child]) => [name, await child.exited]));
    expect(codes).toEqual(own.map(([name]) => [name, 0]));
  });

  /** Names of the metrics that the services expose, with those that a histogram has. */
  async function metricNames(): Promise<Set<string>> {
    const token = readFileSync(join(dir, "metrics_token"), "utf8").trim();
    const names = new Set<string>(["up"]);
    for (const [name] of own) {
      const response = await fetch(`http://127.0.0.1:${ports.get(name)}/metrics`, {
        headers: { "x-metrics-token": token },
      });
      expect([name, response.status]).toEqual([name, 200]);
      for (const [, metric = "", type] of (await response.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
        names.add(metric);
        if (type === "histogram") for (const end of ["bucket", "sum", "count"]) names.add(`${metric}_${end}`);
      }
    }
    return names;
  }

  async function healthy(name: string, { healthcheck }: ComposeService): Promise<void> {
    const [kind, program, ...args] = healthcheck.test;
    expect([kind, program]).toEqual(["CMD", "bun"]);
    const child = children.get(name);
    const [script = "", url = ""] = args.map((argument) => here(argument, name));
    const deadline = performance.now() + 200_000;
    // A program started for every look would take more time than the services.
    while (!(await answers(url))) {
      if (child?.exitCode !== null || performance.now() > deadline) {
        throw new Error(`${name} does not come up: ${await new Response(child?.stderr).text()}`);
      }
      await Bun.sleep(50);
    }
    for (let left = healthcheck.retries; ; left--) {
      const code = await Bun.spawn([process.execPath, script, url], { cwd: ROOT }).exited;
      if (code === 0) return;
      if (left === 1) throw new Error(`${name} answers, and its health check ends with ${code}`);
    }
  }
});
