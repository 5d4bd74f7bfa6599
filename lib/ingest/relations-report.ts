import type { RelationsPackage } from "../contract/mod.ts";
import type { EntityName, NewRelation, RelationsReport } from "../store/mod.ts";
import { displayName, nameKey } from "../text/mod.ts";

/** What fills a role and folds to more than this is a clause: it names nothing. */
const LONGEST_NAME = 200;

/** A package as the store takes it, with the entities that its arguments name. */
export function relationsReport(body: RelationsPackage, requestId: string): RelationsReport {
  return {
    package: body,
    requestId,
    relations: (body.relations ?? []).map(
      ({ type, args, confidence, offsets }): NewRelation => ({
        type,
        args,
        confidence,
        start: offsets.start,
        end: offsets.end,
        entities: entitiesOf(args),
      }),
    ),
    replace: body.enrichment_status === "ok",
  };
}

function entitiesOf(args: Record<string, string>): Record<string, EntityName> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([role, filler]) => {
      const key = nameKey(filler);
      return key === "" || key.length > LONGEST_NAME ? [] : [[role, { name: displayName(filler, ""), key }]];
    }),
  );
}
