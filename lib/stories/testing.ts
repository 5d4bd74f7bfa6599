import { type CopyLink, type CurrentText, MAX_STEPS, MOSTLY_SHARED, type ReadText, type Store } from "../store/mod.ts";

/** Returns the ids of an article and of all that it is shown with, as the database finds them. */
export function familyIds(articleId: number, links: readonly CopyLink[]): Set<number> {
  const steps = new Map([[articleId, 0]]);
  const queue = [articleId];
  for (const id of queue)
    for (const link of links) {
      const other = link.articleId === id ? link.otherId : link.otherId === id ? link.articleId : undefined;
      if (other === undefined) continue;
      const step = Math.max(link.overlap, link.overlapOfOther) >= MOSTLY_SHARED ? 0 : 1;
      const total = (steps.get(id) ?? 0) + step;
      if (total > MAX_STEPS || total >= (steps.get(other) ?? Number.POSITIVE_INFINITY)) continue;
      steps.set(other, total);
      queue.push(other);
    }
  return new Set(steps.keys());
}

/** Holds what the stage of copies stores, in memory, as the database does. */
export function memoryCopies(
  texts: readonly CurrentText[],
): Pick<Store, "copies"> & { links: Map<string, CopyLink>; again: Set<number> } {
  const byId = new Map(texts.map((text) => [text.articleId, text]));
  const read = new Map<number, ReadText>();
  const lists = new Map<number, Set<number>>();
  const links = new Map<string, CopyLink>();
  const again = new Set<number>();
  const unlist = (articleId: number, anchors: Iterable<number>): void => {
    for (const anchor of anchors) lists.get(anchor)?.delete(articleId);
  };
  const notHere = (): never => {
    throw new Error("no part of what is measured");
  };
  return {
    links,
    again,
    copies: {
      texts: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
      register: async (batch) => {
        const ids = new Set(batch.map(({ articleId }) => articleId));
        const linked = [...links.values()].flatMap(({ articleId, otherId }) => [
          { articleId, otherId },
          { articleId: otherId, otherId: articleId },
        ]);
        for (const each of batch) {
          unlist(each.articleId, read.get(each.articleId)?.anchors ?? []);
          read.set(each.articleId, each);
          for (const anchor of each.anchors) {
            const list = lists.get(anchor);
            if (list === undefined) lists.set(anchor, new Set([each.articleId]));
            else list.add(each.articleId);
          }
        }
        return linked
          .filter(({ articleId }) => ids.has(articleId))
          .map((link) => ({ ...link, otherRevision: read.get(link.otherId)?.revision ?? 0 }));
      },
      candidates: async (ids) =>
        ids.flatMap((articleId) => {
          const others = new Set(
            [...(read.get(articleId)?.anchors ?? [])].flatMap((anchor) => [...(lists.get(anchor) ?? [])]),
          );
          others.delete(articleId);
          return [...others].map((otherId) => ({
            articleId,
            otherId,
            otherRevision: read.get(otherId)?.revision ?? 0,
            anchors: [...(read.get(otherId)?.anchors ?? [])],
          }));
        }),
      linksAmong: async (ids) => {
        const among = new Set(ids);
        return [...links.values()].filter(({ articleId, otherId }) => among.has(articleId) && among.has(otherId));
      },
      put: async (batch) => {
        for (const { articleId, links: found, anchors, seen, again: ids } of batch) {
          for (const id of ids) again.add(id);
          for (const [key, link] of links)
            if (
              (link.articleId === articleId && seen.has(link.otherId)) ||
              (link.otherId === articleId && seen.has(link.articleId))
            )
              links.delete(key);
          const before = read.get(articleId);
          if (anchors !== undefined && before !== undefined) {
            unlist(articleId, before.anchors);
            read.set(articleId, { ...before, anchors });
            for (const anchor of anchors) lists.get(anchor)?.add(articleId);
          }
          for (const link of found) {
            const [a, b] = [Math.min(articleId, link.otherId), Math.max(articleId, link.otherId)];
            const { overlap, overlapOfOther, confidence, carriers } = link;
            const shares =
              a === articleId ? { overlap, overlapOfOther } : { overlap: overlapOfOther, overlapOfOther: overlap };
            links.set(`${a} ${b}`, { articleId: a, otherId: b, ...shares, confidence, carriers });
          }
        }
        return batch.map(({ articleId }) => articleId);
      },
      enlist: notHere,
      family: notHere,
    },
  };
}
