import { readFileSync } from "node:fs";
import { dirname, join, matchesGlob, normalize } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "@isnad/lib/service/http";
import { parse } from "yaml";
import { importsOf } from "../../tools/sources.ts";

const Text = z.union([z.string(), z.number()]).transform(String);

/** Holds what is read of a service in `compose.yaml`. */
const ComposeService = z.object({
  image: z.string(),
  build: z.string().optional(),
  env_file: z.array(z.object({ path: z.string(), required: z.boolean() })).default([]),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).default([]),
  command: z.array(Text).default([]),
  environment: z.record(z.string(), Text.nullable()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  healthcheck: z.object({ test: z.array(z.string()).min(2), retries: z.number().int().min(1) }),
  deploy: z.object({ resources: z.object({ limits: z.object({ cpus: Text, memory: Text, pids: z.number() }) }) }),
});
export type ComposeService = z.infer<typeof ComposeService>;

const ComposeFile = z.object({
  services: z.record(z.string(), ComposeService),
  volumes: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  networks: z.record(z.string(), z.unknown()),
});
type ComposeFile = z.infer<typeof ComposeFile>;

/** `compose.yaml` of this repository, with its variables filled in from `env`, as Compose does. */
export function readComposeFile(env: Record<string, string>): ComposeFile {
  const text = readFileSync(fileURLToPath(new URL("../../compose.yaml", import.meta.url)), "utf8");
  return ComposeFile.parse(filled(parse(text, { merge: true }), env));
}

/** Every text with `${NAME}`, `${NAME-default}`, `${NAME:-default}` and `$$` replaced. */
function filled(value: unknown, env: Record<string, string>): unknown {
  if (typeof value === "string") {
    return value.replaceAll(
      /\$\$|\$\{(\w+)(?:(:?-)([^}]*))?\}/g,
      (all, name?: string, how?: string, other?: string) => {
        if (name === undefined) return all.slice(1);
        const given = env[name];
        return given === undefined || (how === ":-" && given === "") ? (other ?? "") : given;
      },
    );
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, env));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, env)]));
}

/**
 * Tells whether a path of the repository, relative to its root, goes into the image, by the text of a `.dockerignore`.
 */
export function imageFilter(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ keeps: line.startsWith("!"), glob: line.replace(/^!/, "") }));
  return (path) => {
    const parts = path.split("/");
    const prefixes = parts.map((_, i) => parts.slice(0, i + 1).join("/"));
    // As Docker reads it: the last line that names the file or a folder that it is in decides.
    return rules.findLast(({ glob }) => prefixes.some((prefix) => matchesGlob(prefix, glob)))?.keeps ?? true;
  };
}

/** The files that these start with and all that they import, threads included, relative to `root`. */
export function filesOf(root: string, entries: readonly string[]): string[] {
  const { exports }: { exports: Record<string, string> } = JSON.parse(
    readFileSync(join(root, "lib/package.json"), "utf8"),
  );
  const seen = new Set(entries);
  for (const path of seen) {
    const text = readFileSync(join(root, path), "utf8");
    const threads = Array.from(text.matchAll(/new URL\("(\.[^"]+\.ts)"/g), ([, name = ""]) => name);
    for (const name of [...importsOf(text), ...threads]) {
      const exported = name.startsWith("@isnad/lib/") ? exports[name.replace("@isnad/lib", ".")] : undefined;
      if (exported !== undefined) seen.add(normalize(join("lib", exported)));
      else if (/^\..*\.ts$/.test(name)) seen.add(normalize(join(dirname(path), name)));
    }
  }
  return [...seen];
}

const Alerts = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })).min(1),
});

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../monitoring/${name}`, import.meta.url)), "utf8");

/** Every expression of the alert rules and of the dashboard, with the rule's or panel's name. */
export function expressionsInMonitoring(): { place: string; expr: string }[] {
  const alerts = Alerts.parse(parse(read("alerts.yaml"), { merge: true }));
  const dashboard = Dashboard.parse(JSON.parse(read("dashboard.json")));
  return [
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ place: alert, expr }))),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ place: title, expr }))),
  ];
}

/** Words of PromQL that are no names. */
const WORDS = new Set(["by", "without", "and", "or", "unless", "on", "ignoring", "bool", "offset"]);

/** The names of metrics in a PromQL expression, and the labels that it groups and selects by. */
export function namesIn(expr: string): { metrics: string[]; labels: string[] } {
  const labels: string[] = [];
  const bare = expr
    .replaceAll(/\{([^}]*)\}/g, (_, inside: string) => {
      for (const [, label = ""] of inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) labels.push(label);
      return " ";
    })
    .replaceAll(/\[[^\]]*\]/g, " ")
    .replaceAll(/\b(?:by|without)\s*\(([^)]*)\)/g, (_, inside: string) => {
      labels.push(...inside.split(",").map((label) => label.trim()));
      return " ";
    });
  const metrics = Array.from(bare.matchAll(/\b([a-z_][a-z0-9_]*)\b(?!\s*\()/gi), ([, name = ""]) => name);
  return { metrics: metrics.filter((name) => !WORDS.has(name) && !/^e\d/.test(name)), labels };
}
