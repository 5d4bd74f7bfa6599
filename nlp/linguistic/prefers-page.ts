/** What a client accepts: a media type and how much it likes it (RFC 9110, 12.5.1), in the order of its list. */
type Accepted = { type: string; quality: number };

/**
 * Whether a client would rather have a page than JSON, by its `Accept`: who names pages and likes them more, or as much
 * and first. Anything at all is JSON.
 */
export function prefersPage(accept = ""): boolean {
  const accepted = accept.split(",").map(acceptedOf);
  const place = accepted.findIndex(({ type }) => type === "text/html");
  const page = accepted[place]?.quality ?? 0;
  const json = accepted.findIndex(({ type }) => type === "application/json");
  const other = accepted[json] ?? accepted.find(({ type }) => type === "*/*");
  if (page === 0 || other === undefined) return page > 0;
  return page > other.quality || (page === other.quality && place < (json < 0 ? accepted.length : json));
}

function acceptedOf(range: string): Accepted {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const written = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
  const quality = Number(written);
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}
