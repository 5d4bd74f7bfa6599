import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineCommand, writeJson } from "@isnad/lib/service/cli";

/** Values that are made up; the others follow from them. */
const RANDOM_SECRETS = [
  "postgres_password",
  "ingest_token",
  "metrics_token",
  "scraper_token",
  "edge_api_key",
  "internal_token",
  "meili_key",
];

/** Values that only the operator of a cluster knows: their files are empty. */
const GIVEN = ["opensearch_password", "opensearch_ca"];

/**
 * Makes the files that `compose.yaml` mounts as secrets, in a folder for its owner alone; those that are there stay.
 * The files themselves can be read by everybody, as the containers run as another user. Returns the names of those
 * that it made.
 */
export function makeSecrets(dir: string): string[] {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o700);
  const made: string[] = [];
  const keep = (name: string, value: () => string): void => {
    const path = join(dir, name);
    if (existsSync(path)) return;
    writeFileSync(path, `${value()}\n`, { mode: 0o444 });
    made.push(name);
  };
  for (const name of RANDOM_SECRETS) keep(name, () => randomBytes(24).toString("base64url"));
  const password = () => encodeURIComponent(readFileSync(join(dir, "postgres_password"), "utf8").trim());
  keep("database_url", () => `postgres://isnad:${password()}@postgres:5432/isnad`);
  for (const name of GIVEN) keep(name, () => "");
  return made;
}

/** `compose:secrets`: makes the files that `compose.yaml` mounts as secrets. */
export const composeSecrets = defineCommand({
  name: "compose:secrets",
  summary: "Makes the passwords and tokens that compose.yaml reads, each in a file of its own.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {},
  details: "They go into the folder that SECRETS_DIR names (secrets). What is there stays as it is.",
  async run(_input, { env, stdout, json }) {
    const dir = env.SECRETS_DIR?.trim() || "secrets";
    const made = makeSecrets(dir);
    if (json) writeJson(stdout, { dir, made });
    else stdout.write(made.length === 0 ? `${dir}: all there\n` : `${dir}: made ${made.join(", ")}\n`);
    return 0;
  },
});
