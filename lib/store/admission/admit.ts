import { BoundedMap } from "../../std/mod.ts";
import type { AdmissionItem } from "../articles/columns.ts";
import type { Sql, Tx } from "../client.ts";
import { onceConnected, repeating, RunAgain, transaction } from "../transaction.ts";
import { jsonText, storableText } from "../values.ts";
import {
  type AdmissionContext,
  type AdmissionOutcome,
  attempt,
  decide,
  type Decided,
  type IdempotencyKey,
  insertAliases,
  insertArticles,
  type Inserted,
  type Known,
  lookUp,
  pairKey,
} from "./statements.ts";

/** Holds what the key's row says: the request may go on, was decided before, or the key belongs to another body. */
type Claim = { kind: "claimed" } | ({ kind: "replayed"; memo: string } & Decided) | { kind: "other-body" };

/**
 * Claims the key for this request. A request with the same key that is still in flight holds its row: this one waits
 * for its end, and then finds the verdicts or, when that one was rolled back, takes the key over. An expired key counts
 * as unused.
 */
async function claimKey(tx: Tx, idempotency: IdempotencyKey): Promise<Claim> {
  const { tokenHash, key, bodyHash, ttlS, memo } = idempotency;
  const claimed = await tx`
    insert into idempotency_keys as k (token_hash, key, body_hash, memo, expires_at)
    values (decode(${tokenHash}, 'hex'), ${key}, decode(${bodyHash}, 'hex'), ${memo},
      now() + make_interval(secs => ${ttlS}))
    on conflict (token_hash, key) do update
      set (body_hash, memo, expires_at, verdicts, article_ids)
        = (excluded.body_hash, excluded.memo, excluded.expires_at, null, '{}')
      where k.expires_at <= now()
    returning 1`;
  if (claimed.length === 1) return { kind: "claimed" };
  const [row] = await tx<{ same: boolean; memo: string; verdicts: Decided }[]>`
    select body_hash = decode(${bodyHash}, 'hex') as same, memo, verdicts
    from idempotency_keys where token_hash = decode(${tokenHash}, 'hex') and key = ${key}`;
  // It was dropped in this instant, with an article that it named.
  if (row === undefined) return claimKey(tx, idempotency);
  return row.same ? { kind: "replayed", memo: row.memo, ...row.verdicts } : { kind: "other-body" };
}

/** Keeps the verdicts under the claimed key, with the articles they name. */
async function keepVerdicts(tx: Tx, { tokenHash, key }: IdempotencyKey, decided: Decided): Promise<void> {
  const ids = decided.results.flatMap((result) =>
    "articleId" in result && result.articleId !== undefined ? [result.articleId] : [],
  );
  await tx`
    update idempotency_keys
    set verdicts = ${jsonText(decided)}::text::jsonb, article_ids = ${[...new Set(ids)]}::bigint[]
    where token_hash = decode(${tokenHash}, 'hex') and key = ${key}`;
}

/** Gives up the claimed key, as if it had not been used. */
async function releaseKey(tx: Tx, { tokenHash, key }: IdempotencyKey): Promise<void> {
  await tx`delete from idempotency_keys where token_hash = decode(${tokenHash}, 'hex') and key = ${key}`;
}

