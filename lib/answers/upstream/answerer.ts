import type { Answerer } from "../answerer.ts";
import type { ChatModel } from "../chat-model.ts";
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
      for await (const part of chat.chat({ ...call, messages: groundedMessages(conversation, sources, lang) })) {
        const text = part.kind === "text" ? filter.push(part.text) : filter.end();
        if (text !== "") yield { kind: "text", text };
        if (part.kind === "end") yield part;
      }
    },
  };
}
