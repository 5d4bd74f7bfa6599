import { AppError } from "@isnad/lib/service/http";
import type { OptionalModel } from "@isnad/lib/models";

/** The model. @throws AppError `model-not-installed`, naming the command that tells more */
export function installed<T>(optional: OptionalModel<T>): T {
  if (optional.problem === undefined) return optional.model;
  const { model, code } = optional.problem;
  const detail =
    code === "model-unknown" || model === undefined
      ? "No model for this is installed. `bun run models list` shows those at hand, `bun run models use` chooses one."
      : `The model ${model} cannot be used (${code}). \`bun run models verify\` shows what is wrong with its files.`;
  throw new AppError("model-not-installed", detail, { cause: optional.problem, retryable: false });
}
