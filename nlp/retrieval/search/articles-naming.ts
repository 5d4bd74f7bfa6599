import { nameKey } from "@isnad/lib/text";
import type { RetrievalDeps } from "../deps.ts";

/** Says which articles name an entity. */
export type NamingStore = Pick<RetrievalDeps["store"], "entities" | "stories">;

/** Articles that name an entity, at most. */
const MOST = 50_000;

/**
 * The keys of the articles that name an entity, which is given by its number or by its name in any spelling;
 * undefined where none is asked for.
 */
export async function articlesNaming(
  { entities }: Pick<NamingStore, "entities">,
  entity: string | undefined,
): Promise<number[] | undefined> {
  if (entity === undefined) return undefined;
  const id = /^[1-9]\d{0,14}$/.test(entity) ? Number(entity) : undefined;
  return await entities.articlesNaming({ id, key: nameKey(entity) }, { limit: MOST });
}
