import { z } from "@hono/zod-openapi";
import { isObject, parseJson, readEvents } from "../std/mod.ts";
import { codePointLength } from "../text/mod.ts";
import { hasLength, NOT_BLANK } from "./fields.ts";
import { brokenRange, FILTER_NAMES, FILTERS } from "./filter-table.ts";
import { filterParams } from "./filters.ts";

/** Limits of a conversation; text counts code points. */
const CHAT_LIMITS = { messages: 200, text: 200_000, maxTokens: 8192 } as const;

const message = z
  .object({ role: z.enum(["system", "user", "assistant"]).openapi({ example: "user" }), content: z.string() })
  .openapi("ChatMessage");

/** Filters of what an answer is made of: those of a search. */
const ChatFilters = z
  .strictObject(filterParams("body"))
  .refine((filters) => brokenRange(filters) === undefined, { error: ({ input }) => brokenRange(Object(input)) ?? "" })
  .transform(asText)
  .openapi("ChatFilters");

/** Returns filters as another service takes them: times as text again. */
function asText(filters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isTime = (name: string) => FILTER_NAMES.some((each) => each === name && FILTERS[each].type.is === "time");
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      isTime(name) ? new Date(Number(value)).toISOString() : value,
    ]),
  );
}

/**
 * The body of `POST /chat/completions` of the API and of `POST /llm/chat` of the edge worker, which differ in what
 * `stream` is when it is missing.
 */
export function chatRequest({ stream }: { stream: boolean }) {
  return z
    .object({
      messages: z
        .array(message)
        .min(1, { error: "must not be empty" })
        .max(CHAT_LIMITS.messages, { error: `must have at most ${CHAT_LIMITS.messages} entries` })
        .refine((messages) => messages.some(({ role, content }) => role === "user" && content.trim() !== ""), {
          error: "must have a message of role user with some text",
        })
        .refine(isShortEnough, { error: `must have at most ${CHAT_LIMITS.text} characters in all` })
        .openapi({ description: `at most ${CHAT_LIMITS.text} characters in all; one of role user has some text` }),
      stream: z.boolean().default(stream).openapi({ description: "an event stream, or one JSON body" }),
      max_tokens: z
        .int()
        .min(1)
        .max(CHAT_LIMITS.maxTokens)
        .default(1024)
        .openapi({ description: "of the answer; words for the built-in model" }),
      temperature: z.number().min(0).max(2).optional(),
      lang: z
        .enum(["ar", "en"])
        .optional()
        .openapi({ description: "of the answer; when missing, that of the question" }),
      grounded: z
        .boolean()
        .default(true)
        .openapi({
          description:
            "The last user message, with what it refers to, is searched for; the passages found go to the model as numbered sources, which it cites as [n]. " +
            "Without it the model sees the messages alone.",
        }),
      filters: ChatFilters.optional().openapi({ description: "Only articles that pass are read." }),
      article_id: z.int().min(1).optional().openapi({ description: "Only this article is read." }),
      story_id: z.int().min(1).optional().openapi({ description: "Only the articles of this story are read." }),
    })
    .openapi(stream ? "ChatCompletionRequest" : "ChatRequest");
}
export type ChatRequest = z.output<ReturnType<typeof chatRequest>>;

function isShortEnough(messages: readonly { content: string }[]): boolean {
  const units = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (units <= CHAT_LIMITS.text) return true;
  return messages.reduce((sum, { content }) => sum + codePointLength(content), 0) <= CHAT_LIMITS.text;
}

/** Holds what an answer cost; null where the model does not say. */
export const ChatUsage = z
  .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
  .openapi("ChatUsage", { description: "tokens; words for the built-in model" });

const Offsets = z
  .object({ start: z.int(), end: z.int() })
  .openapi("TextOffsets", { description: "Code points of the article's stored content, end exclusive." });

/** An article that an answer may cite as [n], and what of it was read. */
export const ChatSource = z
  .object({
    n: z.int().min(1),
    article_id: z.int(),
    title: z.string(),
    url: z.string(),
    passages: z
      .array(z.object({ text: z.string(), offsets: Offsets }))
      .default([])
      .openapi({ description: "What was read of it, in its order." }),
  })
  .openapi("ChatSource");
export type ChatSource = z.output<typeof ChatSource>;

/** Data of the event `meta`, the first of a stream. */
const ChatMeta = z
  .object({ request_id: z.string(), model: z.string(), sources: z.array(ChatSource) })
  .openapi("ChatMeta");

/** Data of the event `delta`. */
const ChatDelta = z.object({ text: z.string() }).openapi("ChatDelta");

