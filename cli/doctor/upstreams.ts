import { explain } from "@isnad/lib/service/cli";
import type { Config } from "@isnad/lib/service/config";
import { type Finding, findings } from "./finding.ts";

const DEADLINE_MS = 5_000;

/** The servers of models that are set: whether they answer, and take their keys. */
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
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    await response.arrayBuffer();
    if (response.status === 401 || response.status === 403) return `refuses the key (${response.status})`;
    return response.status >= 500 ? `answers ${response.status}` : undefined;
  } catch (error) {
    return explain(error);
  }
}
