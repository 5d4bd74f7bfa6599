import { SCOPES, type Scope } from "@isnad/lib/contract";
import { CommandError, type CommandContext, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import type { ListedKey } from "@isnad/lib/store";
import { openCommandStore, type OpenStore } from "../open-store.ts";

/** Longest name of a key, in characters. */
const NAME_LENGTH = 200;

const MAX_RATE = 1_000_000;

type Values = { name?: string | undefined; scope?: string | undefined; expires?: string | undefined; rate: number };

/** `keys create|list|revoke`: the keys of clients. */
export const keys = defineCommand({
  name: "keys",
  summary: "Makes, lists and revokes the keys of clients.",
  positionals: { usage: "create | list | revoke KEY_ID", min: 1, max: 2 },
  options: {
    name: { kind: "text", value: "NAME", help: "create: who gets the key" },
    scope: { kind: "text", value: "SCOPE,…", help: `create: what it is good for, of ${SCOPES.join(", ")}` },
    expires: { kind: "text", value: "DATE", help: "create: when it ends (2027-01-31, or with a time); default: never" },
    "rate-per-min": {
      ...{ kind: "number", value: "N", help: "create: requests in a minute; 0: no limit of its own" },
      ...{ default: 0, min: 0, max: MAX_RATE },
    },
  },
  details: `create shows the key once: only its SHA-256 is kept. It goes in Authorization: Bearer or in x-api-key. As soon as a key
of scope read is in force, everything that reads asks for a key. A revoked key is refused everywhere within two seconds.
docs/keys.md has the table of who may do what.`,
  async run({ values, positionals: [action = "", keyId] }, context) {
    const given: Values = { ...values, rate: values["rate-per-min"] };
    if (action === "create" && keyId === undefined) return await create(given, context);
    if (action === "list" && keyId === undefined) return await list(context);
    if (action === "revoke" && keyId !== undefined) return await revoke(keyId, context);
    throw new UsageError(
      {
        create: "create takes no name here: --name",
        list: "list takes nothing",
        revoke: "revoke takes the id of a key",
      }[action] ?? `${action}: not one of create, list, revoke`,
    );
  },
});

async function create(values: Values, { env, json, stdout }: CommandContext): Promise<number> {
  const name = values.name?.trim() ?? "";
  if (name === "" || name.length > NAME_LENGTH) throw new UsageError(`--name must have 1 to ${NAME_LENGTH} characters`);
  const scopes = scopesOf(values.scope ?? "");
  const expiresAt = values.expires === undefined ? undefined : timeOf(values.expires);
  await using opened = await openCommandStore(env, { creates: true });
  requireInternalToken(opened, scopes);
  const ratePerMin = values.rate === 0 ? undefined : values.rate;
  const { keyId, key } = await opened.store.keys.create({ name, scopes, expiresAt, ratePerMin });
  if (json) writeJson(stdout, { key_id: keyId, key });
  else stdout.write(`${key}\nThis is shown once. Its id, to revoke it: ${keyId}\n`);
  return 0;
}

function scopesOf(text: string): Scope[] {
  const names = text.split(",").map((name) => name.trim());
  const scopes = SCOPES.filter((scope) => names.includes(scope));
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined) throw new UsageError(`--scope must be some of ${SCOPES.join(", ")}, comma-separated`);
  return scopes;
}

/** A day is its end, in UTC. */
function timeOf(text: string): string {
  const time = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text);
  if (Number.isNaN(time)) throw new UsageError("--expires must be a date such as 2027-01-31, or an ISO 8601 time");
  if (time <= Date.now()) throw new UsageError("--expires must lie in the future");
  return new Date(time).toISOString();
}

/** Without it the services could not ask each other once reading needs a key. */
function requireInternalToken({ config: { appEnv, tokens } }: OpenStore, scopes: readonly Scope[]): void {
  if (appEnv === "local" || tokens.internal.length > 0 || !scopes.includes("read")) return;
  throw new CommandError(
    "INTERNAL_TOKEN must be set first, for all services: a key of scope read makes reading ask for one",
  );
}

async function list({ env, json, stdout }: CommandContext): Promise<number> {
  await using opened = await openCommandStore(env);
  const all = await opened.store.keys.list();
  if (json) writeJson(stdout, all.map(keyJson));
  else if (all.length === 0) stdout.write("no keys\n");
  else for (const key of all) stdout.write(`${lineOf(key)}\n`);
  return 0;
}

function keyJson(key: ListedKey) {
  return {
    key_id: key.keyId,
    name: key.name,
    scopes: key.scopes,
    rate_per_min: key.ratePerMin,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
  };
}

function lineOf({ keyId, name, scopes, ratePerMin, expiresAt, revokedAt, lastUsedAt }: ListedKey): string {
  const state = revokedAt !== null ? "revoked" : isPast(expiresAt) ? "expired" : "in force";
  const rate = ratePerMin === null ? [] : [`${ratePerMin}/min`];
  const until = expiresAt === null ? [] : [`until ${expiresAt.slice(0, 10)}`];
  const used = lastUsedAt === null ? "never used" : `used ${lastUsedAt.slice(0, 16).replace("T", " ")}`;
  return [keyId, state.padEnd(8), scopes.join(",").padEnd(16), ...rate, ...until, used, name].join("  ");
}

function isPast(time: string | null): boolean {
  return time !== null && Date.parse(time) <= Date.now();
}

async function revoke(keyId: string, { env, json, stdout }: CommandContext): Promise<number> {
  await using opened = await openCommandStore(env);
  if (!(await opened.store.keys.revoke(keyId))) throw new CommandError(`there is no key ${keyId}`);
  if (json) writeJson(stdout, { key_id: keyId, revoked: true });
  else stdout.write(`${keyId} is revoked\n`);
  return 0;
}
