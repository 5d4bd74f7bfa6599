import { errorMessage } from "../std/mod.ts";

/** A part of the analysis whose files could not be opened; the message names it. */
export class PartUnavailable extends Error {
  override name = "PartUnavailable";
}

/**
 * Opens a part now; what went wrong is thrown by those who ask for it, as PartUnavailable. A file that is missing or
 * damaged so fails the answers that need it, and no others.
 */
export function attempt<Part>(open: () => Part): () => Part {
  try {
    return opened(open());
  } catch (error) {
    return failed(error);
  }
}

/** Returns the same for a part that takes a while. */
export function attemptLater<Part>(open: () => Promise<Part>): Promise<() => Part> {
  return open().then(opened, failed);
}

const opened =
  <Part>(part: Part) =>
  (): Part =>
    part;

const failed = (error: unknown) => (): never => {
  throw error instanceof PartUnavailable ? error : new PartUnavailable(errorMessage(error), { cause: error });
};
