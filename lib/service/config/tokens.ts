import { createHash, randomBytes, randomUUID } from "node:crypto";
import { chmod, link, mkdir, open, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { parseJsonObject } from "../../std/mod.ts";
import type { Config, ServiceName, Tokens } from "./load.ts";
import { ConfigError, type Problem } from "./option.ts";

const GENERATED = ["ingest", "metrics", "scraper", "edge", "internal"] as const;
type GeneratedName = (typeof GENERATED)[number];

const VARIABLES: Record<GeneratedName, string> = {
  ingest: "INGEST_TOKEN",
  metrics: "METRICS_TOKEN",
  scraper: "SCRAPER_TOKEN",
  edge: "EDGE_API_KEY",
  internal: "INTERNAL_TOKEN",
};

/** The tokens that each service cannot serve without. */
const NEEDED: Record<ServiceName, readonly GeneratedName[]> = {
  api: ["ingest", "metrics"],
  scraper: ["ingest", "metrics", "scraper"],
  retrieval: ["metrics"],
  nlp: ["metrics"],
  edge: ["metrics", "edge"],
};

const SERVICES = ["api", "scraper", "retrieval", "nlp", "edge"] as const satisfies readonly ServiceName[];

/** Returns where generated tokens are kept. */
export function tokensFile(config: Pick<Config, "dataDir">): string {
  return join(config.dataDir, "tokens.json");
}

/**
 * With `APP_ENV=local`, gives each unset token the value kept in `DATA_DIR/tokens.json` (mode 0600), which is created
 * once even when several processes start together. Elsewhere throws {@link ConfigError} when a token that
 * `config.service` needs is unset.
 */
export async function ensureTokens(config: Config): Promise<Config> {
  const unset = GENERATED.filter((name) => config.tokens[name].length === 0);
  if (config.appEnv !== "local") {
    const missing = config.service === undefined ? [] : missingTokens(config, [config.service]);
    if (missing.length > 0) throw new ConfigError(missing);
    return config;
  }
  if (unset.length === 0) return config;
  const kept = await keptTokens(tokensFile(config), config.dataDir);
  const tokens: Tokens = { ...config.tokens };
  for (const name of unset) tokens[name] = [kept[name]];
  return { ...config, tokens };
}

/**
 * Returns what is wrong with the tokens that these services cannot serve without; nothing where missing ones are
 * generated.
 */
export function missingTokens(
  { appEnv, tokens }: Pick<Config, "appEnv" | "tokens">,
  services: readonly ServiceName[] = SERVICES,
): Problem[] {
  if (appEnv === "local") return [];
  const needed = new Set(services.flatMap((service) => NEEDED[service]));
  return GENERATED.filter((name) => needed.has(name) && tokens[name].length === 0).map((name) =>
    unsetProblem(name, appEnv),
  );
}

function unsetProblem(name: GeneratedName, appEnv: string): Problem {
  return { name: VARIABLES[name], rule: `must be set when APP_ENV is ${appEnv}` };
}

async function keptTokens(file: string, dataDir: string): Promise<Record<GeneratedName, string>> {
  const existing = await readTokens(file);
  if (existing) return existing;
  await mkdir(dataDir, { recursive: true });
  const created = Object.fromEntries(GENERATED.map((name) => [name, randomBytes(24).toString("base64url")]));
  const draft = join(dataDir, `.tokens-${randomUUID()}`);
  const handle = await open(draft, "wx", 0o600).catch((error) => {
    // The operator knows the folder, not the draft in it.
    throw Object.assign(error, { path: dataDir });
  });
  try {
    await handle.writeFile(`${JSON.stringify(created, null, 2)}\n`);
    await handle.sync();
    await handle.close();
    await link(draft, file).catch(ignoreExisting);
  } finally {
    await handle.close().catch(() => undefined);
    await unlink(draft);
  }
  const settled = await readTokens(file);
  if (settled) return settled;
  throw new ConfigError([{ name: "DATA_DIR", rule: `must be able to keep ${file}` }]);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

async function readTokens(file: string): Promise<Record<GeneratedName, string> | undefined> {
  let content: string;
  try {
    content = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
  const parsed = parseJsonObject(content);
  const tokens: Record<string, unknown> = Object.fromEntries(GENERATED.map((name) => [name, parsed?.[name]]));
  // A file of a version before: the token follows from the others, so that all processes have the same.
  if (tokens.internal === undefined) tokens.internal = derived(tokens);
  if (isComplete(tokens)) return tokens;
  throw new ConfigError([
    { name: "DATA_DIR", rule: `holds a damaged tokens file: delete ${file} to have it made anew` },
  ]);
}

function derived(tokens: Record<string, unknown>): string {
  return createHash("sha256")
    .update(`internal\n${Object.values(tokens).join("\n")}`)
    .digest("base64url");
}

function isComplete(tokens: Record<string, unknown>): tokens is Record<GeneratedName, string> {
  return GENERATED.every((name) => typeof tokens[name] === "string" && tokens[name] !== "");
}
