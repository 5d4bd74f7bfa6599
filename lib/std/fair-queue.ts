/** Places an item in a queue. */
type FairPlace = {
  /** Names what takes turns with others, for instance a route. Default: all items are of one. */
  kind?: string | undefined;
  /** Goes before all others of its kind. Default false. */
  first?: boolean;
};

type Entry<Item> = {
  item: Item;
  /** Cost when it was added: what may go before it beside what was there. */
  patience: number;
  /** Cost of the items that came later and went before. */
  ahead: number;
};

/** `turn` is the virtual time at which its next item begins: the least is next. */
type Kind<Item> = { name: string; turn: number; entries: Entry<Item>[] };

/**
 * Orders what waits. Kinds take turns by what they spend (start-time fair queueing, Goyal et al. 1996), so that many
 * items of one keep no other waiting. Within a kind a short item goes before longer ones, each of which lets as much go
 * before itself as it costs; items of one cost keep their order.
 */
export class FairQueue<Item> implements Iterable<Item> {
  /** Measures what is left to do of an item. */
  readonly #costOf: (item: Item) => number;
  readonly #kinds = new Map<string, Kind<Item>>();
  readonly #kindOf = new Map<Item, Kind<Item>>();
  #virtual = 0;

  constructor(costOf: (item: Item) => number) {
    this.#costOf = costOf;
  }

  get size(): number {
    return this.#kindOf.size;
  }

  add(item: Item, { kind: name = "", first = false }: FairPlace = {}): void {
    const kind = this.#kinds.get(name) ?? { name, turn: 0, entries: [] };
    this.#kinds.set(name, kind);
    if (kind.entries.length === 0) kind.turn = Math.max(kind.turn, this.#virtual);
    const cost = this.#costOf(item);
    const place = first ? 0 : this.#placeOf(cost, kind.entries);
    kind.entries.splice(place, 0, { item, patience: cost, ahead: 0 });
    this.#kindOf.set(item, kind);
  }

  /** Returns the item that is next, of the kinds that `mayBegin` allows; it stays until it is deleted. */
  next(mayBegin: (kind: string) => boolean = () => true): Item | undefined {
    let best: Kind<Item> | undefined;
    for (const kind of this.#kinds.values()) {
      if (kind.entries.length === 0 || (best !== undefined && kind.turn >= best.turn)) continue;
      if (mayBegin(kind.name)) best = kind;
    }
    return best?.entries[0]?.item;
  }

  /** Counts work on an item that waits against its kind. */
  spend(item: Item, cost: number): void {
    const kind = this.#kindOf.get(item);
    if (kind === undefined) return;
    this.#virtual = Math.max(this.#virtual, kind.turn);
    kind.turn += cost;
  }

  /** Takes an item out of the queue; false where it is not in it. */
  delete(item: Item): boolean {
    const kind = this.#kindOf.get(item);
    if (kind === undefined) return false;
    this.#kindOf.delete(item);
    kind.entries.splice(
      kind.entries.findIndex((entry) => entry.item === item),
      1,
    );
    if (this.size === 0) {
      this.#kinds.clear();
      this.#virtual = 0;
    }
    return true;
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#kindOf.keys();
  }

  #placeOf(cost: number, entries: readonly Entry<Item>[]): number {
    let place = entries.length;
    for (let other = entries[place - 1]; other !== undefined; other = entries[place - 1]) {
      if (this.#costOf(other.item) <= cost || other.ahead + cost > other.patience) break;
      other.ahead += cost;
      place--;
    }
    return place;
  }
}
