/** A part of the analysis whose files could not be opened; the message names it. */
export class PartUnavailable extends Error {
  override name = "PartUnavailable";
}
