/** The best `k` of many documents: a heap with the worst of them at its root. Equal scores: the larger id is better. */
export class Top {
  readonly #k: number;
  readonly #scores: Float64Array;
  readonly #ids: Float64Array;
  readonly #segments: Uint32Array;
  readonly #docs: Uint32Array;
  #size = 0;

  constructor(k: number) {
    this.#k = k;
    this.#scores = new Float64Array(k);
    this.#ids = new Float64Array(k);
    this.#segments = new Uint32Array(k);
    this.#docs = new Uint32Array(k);
  }

  /** A score below this cannot be among the best any more; 0 until there are `k`. */
  get least(): number {
    return this.#size < this.#k ? 0 : (this.#scores[0] ?? 0);
  }

  add(score: number, id: number, segment: number, doc: number): void {
    if (this.#size < this.#k) this.#rise(this.#size++, score, id, segment, doc);
    else if (isBetter(score, id, this.#scores[0] ?? 0, this.#ids[0] ?? 0)) this.#sink(score, id, segment, doc);
  }

  /** The best, best first. */
  list(): Ranked[] {
    const ranked = Array.from({ length: this.#size }, (_, i) => ({
      score: this.#scores[i] ?? 0,
      id: this.#ids[i] ?? 0,
      segment: this.#segments[i] ?? 0,
      doc: this.#docs[i] ?? 0,
    }));
    return ranked.sort(byRank);
  }

  #rise(from: number, score: number, id: number, segment: number, doc: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBetter(this.#scores[parent] ?? 0, this.#ids[parent] ?? 0, score, id)) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#put(place, score, id, segment, doc);
  }

  #sink(score: number, id: number, segment: number, doc: number): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      const other = child + 1;
      if (
        other < this.#size &&
        isBetter(this.#scores[child] ?? 0, this.#ids[child] ?? 0, this.#scores[other] ?? 0, this.#ids[other] ?? 0)
      ) {
        child = other;
      }
      if (!isBetter(score, id, this.#scores[child] ?? 0, this.#ids[child] ?? 0)) break;
      this.#move(child, place);
      place = child;
    }
    this.#put(place, score, id, segment, doc);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#scores[from] ?? 0, this.#ids[from] ?? 0, this.#segments[from] ?? 0, this.#docs[from] ?? 0);
  }

  #put(place: number, score: number, id: number, segment: number, doc: number): void {
    this.#scores[place] = score;
    this.#ids[place] = id;
    this.#segments[place] = segment;
    this.#docs[place] = doc;
  }
}

/** A document with its score, and where it is. */
export type Ranked = { score: number; id: number; segment: number; doc: number };

/** Best first; equal scores by descending id. */
export function byRank(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.id - a.id;
}

function isBetter(score: number, id: number, otherScore: number, otherId: number): boolean {
  return score > otherScore || (score === otherScore && id > otherId);
}
