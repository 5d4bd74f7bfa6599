import { isObject, parseJson, readEvents } from "../std/mod.ts";
import { z } from "@hono/zod-openapi";
import { type ChatAnswer, ChatDelta, ChatDone, ChatMeta } from "./chat.ts";

/** What a stream of a chat holds, for the OpenAPI documents. */
export const CHAT_STREAM = `With \`stream: true\` the answer is an event stream. Each event has a JSON object as data:

- \`meta\` first: \`{request_id, model, sources: [{n, article_id, title, url}]}\`
- \`delta\`, any number: \`{text}\`, to be appended
- \`done\`: \`{finish_reason, usage}\`, or \`error\`: a problem document. Exactly one of both ends the stream.

A comment line keeps the connection while nothing else is sent. A client that leaves stops the work.`;

const Event = z.discriminatedUnion("event", [
  z.object({ event: z.literal("meta"), data: ChatMeta }),
  z.object({ event: z.literal("delta"), data: ChatDelta }),
  z.object({ event: z.literal("done"), data: ChatDone }),
]);

/** What happens in a turn of a chat, in order: its meta, deltas of text, and what it is done with. */
export type ChatEvent = z.output<typeof Event>;

/** A stream ended with the event `error`, or with none at all: then there is no problem. */
export class ChatStreamError extends Error {
  override readonly name = "ChatStreamError";
  readonly problem: Record<string, unknown> | undefined;

  constructor(message: string, problem?: Record<string, unknown>) {
    super(message);
    this.problem = problem;
  }
}

/** The events of a stream as its bytes come, `done` the last of them. Throws {@link ChatStreamError}. */
export async function* readChatEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ChatEvent> {
  for await (const { event, data } of readEvents(bytes)) {
    const value = parseJson(data);
    if (event === "error") throw new ChatStreamError("the stream ended with an error", isObject(value) ? value : {});
    const parsed = Event.safeParse({ event, data: value });
    if (!parsed.success) throw new ChatStreamError(`an event ${event} is not what was agreed`);
    yield parsed.data;
    if (event === "done") return;
  }
  throw new ChatStreamError("the stream broke off");
}

/** A turn in one piece. Throws what the events throw. */
export async function collectChat(events: AsyncIterable<ChatEvent>): Promise<ChatAnswer> {
  const answer: ChatAnswer = {
    ok: true,
    request_id: "",
    model: "",
    sources: [],
    message: { role: "assistant", content: "" },
    finish_reason: "stop",
    usage: null,
  };
  for await (const { event, data } of events) {
    if (event === "delta") answer.message.content += data.text;
    else Object.assign(answer, data);
  }
  return answer;
}
