import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { at } from "../../std/mod.ts";
import { testItem, testStore } from "../testing.ts";
import type { AdmissionItem, AdmissionOutcome } from "./statements.ts";

setDefaultTimeout(300_000);

const { store, close } = await testStore({ max: 4 });
afterAll(close);

/** Whole numbers from 0 to before `below`, the same ones at every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Status = AdmissionOutcome["results"][number]["status"];
type KeptAnswer = { items: readonly AdmissionItem[]; statuses: Status[]; ids: number[] };

const pairOf = ({ sourceId, externalId }: AdmissionItem) => `${sourceId}/${externalId}`;
const statusesOf = ({ results }: AdmissionOutcome) => results.map(({ status }) => status);
const idsOf = ({ results }: AdmissionOutcome) => results.map((r) => ("articleId" in r ? r.articleId : undefined));

/** What the contract says, in so many words: pairs and contents that are known, and the answers that are kept. */
class Model {
  readonly articles = new Map<string, number>();
  readonly pairs = new Map<string, string>();
  readonly kept = new Map<string, KeptAnswer>();

  /** The status table, among the items of a batch as well. */
  decide(items: readonly AdmissionItem[]): Status[] {
    const pairs = new Map(this.pairs);
    const contents = new Set(this.articles.keys());
    return items.map((item) => {
      const known = pairs.get(pairOf(item));
      if (known !== undefined && known !== item.contentHash) return "conflict";
      pairs.set(pairOf(item), item.contentHash);
      if (contents.has(item.contentHash)) return "duplicate";
      contents.add(item.contentHash);
      return "accepted";
    });
  }

  /** The articles that an answer rests on: those it names, and those that items conflict with. */
  behind(items: readonly AdmissionItem[], ids: readonly (number | undefined)[]): number[] {
    const inTheWay = items.map((item) => this.articles.get(this.pairs.get(pairOf(item)) ?? ""));
    return [...ids, ...inTheWay].filter((id) => id !== undefined);
  }

  remove(id: number): void {
    for (const [hash, article] of this.articles) {
      if (article !== id) continue;
      this.articles.delete(hash);
      for (const [pair, of] of this.pairs) if (of === hash) this.pairs.delete(pair);
    }
    for (const [key, { ids }] of this.kept) if (ids.includes(id)) this.kept.delete(key);
  }
}

test("whatever is sent, sent again and deleted in whatever order gets the verdicts of the contract", async () => {
  const random = numbers(20_241_126);
  const contents = Array.from({ length: 5 }, () => testItem());
  const item = (): AdmissionItem => {
    const { title, content, contentHash } = at(contents, random(contents.length));
    return testItem({ sourceId: `model-${random(2)}`, externalId: `e-${random(3)}`, title, content, contentHash });
  };
  const model = new Model();
  const seen = new Set<string>();
  for (let step = 0; step < 1_000; step++) {
    const [gone] = random(8) === 0 ? [...model.articles.values()].slice(random(model.articles.size || 1)) : [];
    if (gone !== undefined) {
      expect(await store.articles.remove(gone)).toBe(gone);
      model.remove(gone);
      continue;
    }
    const key = random(2) === 0 ? `key-${random(8)}` : undefined;
    const kept = key === undefined ? undefined : model.kept.get(key);
    const isSame = kept !== undefined && random(2) === 0;
    const items = isSame ? kept.items : Array.from({ length: 1 + random(4) }, item);
    const body = items.map((each) => `${pairOf(each)} ${each.contentHash}`).join();
    const hash = Buffer.from(body).toString("hex");
    const outcome = await store.admission.admit(items, {
      requireKnownSource: false,
      idempotency: key === undefined ? undefined : { tokenHash: "aa", key, bodyHash: hash, ttlS: 600, memo: "" },
    });
    const expected = isSame ? kept.statuses : model.decide(items);
    expect({ step, kind: outcome.kind, statuses: statusesOf(outcome) }).toEqual({
      step,
      kind: kept === undefined ? "decided" : isSame ? "replayed" : "key-reuse",
      statuses: expected,
    });
    for (const status of expected) seen.add(`${outcome.kind} ${status}`);
    if (kept !== undefined) continue;
    const ids = idsOf(outcome);
    if (!expected.includes("conflict")) {
      for (const [i, each] of items.entries()) {
        const id = ids[i] ?? -1;
        if (expected[i] === "accepted") model.articles.set(each.contentHash, id);
        model.pairs.set(pairOf(each), each.contentHash);
        expect(model.articles.get(each.contentHash)).toBe(id);
      }
    }
    const isKept = expected.includes("accepted") && !expected.includes("conflict");
    if (key !== undefined && isKept) model.kept.set(key, { items, statuses: expected, ids: model.behind(items, ids) });
  }
  const kinds = ["decided", "replayed", "key-reuse"].flatMap((kind) =>
    ["accepted", "duplicate", "conflict"].map((status) => `${kind} ${status}`),
  );
  // What conflicts is not kept.
  expect(seen).toEqual(new Set(kinds.filter((kind) => kind !== "replayed conflict")));
});
