import { z } from "@hono/zod-openapi";
import { codePointLength } from "../text/mod.ts";

/** Limits of a conversation; text counts code points. */
export const CHAT_LIMITS = { messages: 200, text: 200_000, maxTokens: 8192 } as const;

const message = z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() }).openapi("ChatMessage");

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
    })
    .openapi(stream ? "ChatCompletionRequest" : "ChatRequest");
}
export type ChatRequest = z.output<ReturnType<typeof chatRequest>>;

function isShortEnough(messages: readonly { content: string }[]): boolean {
  const units = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (units <= CHAT_LIMITS.text) return true;
  return messages.reduce((sum, { content }) => sum + codePointLength(content), 0) <= CHAT_LIMITS.text;
}

/** What an answer cost; null where the model does not say. */
export const ChatUsage = z
  .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
  .openapi("ChatUsage", { description: "tokens; words for the built-in model" });

/** A passage that an answer may cite as [n]. */
export const ChatSource = z
  .object({ n: z.int().min(1), article_id: z.int(), title: z.string(), url: z.string() })
  .openapi("ChatSource");
export type ChatSource = z.output<typeof ChatSource>;

/** Data of the event `meta`, the first of a stream. */
export const ChatMeta = z
  .object({ request_id: z.string(), model: z.string(), sources: z.array(ChatSource) })
  .openapi("ChatMeta");
export type ChatMeta = z.output<typeof ChatMeta>;

/** Data of the event `delta`. */
export const ChatDelta = z.object({ text: z.string() }).openapi("ChatDelta");

/** Data of the event `done`, the last of a stream unless that is `error`, whose data is a problem document. */
export const ChatDone = z
  .object({
    finish_reason: z.string().openapi({ description: "`stop`, `length`, or what the model calls it" }),
    usage: ChatUsage.nullable(),
  })
  .openapi("ChatDone");
export type ChatDone = z.output<typeof ChatDone>;

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
