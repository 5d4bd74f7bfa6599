import { checkIfOpen, type NestedText, type OptionalModel, type RunOptions, type Tagger } from "@isnad/lib/models";
import { PartUnavailable } from "../../lib/arabic/attempt.ts";

/** Finds the entities of texts. */
export type EntityFinder = {
  /** Returns the words of a text and its entities, nested. @throws PartUnavailable without the model */
  nested(text: string, options?: RunOptions): Promise<NestedText>;
  /** Rejects where the model cannot answer; one that rests is not opened for it. */
  check(options: RunOptions): Promise<unknown>;
};

/** The entity finder over a tagger, which may be missing. */
export function openEntities(tagger: OptionalModel<Pick<Tagger, "nested">>): EntityFinder {
  return {
    async nested(text, options) {
      const { model, problem } = tagger;
      if (model === undefined) {
        throw new PartUnavailable(problem.message, { cause: problem });
      }
      const [found = { tokens: [], entities: [] }] = await model.nested([text], options);
      return found;
    },
    async check(options) {
      const { model, problem } = tagger;
      if (model === undefined) throw new PartUnavailable(problem.message, { cause: problem });
      await checkIfOpen(model, () => model.nested(["القاهرة"], options));
    },
  };
}
