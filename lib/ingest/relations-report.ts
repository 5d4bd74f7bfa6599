import type { RelationsPackage } from "../contract/mod.ts";
import type { EntityName, NewRelation, RelationsReport } from "../store/mod.ts";
import { mapInSlices } from "../std/mod.ts";
import { displayName, nameKey } from "../text/mod.ts";

/** Bounds the folded length of what fills a role: longer is a clause: it names nothing. */
const MAX_NAME_LENGTH = 200;
/** UTF-16 units of what is folded to find that out: more than any name has, with all its marks. */
const FOLDED_LENGTH = 1000;

/**
 * Returns a package as the store takes it, with the entities that its arguments name. The event loop gets its turns
 * meanwhile.
 */
export async function relationsReport(body: RelationsPackage, requestId: string): Promise<RelationsReport> {
  const relations = await mapInSlices(
    body.relations ?? [],
    ({ type, args, confidence, offsets }): NewRelation => ({
      type,
      args,
      confidence,
      start: offsets.start,
      end: offsets.end,
      entities: entitiesOf(args),
    }),
  );
  return {
    package: body,
    requestId,
    relations,
    replace: body.enrichment_status === "ok",
  };
}

function entitiesOf(args: Record<string, string>): Record<string, EntityName> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([role, filler]) => {
      if (filler.length > FOLDED_LENGTH) return [];
      const key = nameKey(filler);
      return key === "" || key.length > MAX_NAME_LENGTH ? [] : [[role, { name: displayName(filler, ""), key }]];
    }),
  );
}
