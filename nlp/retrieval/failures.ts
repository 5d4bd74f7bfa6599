import { AppError } from "@isnad/lib/service/http";
import { InferenceError } from "@isnad/lib/models";
import { KeywordIndexError } from "@isnad/lib/search";

/** Turns what lower layers throw into problems; undefined for what is a fault of the code. */
export function classify(error: unknown): AppError | undefined {
  const unavailable = (detail: string) => new AppError("service-unavailable", detail, { cause: error });
  if (error instanceof KeywordIndexError) return unavailable("The keyword index cannot answer now.");
  if (error instanceof InferenceError) return unavailable(`The model ${error.model ?? "asked for"} cannot answer now.`);
  if (error instanceof VectorsUnavailable && error.cause instanceof AppError) return error.cause;
  if (error instanceof VectorsUnavailable) return unavailable("The vector index cannot answer now.");
  return undefined;
}

/** The vector branch failed; `cause` says why. */
export class VectorsUnavailable extends Error {
  override readonly name = "VectorsUnavailable";
}

/** Returns what the log line says of a branch that failed. */
export function reason(error: unknown): string {
  return String(error);
}
