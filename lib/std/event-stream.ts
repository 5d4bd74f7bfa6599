/** An event of a `text/event-stream`: its fields by name, `data` lines joined by line feeds. Comments are none. */
export type StreamEvent = {
  /** The value of `event`; "message" where there is none. */
  event: string;
  data: string;
  /** Fields that the standard does not know; some servers send errors in one. */
  other: Record<string, string>;
};

/** Longest event that is kept, in UTF-16 units. */
const MAX_EVENT = 4_000_000;

/**
 * Returns the events of a `text/event-stream` (HTML Living Standard, 9.2.6) as their bytes come, wherever those are
 * cut. An event whose closing blank line is missing at the end of the stream counts too. Throws {@link RangeError} for
 * one that never ends.
 */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  let event = empty();
  let length = 0;
  for await (const lines of readLines(pieces)) {
    for (const line of lines) {
      length += line.length;
      if (length > MAX_EVENT) throw new RangeError(`an event of the stream is longer than ${MAX_EVENT} characters`);
      if (line !== "") addField(event, line);
      else {
        if (isSomething(event)) yield finished(event);
        event = empty();
        length = 0;
      }
    }
  }
  if (isSomething(event)) yield finished(event);
}

/** Returns an event as it is sent; `data` becomes JSON, which has no line feeds. */
export function formatEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

type Draft = { event: string; data: string[]; other: Record<string, string> };

const empty = (): Draft => ({ event: "", data: [], other: {} });

function isSomething({ data, other }: Draft): boolean {
  return data.length > 0 || Object.keys(other).length > 0;
}

function finished({ event, data, other }: Draft): StreamEvent {
  return { event: event === "" ? "message" : event, data: data.join("\n"), other };
}

function addField(draft: Draft, line: string): void {
  const colon = line.indexOf(":");
  if (colon === 0) return;
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
  if (name === "data") draft.data.push(value);
  else if (name === "event") draft.event = value;
  else if (name !== "id" && name !== "retry") draft.other[name] = value;
}

/** Lines that end in LF, CR or CRLF, without their ends; those that a piece ends, at once. */
async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  let afterReturn = false;
  for await (const piece of pieces) {
    let text = decoder.decode(piece, { stream: true });
    // A line feed that follows a carriage return belongs to it, also across pieces.
    if (afterReturn && text !== "") {
      if (text.startsWith("\n")) text = text.slice(1);
      afterReturn = false;
    }
    if (text.endsWith("\r")) afterReturn = true;
    const [first = "", ...more] = text.split(/\r\n|\n|\r/);
    rest += first;
    const last = more.pop();
    if (last !== undefined) {
      yield [rest, ...more];
      rest = last;
    }
    if (rest.length > MAX_EVENT) throw new RangeError(`a line of the stream is longer than ${MAX_EVENT} characters`);
  }
  rest += decoder.decode();
  if (rest !== "") yield [rest];
}
