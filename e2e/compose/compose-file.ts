import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { parse } from "yaml";
import { z } from "@isnad/lib/service/http";

const Text = z.union([z.string(), z.number()]).transform(String);

/** What is looked at of a service in `compose.yaml`. */
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
export type ComposeFile = z.infer<typeof ComposeFile>;

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
