/** Unrelated groups of articles that have an anchor, from which on it is boilerplate. */
export const COMMON_GROUPS = 5;

/** Share of the anchors of the text with fewer from which on two articles count as related. */
const RELATED = 0.9;

/** An article that shares anchors with the text: which of them, and how many it has. */
export type Carrier = { id: number; shared: readonly number[]; anchors: number };

/**
 * Returns those of a text's anchors that several unrelated articles have (endings, tables, forms), with how many, up to
 * {@link COMMON_GROUPS}. Articles that are joined already or have nearly all anchors in common count once, so that a
 * report that all papers take over is none.
 */
export function groupsWith(carriers: readonly Carrier[], joined: ReadonlyMap<number, number>): Map<number, number> {
  const byAnchor = new Map<number, Carrier[]>();
  for (const carrier of carriers)
    for (const anchor of carrier.shared) {
      const list = byAnchor.get(anchor);
      if (list === undefined) byAnchor.set(anchor, [carrier]);
      else list.push(carrier);
    }
  const groups = new Map<number, number>();
  for (const [anchor, list] of byAnchor) {
    const count = list.length < 2 ? list.length : countGroups(list, joined);
    if (count > 1) groups.set(anchor, count);
  }
  return groups;
}

/** Carriers of an anchor that are listed; whoever has it beside them is found by its others. */
const MAX_LIST = 48;

/** Returns those of a text's anchors that others find enough articles by without it. */
export function fullAnchors(carriers: readonly Carrier[]): Set<number> {
  const counts = new Map<number, number>();
  for (const { shared } of carriers) for (const anchor of shared) counts.set(anchor, (counts.get(anchor) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= MAX_LIST).map(([anchor]) => anchor));
}

/** Counts the unrelated groups that carriers are of, up to {@link COMMON_GROUPS}. */
function countGroups(carriers: readonly Carrier[], joined: ReadonlyMap<number, number>): number {
  const first: Carrier[] = [];
  for (const carrier of carriers) {
    if (first.some((other) => isRelated(carrier, other, joined))) continue;
    first.push(carrier);
    if (first.length === COMMON_GROUPS) break;
  }
  return first.length;
}

function isRelated(carrier: Carrier, other: Carrier, joined: ReadonlyMap<number, number>): boolean {
  const group = joined.get(carrier.id);
  if (group !== undefined && group === joined.get(other.id)) return true;
  const theirs = new Set(other.shared);
  const both = carrier.shared.reduce((sum, anchor) => sum + (theirs.has(anchor) ? 1 : 0), 0);
  return both >= RELATED * Math.min(carrier.anchors, other.anchors);
}

/** Returns the group of each of these articles that links join: the least id among those of the group. */
export function groupsOf(links: readonly { articleId: number; otherId: number }[]): Map<number, number> {
  const group = new Map<number, number>();
  const rootOf = (id: number): number => {
    let root = id;
    for (let up = group.get(root); up !== undefined && up !== root; up = group.get(root)) root = up;
    return root;
  };
  for (const { articleId, otherId } of links) {
    const [a, b] = [rootOf(articleId), rootOf(otherId)];
    group.set(articleId, Math.min(a, b));
    group.set(otherId, Math.min(a, b));
    group.set(a, Math.min(a, b));
    group.set(b, Math.min(a, b));
  }
  return new Map([...group.keys()].map((id) => [id, rootOf(id)]));
}
