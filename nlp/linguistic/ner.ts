import type { NestedText, OptionalModel, Tagger } from "@isnad/lib/models";
import { PartUnavailable } from "../../lib/arabic/attempt.ts";

/** Finds the entities of texts. */
export type EntityFinder = {
  /** The words of a text and its entities, nested. @throws PartUnavailable without the model */
  nested(text: string, signal?: AbortSignal): Promise<NestedText>;
};

/** The entity finder over a tagger, which may be missing. */
export function openEntities(tagger: OptionalModel<Pick<Tagger, "nested">>): EntityFinder {
  return {
    async nested(text, signal) {
      const { model, problem } = tagger;
      if (model === undefined) {
        throw new PartUnavailable(problem.message, { cause: problem });
      }
      const [found = { tokens: [], entities: [] }] = await model.nested([text], signal);
      return found;
    },
  };
}
