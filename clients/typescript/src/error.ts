/** The platform refused a request, or could not answer it: a problem document (RFC 9457) as an error. */
export class IsnadError extends Error {
  override readonly name = "IsnadError";
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Names what went wrong, of a closed list: `validation-error`, …; `no-answer` where none came. */
  readonly slug: string;
  /** Messages by field, with 422. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;
  /** Under which the platform's logs have the request. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    about: {
      status: number;
      slug: string;
      errors?: Record<string, string[]>;
      retryAfter?: number | undefined;
      requestId?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.status = about.status;
    this.slug = about.slug;
    this.errors = about.errors ?? {};
    this.retryAfter = about.retryAfter;
    this.requestId = about.requestId;
  }
}

/** Returns the error that an answer other than a success stands for. */
export async function errorOf(response: Response): Promise<IsnadError> {
  const text = await response.text().catch(() => "");
  const problem = problemOf(text);
  const fields = Object.entries(problem.errors).map(([field, messages]) => `${field} ${messages.join(", ")}`);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new IsnadError([`${response.status}: ${problem.detail}`, ...fields].join("; "), {
    status: response.status,
    slug: problem.slug,
    errors: problem.errors,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}

type Problem = { slug: string; detail: string; errors: Record<string, string[]> };

/** Reads a problem document; of anything else, its first line. */
export function problemOf(text: string): Problem {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  const { type, title, detail, errors }: Record<string, unknown> = isRecord(parsed) ? parsed : {};
  const slug = typeof type === "string" ? type.replace("/errors/", "") : "unknown";
  const fields = Object.entries(isRecord(errors) ? errors : {}).map(([field, messages]) => [
    field,
    Array.isArray(messages) ? messages.map(String) : [],
  ]);
  const said = [detail, title].find((each) => typeof each === "string");
  return { slug, detail: String(said ?? text.split("\n", 1)[0]?.slice(0, 200)), errors: Object.fromEntries(fields) };
}

/** Tells whether a value is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
