import { z } from "@hono/zod-openapi";
import { ChatCitation, type ChatEvent, type ChatRequest, chatRequest, ChatSource } from "./answers.ts";

/** Name of the model that answers from the articles, whatever stands behind it. */
export const OPENAI_CHAT_MODEL = "isnad";

/** Limits of a request for vectors; text counts UTF-16 units, all texts together. */
const EMBEDDING_LIMITS = { texts: 256, text: 100_000 } as const;

const own = chatRequest({ stream: false }).shape;

const TextPart = z.object({ type: z.literal("text"), text: z.string() });

const OpenAiMessage = z
  .object({
    role: z.enum(["system", "developer", "user", "assistant"]).openapi({ example: "user" }),
    content: z.union([z.string(), z.array(TextPart)], { error: "must be a string or an array of parts of type text" }),
  })
  .openapi("OpenAiMessage");

/** The body of `POST /v1/chat/completions`; fields of OpenAI's that it does not have are ignored. */
export const OpenAiChatRequest = z
  .object({
    model: z.string().openapi({ description: `\`${OPENAI_CHAT_MODEL}\``, example: OPENAI_CHAT_MODEL }),
    messages: z
      .array(OpenAiMessage)
      .transform((messages) => messages.map(({ role, content }) => ({ role: roleOf(role), content: textOf(content) })))
      .pipe(own.messages),
    stream: own.stream,
    stream_options: z.object({ include_usage: z.boolean().default(false) }).nullish(),
    max_tokens: own.max_tokens.unwrap().nullish(),
    max_completion_tokens: own.max_tokens.unwrap().nullish(),
    temperature: own.temperature.nullish(),
    n: z.literal(1, { error: "must be 1" }).nullish(),
    lang: own.lang,
    grounded: own.grounded,
    filters: own.filters,
    article_id: own.article_id,
    story_id: own.story_id,
  })
  .openapi("OpenAiChatRequest");
export type OpenAiChatRequest = z.output<typeof OpenAiChatRequest>;

function roleOf(role: z.output<typeof OpenAiMessage>["role"]): "system" | "user" | "assistant" {
  return role === "developer" ? "system" : role;
}

function textOf(content: string | readonly { text: string }[]): string {
  return typeof content === "string" ? content : content.map(({ text }) => text).join("");
}

/** Returns the platform's own request that an OpenAI request stands for. */
export function chatRequestOf(request: OpenAiChatRequest): ChatRequest {
  const {
    model: _model,
    stream_options: _options,
    n: _n,
    max_tokens,
    max_completion_tokens,
    temperature,
    ...same
  } = request;
  return chatRequest({ stream: false }).parse({
    ...same,
    max_tokens: max_completion_tokens ?? max_tokens ?? undefined,
    temperature: temperature ?? undefined,
  });
}

const OpenAiUsage = z
  .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
  .openapi("OpenAiUsage");

/** Holds what a completion has beyond OpenAI's fields, of whatever the platform's own answer has. */
const cited = { sources: z.array(ChatSource), citations: z.array(ChatCitation) };

/** The answer of `POST /v1/chat/completions` in one piece. */
export const OpenAiCompletion = z
  .object({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({ role: z.literal("assistant"), content: z.string(), refusal: z.null() }),
        finish_reason: z.string(),
        logprobs: z.null(),
      }),
    ),
    usage: OpenAiUsage.optional(),
    ...cited,
    answered: z.boolean().openapi({ description: "false when the articles do not answer" }),
  })
  .openapi("OpenAiCompletion");
export type OpenAiCompletion = z.output<typeof OpenAiCompletion>;

/** Finish reasons that OpenAI's clients know. */
const FINISH_REASONS = new Set(["stop", "length", "content_filter"]);

/** Holds what an event of the platform's own stream adds to a completion, beside what it is made of. */
type Head = { id: string; created: number };

type Done = Extract<ChatEvent, { event: "done" }>["data"];

const finishReasonOf = ({ finish_reason }: Done): string =>
  FINISH_REASONS.has(finish_reason) ? finish_reason : "stop";

const isAnswered = ({ finish_reason }: Done): boolean => finish_reason !== "no_answer";

/** Returns what a turn had beyond its known fields, such as citations. */
function extrasOf({ finish_reason: _reason, usage: _usage, ...extras }: Done): Record<string, unknown> {
  return extras;
}

/**
 * Turns the events of a chat into the chunks of OpenAI's stream: the role and the sources first, then the text, then
 * how it ended, and at last, where it is asked for, what it cost.
 */