/** Drops expired keys, at most `limit`; returns how many. */
async function pruneKeys(sql: Sql, limit = 10_000): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where (token_hash, key) in (
      select token_hash, key from idempotency_keys where expires_at <= now() order by expires_at limit ${limit}
      for update skip locked)`;
  return result.count;
}

/** Makes the statements that admit articles, and those over the keys under which requests are repeated. */
export function admissionStore(sql: Sql, noting: <T>(work: () => Promise<T>) => Promise<T>) {
  const memory = createSourceMemory();
  return {
    admit: (items: readonly AdmissionItem[], context: AdmissionContext) =>
      noting(() => admit(sql, memory, items, context)),
    prune: (limit?: number) => repeating(() => pruneKeys(sql, limit)),
  };
}

/** Sources seen in the database lately, so that a busy source costs no statement. */
type SourceMemory = { has(key: string): boolean; add(keys: readonly string[]): void };

/** Remembers at most 10,000 sources for a minute. */
export function createSourceMemory(now: () => number = Date.now): SourceMemory {
  const until = new BoundedMap<string, number>(10_000);
  return {
    has: (key) => (until.get(key) ?? 0) > now(),
    add: (keys) => {
      for (const key of keys) until.set(key, now() + 60_000);
    },
  };
}

/** The sources of the items that the database does not know. */
async function unknownSources(tx: Tx, items: readonly AdmissionItem[]): Promise<Set<string>> {
  const unknown = new Set(items.map((item) => item.sourceId));
  const rows = await tx<{ key: string }[]>`select key from sources where key = any(${[...unknown]}::text[])`;
  for (const { key } of rows) unknown.delete(key);
  return unknown;
}

/** Registers, inactive, the sources of the items that neither `memory` nor the database knows. */
async function registerSources(tx: Tx, items: readonly AdmissionItem[], memory: SourceMemory): Promise<void> {
  const keys = [...new Set(items.map((item) => item.sourceId))].filter((key) => !memory.has(key)).sort();
  if (keys.length === 0) return;
  await tx`
    insert into sources (key, name)
    select key, key from unnest(${keys}::text[]) as t (key)
    where not exists (select from sources s where s.key = t.key)
    order by key
    on conflict do nothing`;
}

/** Rolls back the transaction of a request; carries its verdicts. */
class Conflict extends Error {
  override readonly name = "Conflict";
  readonly decided: Decided;

  constructor(decided: Decided) {
    super("an item conflicts with what is stored");
    this.decided = decided;
  }
}

/**
 * Decides over the items of one request and stores what is accepted: one transaction, a fixed number of statements
 * (one, where all items are new or all are duplicates). A conflict anywhere stores nothing. Races between requests are
 * decided by the unique constraints.
 */
export async function admit(
  sql: Sql,
  memory: SourceMemory,
  given: readonly AdmissionItem[],
  context: AdmissionContext,
): Promise<AdmissionOutcome> {
  const items = given.map(withStorablePair);
  const { idempotency } = context;
  if (idempotency === undefined) {
    const decided =
      (await admitAtOnce(sql, memory, items, context)) ?? (await admitInSteps(sql, memory, items, context));
    return { kind: "decided", ...decided };
  }
  return await admitUnderKey(sql, memory, items, { ...context, idempotency });
}

async function admitUnderKey(
  sql: Sql,
  memory: SourceMemory,
  items: readonly AdmissionItem[],
  context: AdmissionContext & { idempotency: IdempotencyKey },
): Promise<AdmissionOutcome> {
  const { idempotency } = context;
  const answer = async (tx: Tx, act: (tx: Tx) => Promise<Decided>): Promise<AdmissionOutcome> => {
    const claim = await claimKey(tx, idempotency);
    if (claim.kind === "replayed") return claim;
    if (claim.kind === "other-body") return { kind: "key-reuse", ...(await preview(tx, items, context)) };
    const decided = await act(tx);
    if (acceptsSomething(decided)) await keepVerdicts(tx, idempotency, decided);
    else await releaseKey(tx, idempotency);
    return { kind: "decided", ...decided };
  };
  // Repeatable: if the first attempt was committed after all, its verdicts are replayed.
  const underKey = (act: (tx: Tx) => Promise<Decided>) =>
    transaction(sql, (tx) => answer(tx, act), { repeatable: true });
  try {
    const outcome = await underKey((tx) => store(tx, memory, items, context));
    if (outcome.kind === "decided") remember(memory, items, context);
    return outcome;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  // The rollback also undid the claim of the key. Claim it once more, for the verdicts alone.
  return await underKey(async (tx) => {
    const decided = await preview(tx, items, context);
    return decided.conflict ? decided : await store(tx, memory, items, context).catch(lookAgain);
  });
}

/** Returns what stored nothing has nothing to repeat: mended, it may be sent again under its key. */
function acceptsSomething({ conflict, results }: Decided): boolean {
  return !conflict && results.some(({ status }) => status === "accepted");
}

/** Admits in one statement; undefined when that is not enough, and then nothing is stored. */
async function admitAtOnce(
  sql: Sql,
  memory: SourceMemory,
  items: readonly AdmissionItem[],
  { requireKnownSource }: AdmissionContext,
): Promise<Decided | undefined> {
  if (requireKnownSource || items.length === 0 || !areDistinct(items)) return undefined;
  if (items.some((item) => !memory.has(item.sourceId))) return undefined;
  const made = await onceConnected(() => attempt(sql, items));
  if (made === undefined) return undefined;
  if ("stored" in made) {
    return { conflict: false, results: made.stored.map((articleId) => ({ status: "accepted", articleId })) };
  }
  const { conflict, results, missing, aliases } = decide(items, made.known);
  return conflict || (missing === 0 && aliases.length === 0) ? { conflict, results } : undefined;
}

async function admitInSteps(
  sql: Sql,
  memory: SourceMemory,
  items: readonly AdmissionItem[],
  context: AdmissionContext,
): Promise<Decided> {
  const decided = await transaction(sql, (tx) => store(tx, memory, items, context)).catch(conflictOf);
  if (!decided.conflict) remember(memory, items, context);
  return decided;
}

/** Caches the sources of the items: after the commit they certainly exist. */
function remember(memory: SourceMemory, items: readonly AdmissionItem[], { requireKnownSource }: AdmissionContext) {
  if (!requireKnownSource) memory.add(items.map((item) => item.sourceId));
}

/** Stores the items; throws Conflict when one of them conflicts, RunAgain when rows went away meanwhile. */
async function store(
  tx: Tx,
  memory: SourceMemory,
  items: readonly AdmissionItem[],
  { requireKnownSource }: AdmissionContext,
): Promise<Decided> {
  if (items.length === 0) return { conflict: false, results: [] };
  const unknown = await refusedSources(tx, items, requireKnownSource);
  if (!requireKnownSource) await registerSources(tx, items, memory);

  const candidates = items.filter((item) => !unknown.has(item.sourceId));
  const byHash = new Map(candidates.toReversed().map((item) => [item.contentHash, item]));
  const inserted = await insertArticles(tx, [...byHash.values()]);
  const allNew = inserted.length === items.length && inserted.every((row) => row.paired);
  const known = allNew ? knownFrom(inserted) : await lookUp(tx, candidates, idsOf(inserted));

  const { results, conflict, missing, aliases } = decide(items, known, unknown);
  if (conflict) throw new Conflict({ conflict, results });
  const complete = missing === 0 && inserted.every((row) => row.paired);
  if (!complete || !(await insertAliases(tx, aliases))) throw new RunAgain();
  return { conflict, results };
}

/** The verdicts on the items as the database is now; stores nothing. */
async function preview(
  tx: Tx,
  items: readonly AdmissionItem[],
  { requireKnownSource }: AdmissionContext,
): Promise<Decided> {
  const unknown = await refusedSources(tx, items, requireKnownSource);
  const { conflict, results } = decide(items, await lookUp(tx, items, new Set()), unknown);
  return { conflict, results };
}

/** The unknown sources among those of the items, if sources have to be known. */
async function refusedSources(tx: Tx, items: readonly AdmissionItem[], mustBeKnown: boolean): Promise<Set<string>> {
  return mustBeKnown ? await unknownSources(tx, items) : new Set();
}

function knownFrom(inserted: readonly Inserted[]): Known {
  return { pairs: new Map(), hashes: new Map(inserted.map((row) => [row.contentHash, { ...row, fresh: true }])) };
}

function idsOf(inserted: readonly Inserted[]): Set<number> {
  return new Set(inserted.map((row) => row.articleId));
}

function conflictOf(error: unknown): Decided {
  if (error instanceof Conflict) return error.decided;
  throw error;
}

/** The article that conflicted is gone and another one conflicts now: the request is decided again. */
function lookAgain(error: unknown): never {
  throw error instanceof Conflict ? new RunAgain() : error;
}

function areDistinct(items: readonly AdmissionItem[]): boolean {
  const hashes = new Set(items.map((item) => item.contentHash));
  return hashes.size === items.length && new Set(items.map(pairKey)).size === items.length;
}

function withStorablePair(item: AdmissionItem): AdmissionItem {
  const sourceId = storableText(item.sourceId);
  const externalId = storableText(item.externalId);
  return sourceId === item.sourceId && externalId === item.externalId ? item : { ...item, sourceId, externalId };
}
