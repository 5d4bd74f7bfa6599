import type { Answerer } from "../answerer.ts";
import type { ChatModel } from "../chat-model.ts";
import { LlmError } from "../error.ts";
import { createCitationFilter } from "../grounding/citations.ts";
import { groundedMessages, plainMessages } from "../grounding/prompt.ts";

/**
 * A language model of another server as what answers questions: it is given the sources, and its citations are put
 * right as they come.
 */
export function upstreamAnswerer(chat: ChatModel): Answerer {
  return {
    provider: "upstream",
    model: chat.model,
    async *answer({ conversation, sources, lang, query: _, ...call }) {
      if (sources === undefined) {
        yield* chat.chat({ ...call, messages: plainMessages(conversation) });
        return;
      }
      const filter = createCitationFilter(sources.map(({ n }) => n));
      let isEmpty = true;
      for await (const part of chat.chat({ ...call, messages: groundedMessages(conversation, sources, lang) })) {
        const text = part.kind === "text" ? filter.push(part.text) : filter.end();
        isEmpty &&= text.trim() === "";
        if (text !== "") yield { kind: "text", text };
        if (part.kind !== "end") continue;
        if (isEmpty) throw new LlmError("empty", "the upstream gave nothing but citations");
        yield part;
      }
    },
  };
}
