import type { Fetcher } from "../../web/egress/mod.ts";
import { z } from "zod";
import { LlmError } from "../error.ts";
import type { Transcriber, Transcript } from "../tasks.ts";
import { askJson } from "./ask-json.ts";
import type { UpstreamRequest } from "./connection.ts";
import { withoutThinking } from "./thinking.ts";
import type { Upstream } from "./upstream.ts";

const Segment = z.object({ start: z.number(), end: z.number(), text: z.string() });

/**
 * Servers leave out what they like: the text stands in one piece or in segments, all else may be anything, and a
 * segment that is none is passed over.
 */
const TranscriptAnswer = z.object({
  text: z.string().nullish().catch(null),
  language: z.string().nullish().catch(null),
  duration: z.coerce.number().nonnegative().nullish().catch(null),
  segments: z
    .array(Segment.nullable().catch(null))
    .transform((segments) => segments.filter((segment) => segment !== null))
    .nullish()
    .catch(null),
});

/** Some servers name languages in English words. */
const NAMES: Readonly<Record<string, string>> = { arabic: "ar", english: "en" };

/**
 * A speech model behind `POST /audio/transcriptions`. It is asked for times; a server that has none is asked for the
 * text alone.
 */
export function upstreamTranscriber(upstream: Upstream, fetch: Fetcher): Transcriber {
  const ask = (form: FormData, call: { requestId?: string | undefined; signal: AbortSignal }) =>
    multipart("/audio/transcriptions", form, call).then((request) =>
      askJson(upstream, fetch, request, TranscriptAnswer),
    );
  return {
    async transcribe({ audio, format, language, ...call }) {
      const formOf = (responseFormat: string): FormData => {
        const form = new FormData();
        form.set("model", upstream.model);
        form.set("response_format", responseFormat);
        if (language !== undefined) form.set("language", language);
        form.set("file", new Blob([Buffer.from(audio)], { type: format.mime }), `audio.${format.extension}`);
        return form;
      };
      const heard = await ask(formOf("verbose_json"), call).catch((error: unknown) => {
        if (!(error instanceof LlmError) || error.code !== "refused") throw error;
        return ask(formOf("json"), call);
      });
      return transcriptOf(heard);
    },
  };
}

function transcriptOf({ text, language, duration, segments }: z.output<typeof TranscriptAnswer>): Transcript {
  if (typeof text !== "string" && !segments?.length) throw new LlmError("bad-answer", "the upstream gave no text");
  const named = language?.toLowerCase();
  return {
    text: withoutThinking(text ?? segments?.map(({ text }) => text.trim()).join(" ") ?? "").trim(),
    language: named === undefined ? null : (NAMES[named] ?? named),
    durationS: duration ?? null,
    segments: (segments ?? []).map(({ start, end, text }) => ({ start, end, text: withoutThinking(text).trim() })),
  };
}

/** A form as a request; its length is known. */
async function multipart(
  path: string,
  form: FormData,
  { requestId, signal }: { requestId?: string | undefined; signal: AbortSignal },
): Promise<UpstreamRequest> {
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type") ?? "multipart/form-data";
  return { path, headers: { "content-type": contentType }, body: await encoded.bytes(), requestId, signal };
}