/** Says which words of a source an answer rests on. */
export const ChatCitation = z
  .object({
    n: z.int().min(1).openapi({ description: "The source, as `[n]` counts it." }),
    quote: z.string().openapi({ description: "Its words." }),
    offsets: Offsets.nullable().openapi({ description: "Null for a headline." }),
    unsupported: z.array(z.string()).optional().openapi({
      description:
        "Numbers (with the word for thousands or millions behind them) and months of dates that the answer says here and the source does not.",
    }),
  })
  .openapi("ChatCitation");

/** Data of the event `done`, the last of a stream unless that is `error`, whose data is a problem document. */
const ChatDone = z
  .object({
    finish_reason: z.string().openapi({
      description: "`stop`, `length`, `no_answer` where the articles do not answer, or what the model calls it",
    }),
    citations: z.array(ChatCitation).default([]),
    usage: ChatUsage.nullable(),
  })
  .openapi("ChatDone");

/** The answer in one piece. */
export const ChatAnswer = z
  .object({
    ok: z.literal(true),
    ...ChatMeta.shape,
    message: z.object({ role: z.literal("assistant"), content: z.string() }),
    ...ChatDone.shape,
  })
  .openapi("ChatAnswer");
export type ChatAnswer = z.output<typeof ChatAnswer>;

/** Holds what a stream of a chat holds, for the OpenAPI documents. */
export const CHAT_STREAM = `With \`stream: true\` the answer is an event stream. Each event has a JSON object as data:

- \`meta\` first: \`{request_id, model, sources: [{n, article_id, title, url, passages}]}\`
- \`delta\`, any number: \`{text}\`, to be appended
- \`done\`: \`{finish_reason, citations: [{n, quote, offsets}], usage}\`, or \`error\`: a problem document. Exactly one of both ends the stream.

A comment line keeps the connection while nothing else is sent. A client that leaves stops the work.`;

const Event = z.discriminatedUnion("event", [
  z.object({ event: z.literal("meta"), data: ChatMeta }),
  z.object({ event: z.literal("delta"), data: ChatDelta }),
  z.object({ event: z.literal("done"), data: ChatDone }),
]);

/** Describes what happens in a turn of a chat, in order: its meta, deltas of text, and what it is done with. */
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
    citations: [],
    usage: null,
  };
  for await (const { event, data } of events) {
    if (event === "delta") answer.message.content += data.text;
    else Object.assign(answer, data);
  }
  return answer;
}

const MAX_TEXT_LENGTH = 50_000;

/** Names the lengths of a summary: a sentence or two, a few, or about twice as many. */
const SUMMARY_LENGTHS = ["short", "medium", "long"] as const;

/** The body of `POST /api/ai/summarize`. */
export const SummaryRequest = z
  .object({
    text: z
      .string()
      .refine((value) => hasLength(value, 1, MAX_TEXT_LENGTH), {
        error: `must have 1 to ${MAX_TEXT_LENGTH} characters`,
        abort: true,
      })
      .refine((value) => value.trim() !== "", { error: "must not be blank" })
      .openapi({ minLength: 1, maxLength: MAX_TEXT_LENGTH, pattern: NOT_BLANK }),
    target_lang: z
      .enum(["ar", "en"])
      .optional()
      .openapi({ description: "Language of the summary; the text's where missing." }),
    length: z.enum(SUMMARY_LENGTHS).default("medium"),
    format: z.enum(["paragraph", "bullets"]).default("paragraph"),
  })
  .openapi("SummaryRequest");

/** The body of an answer of `POST /api/ai/summarize`. */
export const Summary = z
  .object({
    summary: z.string().openapi({ description: "With `bullets` a line for each, after a hyphen." }),
    bullets: z.array(z.string()).optional().openapi({ description: "With format `bullets`." }),
    target_lang: z
      .string()
      .openapi({ description: "`und` where none was asked for and the text's is neither ar nor en." }),
    length: z.enum(SUMMARY_LENGTHS),
    format: z.enum(["paragraph", "bullets"]),
    model: z.string(),
  })
  .openapi("Summary");

/** The body of the edge worker's `POST /llm/summarize`. */
export const EdgeSummaryRequest = SummaryRequest.omit({ format: true }).openapi("EdgeSummaryRequest");

/** Holds what the edge worker answers: the points of the summary in the order of the text. */
export const EdgeSummary = z
  .object({
    ok: z.literal(true),
    model: z.string(),
    points: z.array(z.string()).min(1),
    target_lang: z.string(),
  })
  .openapi("EdgeSummary");
