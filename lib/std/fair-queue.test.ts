import { expect, test } from "bun:test";
import { FairQueue } from "./fair-queue.ts";

type Item = { name: string; cost: number };

const item = (name: string, cost = 1): Item => ({ name, cost });

/** Takes everything out, each item as a whole, and tells the order. */
function drained(queue: FairQueue<Item>, mayBegin?: (kind: string) => boolean): string {
  const order: string[] = [];
  for (let next = queue.next(mayBegin); next !== undefined; next = queue.next(mayBegin)) {
    queue.spend(next, next.cost);
    queue.delete(next);
    order.push(next.name);
  }
  return order.join(" ");
}

function queueOf(items: readonly (Item & { kind?: string })[]): FairQueue<Item> {
  const queue = new FairQueue<Item>(({ cost }) => cost);
  for (const each of items) queue.add(each, { kind: each.kind });
  return queue;
}

test("items of one kind and cost keep their order", () => {
  expect(drained(queueOf([item("a"), item("b"), item("c")]))).toBe("a b c");
});

test("kinds take turns, however many items of one wait", () => {
  const many = ["m1", "m2", "m3", "m4"].map((name) => ({ ...item(name), kind: "morph" }));
  const queue = queueOf([...many, { ...item("l1"), kind: "lemma" }, { ...item("l2"), kind: "lemma" }]);
  expect(drained(queue)).toBe("m1 l1 m2 l2 m3 m4");
});

test("a kind whose items cost more has fewer turns", () => {
  const long = ["r1", "r2"].map((name) => ({ ...item(name, 3), kind: "relations" }));
  const short = ["m1", "m2", "m3", "m4"].map((name) => ({ ...item(name), kind: "morph" }));
  expect(drained(queueOf([...long, ...short]))).toBe("r1 m1 m2 m3 r2 m4");
});

test("a kind that comes later has no arrears of turns", () => {
  const queue = queueOf(["a1", "a2", "a3", "a4"].map((name) => ({ ...item(name), kind: "a" })));
  for (const _ of [1, 2]) {
    const next = queue.next();
    if (next === undefined) throw new Error("empty");
    queue.spend(next, 1);
    queue.delete(next);
  }
  for (const name of ["b1", "b2", "b3"]) queue.add(item(name), { kind: "b" });
  expect(drained(queue)).toBe("b1 a3 b2 a4 b3");
});

test("a short item goes before a long one, which lets no more go before than it costs", () => {
  const queue = queueOf([item("long", 3), item("a"), item("b"), item("c"), item("d")]);
  expect(drained(queue)).toBe("a b c long d");
});

test("what is left of an item counts, not what it was", () => {
  const long = item("long", 5);
  const queue = queueOf([long]);
  long.cost = 2;
  queue.add(item("same", 2));
  queue.add(item("short", 1));
  expect(drained(queue)).toBe("short long same");
});

test("kinds that may not begin are passed over, and keep their turn", () => {
  const queue = queueOf([
    { ...item("a"), kind: "a" },
    { ...item("b"), kind: "b" },
  ]);
  expect(drained(queue, (kind) => kind !== "a")).toBe("b");
  expect([queue.size, drained(queue)]).toEqual([1, "a"]);
});

test("an item may go before all others of its kind", () => {
  const queue = queueOf([item("a"), item("b")]);
  queue.add(item("again", 9), { first: true });
  expect(drained(queue)).toBe("again a b");
});

test("an item that was deleted is not next, and is deleted once", () => {
  const [gone, stays] = [item("gone"), item("stays")];
  const queue = queueOf([gone, stays]);
  expect([queue.delete(gone), queue.delete(gone)]).toEqual([true, false]);
  expect([[...queue], drained(queue)]).toEqual([[stays], "stays"]);
});
