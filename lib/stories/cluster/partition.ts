/** An article to be put into a story. `at` is its time in milliseconds since 1970. */
export type Member = { id: number; at: number };

/** A pair of articles with the logarithm of the odds that both tell of one event. */
export type Link = { a: number; b: number; weight: number };

/** Reports of one story follow each other within this time, in milliseconds: two days. */
export const FOLLOW_MS = 2 * 24 * 3_600_000;

/** Shares of an article's links into a story, the heaviest first: the evidence of several, not of one alone. */
const EVIDENCE = [4, 2, 2, 1, 1];

/** Weight that stands for a link that is missing between articles near in time, and the most that a link counts. */
const UNLINKED = -3;
const MAX_WEIGHT = 4;

/**
 * Evidence from which on two groups are one story: of an article and another, and of a group of as many as count.
 * Chosen, as the shares, on the days of development.
 */
const JOIN_ALONE_FROM = 0;
const JOIN_MANY_FROM = -1.25;

type Node = Member & { links: { to: Node; weight: number }[]; group: Group };
type Group = { nodes: Node[]; neighbours: Map<Group, number> };

/**
 * Parts articles into stories: begins with each alone, and joins the two groups with the strongest evidence that they
 * tell of one event, while that is strong enough. Evidence is the mean over the articles of the smaller group of their
 * heaviest links into the other, so that one likeness does not join two events, and a story need not be alike
 * throughout. Deterministic, in whatever order things are given.
 */
export function partition(members: readonly Member[], links: readonly Link[]): Member[][] {
  const groups = groupsOf(members, links);
  for (let best = strongest(groups); best !== undefined; best = strongest(groups)) {
    groups.delete(best.b);
    join(best.a, best.b);
  }
  return [...groups].map(({ nodes }) => nodes.map(({ id, at }) => ({ id, at })).sort(byTime));
}

const byTime = (a: Member, b: Member): number => a.at - b.at || a.id - b.id;

function groupsOf(members: readonly Member[], links: readonly Link[]): Set<Group> {
  const nodes = new Map<number, Node>();
  const groups = new Set<Group>();
  for (const { id, at } of [...members].sort(byTime)) {
    const group: Group = { nodes: [], neighbours: new Map() };
    const node: Node = { id, at, links: [], group };
    group.nodes.push(node);
    groups.add(group);
    nodes.set(id, node);
  }
  for (const { a, b, weight } of links) {
    const [from, to] = [nodes.get(a), nodes.get(b)];
    if (from === undefined || to === undefined || from === to || weight <= UNLINKED) continue;
    if (Math.abs(from.at - to.at) > FOLLOW_MS) continue;
    from.links.push({ to, weight: Math.min(MAX_WEIGHT, weight) });
    to.links.push({ to: from, weight: Math.min(MAX_WEIGHT, weight) });
  }
  for (const node of nodes.values()) node.links.sort((x, y) => y.weight - x.weight || x.to.id - y.to.id);
  for (const group of groups) {
    for (const { to } of group.nodes[0]?.links ?? []) group.neighbours.set(to.group, evidence(group, to.group));
  }
  return groups;
}

function strongest(groups: ReadonlySet<Group>): { a: Group; b: Group } | undefined {
  let best: { a: Group; b: Group } | undefined;
  let most = 0;
  for (const a of groups) {
    for (const [b, weight] of a.neighbours) {
      const gain = weight - joinFrom(a, b);
      if (gain > most) [best, most] = [{ a, b }, gain];
    }
  }
  return best;
}

/** Returns the evidence from which on two groups are joined: the mean of several links is lower than one alone. */
function joinFrom(a: Group, b: Group): number {
  const share = (Math.min(EVIDENCE.length, Math.max(a.nodes.length, b.nodes.length)) - 1) / (EVIDENCE.length - 1);
  return JOIN_ALONE_FROM + share * (JOIN_MANY_FROM - JOIN_ALONE_FROM);
}

/** Puts the articles of `b` into `a`. */
function join(a: Group, b: Group): void {
  for (const node of b.nodes) node.group = a;
  a.nodes.push(...b.nodes);
  const others = new Set([...a.neighbours.keys(), ...b.neighbours.keys()]);
  for (const other of others) {
    other.neighbours.delete(b);
    if (other === a || other === b) continue;
    const weight = evidence(a, other);
    a.neighbours.set(other, weight);
    other.neighbours.set(a, weight);
  }
  a.neighbours.delete(b);
}

/** Returns the evidence that two groups are one story; of groups of one size the mean of both sides. */
function evidence(a: Group, b: Group): number {
  if (a.nodes.length < b.nodes.length) return evidenceInto(a, b);
  if (a.nodes.length > b.nodes.length) return evidenceInto(b, a);
  return (evidenceInto(a, b) + evidenceInto(b, a)) / 2;
}

function evidenceInto(small: Group, large: Group): number {
  let sum = 0;
  let counted = 0;
  for (const node of small.nodes) {
    const near = nearNodes(node, large);
    if (near === 0) continue;
    let weight = 0;
    let shares = 0;
    let links = 0;
    for (const link of node.links) {
      if (link.to.group !== large) continue;
      const share = EVIDENCE[links] ?? 0;
      weight += share * link.weight;
      shares += share;
      if (++links === EVIDENCE.length) break;
    }
    for (; links < near; links++) {
      const share = EVIDENCE[links] ?? 0;
      weight += share * UNLINKED;
      shares += share;
    }
    sum += weight / shares;
    counted++;
  }
  return counted === 0 ? UNLINKED : sum / counted;
}

/** Counts the articles of a group that are near an article in time, up to as many as count. */
function nearNodes({ at }: Node, { nodes }: Group): number {
  let near = 0;
  for (const node of nodes) if (Math.abs(node.at - at) <= FOLLOW_MS && ++near === EVIDENCE.length) break;
  return near;
}
