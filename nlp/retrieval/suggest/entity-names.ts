import type { Store } from "@isnad/lib/store";
import { nameKey } from "@isnad/lib/text";

/** Articles among which names are counted, and the most named that are held. */
const AMONG_ARTICLES = 50_000;
const MAX_NAMES = 20_000;
/** Time that names are held before they are read again, in milliseconds. */
const REFRESH_MS = 300_000;
/** Names that begin alike and are compared: they are held by name, not by how often they are named. */
const MAX_ALIKE = 5_000;

type NamedEntity = Awaited<ReturnType<Store["entities"]["mostNamed"]>>[number];

/** A name by one of its words and those behind it. */
type Entry = { begin: string; entity: NamedEntity };

/** The names that articles of late have most, by how any of their words begins. */
export type EntityNames = {
  /** Returns the entities with a word that begins so, most named first. Waits for names only the first time. */
  beginning(text: string, limit: number): Promise<NamedEntity[]>;
};

/** Holds the most named entities; they are read again in the background when they are asked for after a while. */
export function createEntityNames(entities: Pick<Store["entities"], "mostNamed">): EntityNames {
  let entries: Promise<readonly Entry[]> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<readonly Entry[]> => {
    const named = await entities.mostNamed({ among: AMONG_ARTICLES, limit: MAX_NAMES });
    return named.flatMap(entriesOf).sort((a, b) => (a.begin < b.begin ? -1 : 1));
  };
  return {
    async beginning(text, limit) {
      const key = nameKey(text);
      if (key === "") return [];
      if (performance.now() - readAt > REFRESH_MS) {
        readAt = performance.now();
        const before = entries;
        const next = read();
        next.then(
          () => {
            entries = next;
          },
          () => {
            entries = before;
            readAt = Number.NEGATIVE_INFINITY;
          },
        );
        entries = before ?? next;
      }
      return mostNamedOf(await (entries ?? []), key, limit);
    },
  };
}

function entriesOf(entity: NamedEntity): Entry[] {
  const starts = [0, ...Array.from(entity.key.matchAll(/ /g), ({ index }) => index + 1)];
  return starts.map((start) => ({ begin: entity.key.slice(start), entity }));
}

function mostNamedOf(entries: readonly Entry[], key: string, limit: number): NamedEntity[] {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.begin ?? "") < key) low = middle + 1;
    else high = middle;
  }
  const alike = new Set<NamedEntity>();
  for (let i = low; i < low + MAX_ALIKE; i++) {
    const entry = entries[i];
    if (entry === undefined || !entry.begin.startsWith(key)) break;
    alike.add(entry.entity);
  }
  return [...alike].sort((a, b) => b.articles - a.articles || a.entityId - b.entityId).slice(0, limit);
}
