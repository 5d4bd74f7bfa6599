import type { Sql, Tx } from "../client.ts";
import { RunAgain, transaction } from "../transaction.ts";
import { type Alias, decide, type Known, withoutFreshIds } from "./decide.ts";
import { claimKey, keepResponse } from "./idempotency.ts";
import { type Inserted, insertArticles } from "./insert.ts";
import { insertAliases, lookUp } from "./known.ts";
import { registerSources, type SourceMemory, unknownSources } from "./sources.ts";
import type { AdmissionContext, AdmissionItem, AdmissionOutcome, AdmissionResult, Decided } from "./types.ts";

/** Undoes what the items have stored, and keeps the verdicts. */
class Conflict extends Error {
  override readonly name = "Conflict";
  readonly decided: Decided;

  constructor(decided: Decided) {
    super("an item conflicts with what is stored");
    this.decided = decided;
  }
}

/**
 * Decides over the items of one request and stores what is accepted, in one transaction with a fixed number of
 * statements. A conflict anywhere stores nothing. Races between requests are decided by the unique constraints.
 */
export async function admit(
  sql: Sql,
  memory: SourceMemory,
  items: readonly AdmissionItem[],
  context: AdmissionContext,
): Promise<AdmissionOutcome> {
  const { idempotency, respond, requireKnownSource } = context;
  let looked: readonly string[] = [];
  const decideIn = async (tx: Tx): Promise<Decided> => {
    if (items.length === 0) return { conflict: false, results: [] };
    if (requireKnownSource) return await store(tx, items, await unknownSources(tx, items));
    looked = await registerSources(tx, items, memory);
    return await store(tx, items, new Set());
  };

  if (idempotency === undefined) {
    const decided = await transaction(sql, decideIn).catch(conflictOf);
    if (!decided.conflict) memory.add(looked);
    return { kind: "decided", ...decided, response: respond?.(decided) };
  }

  const outcome = await transaction<AdmissionOutcome>(sql, async (tx) => {
    const claim = await claimKey(tx, idempotency);
    if (claim.kind === "replayed") return claim;
    if (claim.kind === "other-body") return { kind: "key-reuse", ...(await preview(tx, items)) };
    const decided = (await tx.savepoint(decideIn).catch(conflictOf)) as Decided;
    const response = respond?.(decided);
    if (response !== undefined) await keepResponse(tx, idempotency, response, articleIds(decided.results));
    return { kind: "decided", ...decided, response };
  });
  if (outcome.kind === "decided" && !outcome.conflict) memory.add(looked);
  return outcome;
}

/** Stores the items; throws Conflict when one of them conflicts, RunAgain when rows went away meanwhile. */
async function store(tx: Tx, items: readonly AdmissionItem[], unknown: ReadonlySet<string>): Promise<Decided> {
  const candidates = items.filter((item) => !unknown.has(item.sourceId));
  const byHash = new Map<string, AdmissionItem>();
  for (const item of candidates) if (!byHash.has(item.contentHash)) byHash.set(item.contentHash, item);
  const inserted = byHash.size === 0 ? [] : await insertArticles(tx, [...byHash.values()]);

  const allNew = inserted.length === items.length && inserted.every((row) => row.paired);
  const known = allNew
    ? knownFrom(inserted)
    : await lookUp(tx, candidates, new Set(inserted.map((row) => row.articleId)));
  const verdict = decide(items, known, unknown);
  if (verdict === undefined) throw new RunAgain();
  const { results, aliases } = verdict;
  if (results.some((result) => result.status === "conflict")) {
    const fresh = new Set(inserted.map((row) => row.articleId));
    throw new Conflict({ conflict: true, results: withoutFreshIds(results, fresh) });
  }
  if (!fits(inserted, results, aliases) || !(await insertAliases(tx, aliases))) throw new RunAgain();
  return { conflict: false, results };
}

/** Every inserted article has been announced, under its own pair, exactly once. */
function fits(inserted: readonly Inserted[], results: readonly AdmissionResult[], aliases: readonly Alias[]): boolean {
  const accepted = results.filter((result) => result.status === "accepted").length;
  return accepted === inserted.length && inserted.every((row) => row.paired) && aliases.length <= results.length;
}

function knownFrom(inserted: readonly Inserted[]): Known {
  return { pairs: new Map(), hashes: new Map(inserted.map((row) => [row.contentHash, { ...row, fresh: true }])) };
}

/** What the status table says of the items as things stand, storing nothing. */
async function preview(tx: Tx, items: readonly AdmissionItem[]): Promise<Decided> {
  const known = await lookUp(tx, items, new Set());
  const hashes = new Map(known.hashes);
  let next = -1;
  for (const { contentHash } of items) {
    if (!hashes.has(contentHash)) hashes.set(contentHash, { articleId: next--, contentHash, fresh: true });
  }
  const verdict = decide(items, { pairs: known.pairs, hashes });
  const results = verdict?.results ?? [];
  const invented = new Set(Array.from({ length: items.length }, (_, i) => -1 - i));
  return {
    conflict: results.some((result) => result.status === "conflict"),
    results: withoutFreshIds(results, invented),
  };
}

function conflictOf(error: unknown): Decided {
  if (error instanceof Conflict) return error.decided;
  throw error;
}

function articleIds(results: readonly AdmissionResult[]): number[] {
  const ids = results.flatMap((result) =>
    "articleId" in result && result.articleId !== undefined ? [result.articleId] : [],
  );
  return [...new Set(ids)];
}
