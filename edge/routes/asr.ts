import {
  AppError,
  createRoute,
  headerToken,
  type HttpEnv,
  keepOpen,
  note,
  type OpenAPIHono,
  problems,
  readBytes,
  z,
} from "@isnad/lib/http";
import { audioFormat, available } from "@isnad/lib/llm";
import type { EdgeDeps } from "../deps.ts";

/** Bytes of a recording, at most. */
const MAX_AUDIO = 25_000_000;
/** Bytes of a form around it. */
const FORM = 100_000;

/** POST /llm/asr: what is said in a recording. */
export function addAsr(app: OpenAPIHono<HttpEnv>, { config, capabilities }: EdgeDeps): void {
  app.openAPIRegistry.registerPath(definition);
  // The body is told by its bytes: the documented definition would want a form taken apart by its schema.
  const { request: _, ...route } = definition;
  const middleware = [headerToken("x-api-key", config.tokens.edge)];
  app.openapi({ ...route, hide: true, middleware }, async (c) => {
    const audio = await recordingOf(c.req.raw);
    const format = audioFormat(audio);
    note(c, { body_bytes: audio.byteLength, format: format?.name });
    if (format === undefined) {
      throw new AppError("unsupported-media-type", "The bytes are no recording that is known here.", {
        headers: { Accept: "audio/*, multipart/form-data" },
      });
    }
    const { use, model } = available(capabilities.asr);
    keepOpen(c);
    const { requestId } = c.var;
    const heard = await use.transcribe({ audio, format, requestId, signal: c.req.raw.signal });
    const { text, language, durationS: duration_s, segments } = heard;
    return c.json({ ok: true as const, model, text, language, duration_s, segments }, 200);
  });
}

/**
 * The bytes of a raw body, or of the field `file` of a form. @throws AppError 413, 422 for a form without a file, 400
 * for none that can be read
 */
async function recordingOf(request: Request): Promise<Uint8Array> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) return await readBytes(request, MAX_AUDIO);
  const whole = await readBytes(request, MAX_AUDIO + FORM);
  const form = await new Response(Buffer.from(whole), { headers: { "content-type": type } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError("bad-request", "The body is not valid multipart/form-data.", { cause });
    });
  const file = form.get("file");
  if (!(file instanceof Blob)) {
    throw new AppError("validation-error", "One or more fields contain invalid values.", {
      errors: { file: [file === null ? "is required" : "must be a file"] },
    });
  }
  if (file.size > MAX_AUDIO) {
    throw new AppError("payload-too-large", `The file is over the limit of ${MAX_AUDIO} bytes.`, {
      headers: { "Retry-After": "30" },
    });
  }
  return new Uint8Array(await file.arrayBuffer());
}

const Segment = z.object({ start: z.number(), end: z.number(), text: z.string() }).openapi("Segment");

const Answer = z
  .object({
    ok: z.literal(true),
    model: z.string(),
    text: z.string(),
    language: z.string().nullable(),
    duration_s: z.number().nullable(),
    segments: z.array(Segment).openapi({ description: "Times are seconds from the beginning." }),
  })
  .openapi("Transcript");

const binary = z.string().openapi({ format: "binary" });

const definition = createRoute({
  method: "post",
  path: "/llm/asr",
  tags: ["llm"],
  summary: "Transcription of speech",
  description: `WAV, MP3, Ogg, FLAC, MP4, WebM, AAC, AIFF or AMR, told by its bytes, ${MAX_AUDIO} of them at most.`,
  security: [{ apiKey: [] }],
  request: {
    body: {
      required: true,
      content: {
        "audio/*": { schema: binary },
        "multipart/form-data": { schema: z.object({ file: binary }) },
      },
    },
  },
  responses: {
    200: { description: "What is said.", content: { "application/json": { schema: Answer } } },
    ...problems(
      "bad-request",
      "unauthorized",
      "payload-too-large",
      "unsupported-media-type",
      "validation-error",
      "service-unavailable",
      "model-not-installed",
    ),
  },
});
