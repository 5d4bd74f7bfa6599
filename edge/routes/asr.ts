import { checkAudio } from "@isnad/lib/models/audio";
import {
  type Access,
  AppError,
  createRoute,
  type HttpEnv,
  invalidFields,
  keepOpen,
  note,
  type OpenAPIHono,
  problems,
  readBytes,
  z,
} from "@isnad/lib/service/http";
import { available } from "@isnad/lib/answers";
import type { EdgeDeps } from "../capabilities.ts";

/** Bytes of a recording, at most. */
const MAX_AUDIO = 25_000_000;
/** Bytes of a form around it. */
const FORM = 100_000;

/** POST /llm/asr: what is said in a recording. */
export function addAsr(app: OpenAPIHono<HttpEnv>, { access, capabilities }: EdgeDeps & { access: Access }): void {
  app.openAPIRegistry.registerPath(definition);
  // The body is told by its bytes: the documented definition would want a form taken apart by its schema.
  const { request: _, ...route } = definition;
  const middleware = [access.require("edge", "x-api-key")];
  app.openapi({ ...route, hide: true, middleware }, async (c) => {
    const [hint = null, ...more] = c.req.queries("language") ?? [];
    if (more.length > 0) throw invalidFields({ language: ["must be given once"] });
    const { audio, language } = await recordingOf(c.req.raw, hint);
    const format = checkAudio(audio);
    note(c, { body_bytes: audio.byteLength, format: format.name });
    const { use, model } = available(capabilities.asr);
    keepOpen(c);
    const { requestId } = c.var;
    const heard = await use.transcribe({ audio, format, language, requestId, signal: c.req.raw.signal });
    const { text, durationS: duration_s, segments } = heard;
    return c.json({ ok: true as const, model, text, language: heard.language, duration_s, segments }, 200);
  });
}

/** A recording that was sent, and the language that it is said to be in. */
type Recording = { audio: Uint8Array; language: string | undefined };

/**
 * Returns a raw body, or the field `file` of a form. @throws AppError 413, 422 for a form without a file and for a
 * language that is no tag, 400 for a form that cannot be read
 */
async function recordingOf(request: Request, hint: string | null): Promise<Recording> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) {
    return { audio: await readBytes(request, MAX_AUDIO), language: languageOf(hint) };
  }
  const whole = await readBytes(request, MAX_AUDIO + FORM);
  const form = await new Response(Buffer.from(whole), { headers: { "content-type": type } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError("bad-request", "The body is not valid multipart/form-data.", { cause });
    });
  const file = form.get("file");
  if (!(file instanceof Blob)) throw invalidFields({ file: [file === null ? "is required" : "must be a file"] });
  if (file.size > MAX_AUDIO) {
    throw new AppError("payload-too-large", `The file is over the limit of ${MAX_AUDIO} bytes.`);
  }
  const language = languageOf(form.get("language") ?? hint);
  return { audio: new Uint8Array(await file.arrayBuffer()), language };
}

/** A tag of a language such as `ar` or `ar-EG`. */
const TAG = /^([a-zA-Z]{2,3})(-[a-zA-Z0-9]{2,8})*$/;

/** Returns the language of a tag. */
function languageOf(hint: string | Blob | null): string | undefined {
  if (hint === null || hint === "") return undefined;
  const tag = TAG.exec(String(hint));
  if (tag?.[1] === undefined) throw invalidFields({ language: ["must be a language tag such as ar"] });
  return tag[1].toLowerCase();
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

const language = z
  .string()
  .openapi({ pattern: TAG.source, description: "What is spoken, for instance ar. Default: heard.", example: "ar" });

const definition = createRoute({
  method: "post",
  path: "/llm/asr",
  operationId: "transcribeAudio",
  tags: ["llm"],
  summary: "Transcription of speech",
  description: `A form, or the recording alone under any other type, such as audio/mpeg. WAV, MP3, Ogg with Opus or FLAC, told by its bytes, ${MAX_AUDIO} of them at most; the built-in model also reads MP4, WebM, AAC, AIFF, AMR and Ogg with Vorbis where ffmpeg is installed.`,
  security: [{ apiKey: [] }],
  request: {
    query: z.object({ language: language.optional() }),
    body: {
      required: true,
      content: {
        "application/octet-stream": { schema: binary },
        "multipart/form-data": { schema: z.object({ file: binary, language: language.optional() }) },
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
