import { AudioError } from "@isnad/lib/models/audio";
import { AppError, retryAfter } from "@isnad/lib/service/http";
import { InferenceError } from "@isnad/lib/models";
import { LlmError, type LlmErrorCode, ModelNotInstalled } from "@isnad/lib/answers";

/** Holds what the client is told; who runs the platform finds the rest in the log. */
const DETAILS: Record<LlmErrorCode, string> = {
  unreachable: "The language model's server cannot be reached.",
  "timed-out": "The language model did not answer in time.",
  unauthorized: "The language model's server refuses the platform's key.",
  "not-found": "The language model's server does not have the model.",
  refused: "The language model did not take the request; it may be too long for it.",
  busy: "The language model's server has too much to do.",
  failed: "The language model failed.",
  "bad-answer": "The language model's answer could not be read.",
  empty: "The language model gave no answer.",
};

/** Turns what models throw into problems; undefined for what is a fault of the code. */
export function classify(error: unknown): AppError | undefined {
  if (error instanceof ModelNotInstalled) {
    return new AppError("model-not-installed", error.message, { cause: error, retryable: false });
  }
  if (error instanceof AudioError) {
    const slug = error.code === "too-long" ? "payload-too-large" : "unsupported-media-type";
    return new AppError(slug, error.message, { cause: error, retryable: false });
  }
  if (error instanceof LlmError) {
    return new AppError("service-unavailable", DETAILS[error.code], {
      cause: error,
      headers: retryAfter(error.retryAfterS),
      retryable: error.retryable,
    });
  }
  if (error instanceof InferenceError) {
    return new AppError("service-unavailable", `The model ${error.model ?? "asked for"} cannot answer now.`, {
      cause: error,
    });
  }
  return undefined;
}
