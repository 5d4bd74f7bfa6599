import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";

/** Characters of a media type that are looked at. */
const MAX_TYPE_LENGTH = 200;

const STREAMED = /^(?:application\/(?:x-ndjson|jsonl)|text\/(?:csv|event-stream))(?:;|$)/i;

/** Tells whether answers of this media type are written as they are made: whole they may not fit into memory. */
export function isStreamed(contentType: string | null): boolean {
  return STREAMED.test(mediaType(contentType));
}

/** Tells whether answers of this media type get smaller; events are not, each is to arrive when it happens. */
export function isCompressible(contentType: string | null): boolean {
  const type = mediaType(contentType);
  if (type.toLowerCase().startsWith("text/event-stream")) return false;
  return isStreamed(type) || COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type);
}

function mediaType(contentType: string | null): string {
  return (contentType ?? "").slice(0, MAX_TYPE_LENGTH).trim();
}
