/** Longest line of a stream that is kept, in characters. */
const MAX_LINE = 4_000_000;

/** Yields the lines of a body as its bytes come. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
      if (rest.length > MAX_LINE) throw new RangeError(`a line of the stream is longer than ${MAX_LINE} characters`);
      if (!done) continue;
      if (rest !== "") yield rest;
      return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** An event of a stream; `data` is its JSON. */
export type StreamEvent = { event: string; data: unknown };

/** Yields the events of a stream, without the mark that ends some. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let event = "message";
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === "") {
      const text = data.join("\n");
      if (text !== "" && text !== "[DONE]") yield { event, data: JSON.parse(text) };
      event = "message";
      data = [];
    } else if (line.startsWith("event:")) event = line.slice(6).trimStart();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
}