export async function* openAiChunks(
  events: AsyncIterable<ChatEvent>,
  { id, created }: Head,
  { includeUsage }: { includeUsage: boolean },
): AsyncGenerator<Record<string, unknown>> {
  const head = { id, object: "chat.completion.chunk", created, model: OPENAI_CHAT_MODEL };
  const usage = includeUsage ? { usage: null } : {};
  const chunk = (delta: Record<string, unknown>, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    ...usage,
  });
  for await (const { event, data } of events) {
    if (event === "meta") yield { ...chunk({ role: "assistant", content: "" }), sources: data.sources };
    else if (event === "delta") yield chunk({ content: data.text });
    else {
      yield { ...chunk({}, finishReasonOf(data)), ...extrasOf(data), answered: isAnswered(data) };
      if (includeUsage && data.usage !== null) yield { ...head, choices: [], usage: data.usage };
    }
  }
}

/** Gathers the events of a chat into one completion. */
export async function collectCompletion(events: AsyncIterable<ChatEvent>, { id, created }: Head) {
  let content = "";
  let sources: ChatSource[] = [];
  let done: Done = { finish_reason: "stop", citations: [], usage: null };
  for await (const { event, data } of events) {
    if (event === "meta") sources = data.sources;
    else if (event === "delta") content += data.text;
    else done = data;
  }
  return OpenAiCompletion.parse({
    id,
    object: "chat.completion",
    created,
    model: OPENAI_CHAT_MODEL,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal: null },
        finish_reason: finishReasonOf(done),
        logprobs: null,
      },
    ],
    ...(done.usage !== null && { usage: done.usage }),
    sources,
    ...extrasOf(done),
    answered: isAnswered(done),
  });
}

/** A model in the list of `GET /v1/models`. */
export const OpenAiModel = z
  .object({ id: z.string(), object: z.literal("model"), created: z.int(), owned_by: z.string() })
  .openapi("OpenAiModel");

/** The body of `POST /v1/embeddings`. */
export const OpenAiEmbeddingsRequest = z
  .object({
    model: z.string().openapi({
      description: `a model of \`GET /v1/models\`; \`${OPENAI_CHAT_MODEL}\` is the one at hand`,
      example: OPENAI_CHAT_MODEL,
    }),
    input: z
      .union([z.string(), z.array(z.string()).min(1).max(EMBEDDING_LIMITS.texts)], {
        error: "must be a string or an array of strings",
      })
      .transform((input) => (typeof input === "string" ? [input] : input))
      .refine((texts) => texts.reduce((sum, { length }) => sum + length, 0) <= EMBEDDING_LIMITS.text, {
        error: `must have at most ${EMBEDDING_LIMITS.text} characters in all`,
      })
      .openapi({ description: `at most ${EMBEDDING_LIMITS.texts} texts, ${EMBEDDING_LIMITS.text} characters in all` }),
    encoding_format: z.enum(["float", "base64"]).default("float"),
    dimensions: z.int().min(1).optional().openapi({ description: "only what the model has" }),
    input_type: z
      .enum(["query", "passage"])
      .default("passage")
      .openapi({ description: "what the texts are: searches, or what is searched" }),
  })
  .openapi("OpenAiEmbeddingsRequest");

/** The answer of `POST /v1/embeddings`. */
export const OpenAiEmbeddings = z
  .object({
    object: z.literal("list"),
    data: z.array(
      z.object({
        object: z.literal("embedding"),
        index: z.int(),
        embedding: z.union([z.array(z.number()), z.string()]).openapi({ description: "base64: little-endian float32" }),
      }),
    ),
    model: z.string(),
    usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }).openapi({ description: "words" }),
  })
  .openapi("OpenAiEmbeddings");

/** The body of the edge worker's `POST /llm/embed`. */
export const EmbedRequest = z
  .object({
    texts: z
      .array(z.string())
      .min(1)
      .max(EMBEDDING_LIMITS.texts)
      .refine((texts) => texts.reduce((sum, { length }) => sum + length, 0) <= EMBEDDING_LIMITS.text, {
        error: `must have at most ${EMBEDDING_LIMITS.text} characters in all`,
      }),
    kind: z.enum(["query", "passage"]).default("passage"),
  })
  .openapi("EmbedRequest");

/** The edge worker's answer: a vector of unit length a text, in order. */
export const EmbedAnswer = z
  .object({ ok: z.literal(true), model: z.string(), vectors: z.array(z.array(z.number())) })
  .openapi("EmbedAnswer");
