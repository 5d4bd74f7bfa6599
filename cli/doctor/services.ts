import { explain, readRunning } from "@isnad/lib/service/cli";
import { type Config, VERSION } from "@isnad/lib/service/config";
import { readHealth } from "@isnad/lib/service/http";
import { services } from "../up/services.ts";
import { type Finding, findings } from "./finding.ts";

const DEADLINE_MS = 5_000;

type Answer = { status: number; version: string; failing: string[]; degraded: boolean } | { problem: string };

/**
 * The health of every service: those of the stack that runs here, else where the settings say they are. Where none
 * answers nothing runs, which is no fault; where some do, the others should.
 */
export async function serviceFindings(config: Config): Promise<{ running: boolean; list: Finding[] }> {
  const { list, ok, warn, fail } = findings("service");
  const running = readRunning(config.dataDir).urls;
  const configured: Record<string, string | undefined> = {
    api: config.apiUrl,
    retrieval: config.retrievalUrl,
    scraper: config.scraperUrl,
    edge: config.edgeUrl,
    nlp: config.nlpUrl,
    workers: config.workers.port === undefined ? undefined : localUrl(config.host, config.workers.port),
  };
  const answers = await Promise.all(
    services.flatMap(({ name, healthPath }) => {
      const url = running[name] ?? configured[name];
      return url === undefined ? [] : [ask(`${url}${healthPath}`).then((answer) => ({ name, url, answer }))];
    }),
  );
  const isUp = answers.some(({ answer }) => !("problem" in answer));
  for (const { name, url, answer } of answers) {
    if ("problem" in answer) {
      if (isUp) fail(name, `${url}: ${answer.problem}`);
      continue;
    }
    const { status, version, failing, degraded } = answer;
    const depends = failing.length > 0 ? `: ${failing.join(", ")}` : "";
    if (status !== 200) fail(name, `${url}: answers ${status}${depends}`);
    else if (degraded) warn(name, `${url}: degraded${depends}`);
    else if (version !== "" && !version.startsWith(VERSION) && name !== "retrieval") {
      warn(name, `${url}: is of version ${version}, this is ${VERSION}`);
    } else ok(name, url);
  }
  if (!isUp) ok("all", "none runs");
  return { running: isUp, list };
}

async function ask(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
    const health = readHealth(await response.text());
    if (health === undefined) return { problem: `answers ${response.status} with no health body: another program?` };
    const { status, version, failing } = health;
    const names = failing.map(({ name }) => name);
    return { status: response.status, version: version ?? "", failing: names, degraded: status === "degraded" };
  } catch (error) {
    return { problem: explain(error) };
  }
}

function localUrl(host: string, port: number): string {
  return `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${port}`;
}

const UPSTREAM_DEADLINE_MS = 5_000;

/** Returns the servers of models that are set: whether they answer, and take their keys. */
export async function upstreamFindings({ llm }: Config): Promise<Finding[]> {
  const { list, ok, fail } = findings("upstream");
  const { limits: _, ...servers } = llm;
  const asked = new Map<string, { tasks: string[]; answer: Promise<string | undefined> }>();
  for (const [task, server] of Object.entries(servers)) {
    const upstream = asked.get(server.url) ?? { tasks: [], answer: problemOf(server) };
    upstream.tasks.push(task);
    asked.set(server.url, upstream);
  }
  for (const [url, { tasks, answer }] of asked) {
    const problem = await answer;
    if (problem === undefined) ok(tasks.join(", "), url);
    else fail(tasks.join(", "), `${url}: ${problem}`);
  }
  return list;
}

async function problemOf({ url, key }: { url: string; key?: string }): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/models`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(UPSTREAM_DEADLINE_MS),
    });
    await response.arrayBuffer();
    if (response.status === 401 || response.status === 403) return `refuses the key (${response.status})`;
    return response.status >= 500 ? `answers ${response.status}` : undefined;
  } catch (error) {
    return explain(error);
  }
}
