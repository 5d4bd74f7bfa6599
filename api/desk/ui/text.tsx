import type { AppError } from "@isnad/lib/service/http";
import type { Child } from "hono/jsx";
import { ruleInArabic } from "../strings/rules.ts";
import type { View } from "../view.ts";

/** Controls that turn the direction of what follows them, and those that no font shows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/g;

/** Marks on a letter beyond those that any script needs: they would pile up over the lines around it. */
const PILED_MARKS = /(?<=\p{M}{5})\p{M}/gu;

/** Returns a text that others wrote without what would turn its neighbours round, or cover them. */
export function plain(text: string): string {
  return text.replace(CONTROLS, "").replace(PILED_MARKS, "");
}

/** Returns a value as readable JSON; controls in its texts are written as escapes, so that they turn nothing. */
export function jsonText(value: unknown): string {
  const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return (JSON.stringify(value, null, 2) ?? "").replace(CONTROLS, escaped);
}

/** Shows a text that others wrote within a line: isolated, in the direction of its first letter. */
export function Bdi({ children, lang }: { children: string; lang?: string | null | undefined }) {
  return (
    <bdi dir={directionOf(children, lang)} lang={lang ?? undefined}>
      {plain(children)}
    </bdi>
  );
}

/**
 * Returns the direction of a text: that of its language where it is known, so that a Latin word at the head of an
 * Arabic title does not turn it; else as its letters say.
 */
export function directionOf(text: string, lang?: string | null | undefined): "rtl" | "ltr" | "auto" {
  if (lang === "ar") return "rtl";
  if (lang === "en") return "ltr";
  let arabic = 0;
  let latin = 0;
  for (const letter of text.slice(0, SCANNED).matchAll(LETTERS)) {
    if (letter[0] >= "\u0590") arabic++;
    else latin++;
  }
  if (arabic === latin) return "auto";
  return arabic > latin ? "rtl" : "ltr";
}

/** Characters of a text that say which way it runs. */
const SCANNED = 200;
const LETTERS = /[A-Za-z\u00c0-\u024f\u0590-\u08ff]/g;

/** Shows a time as readers of the page's language write it, in their zone. */
export function Time({ view, at, form = "short" }: { view: View; at: string | null; form?: TimeForm }) {
  if (at === null) return <span class="muted">{view.t.common.undated}</span>;
  return (
    <time datetime={at} title={formatTime(view, at, "long")}>
      {formatTime(view, at, form)}
    </time>
  );
}

const TIME_FORMS = {
  /** `14:05` today, else day and month, else with the year. */
  short: undefined,
  day: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  date: { day: "numeric", month: "short", year: "numeric" },
  long: { dateStyle: "full", timeStyle: "short" },
  clock: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  moment: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions | undefined>;
type TimeForm = keyof typeof TIME_FORMS;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf({ lang, zone }: Pick<View, "lang" | "zone">, options: Intl.DateTimeFormatOptions) {
  const key = `${lang} ${zone} ${JSON.stringify(options)}`;
  const cached = formats.get(key);
  if (cached !== undefined) return cached;
  const locale = lang === "ar" ? "ar-u-nu-latn" : "en-GB";
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  formats.set(key, format);
  return format;
}

/** Returns a time in words; `short` leaves out what today says by itself. */
export function formatTime(view: Pick<View, "lang" | "zone">, at: string, form: TimeForm): string {
  const time = new Date(at);
  const options = TIME_FORMS[form];
  if (options !== undefined) return formatOf(view, options).format(time);
  const day = formatOf(view, TIME_FORMS.date);
  const now = new Date();
  if (day.format(time) === day.format(now)) return formatOf(view, TIME_FORMS.clock).format(time);
  const isThisYear = Math.abs(now.getTime() - time.getTime()) < 180 * 86_400_000;
  return isThisYear ? formatOf(view, { day: "numeric", month: "short" }).format(time) : day.format(time);
}

/** Shows a number with its thousands apart, left to right in both languages. */
export function Num({ children }: { children: number }) {
  return <span class="num">{children.toLocaleString("en")}</span>;
}

/** Joins parts by a dot, as in the line under a headline; parts that are not there are left out. */
export function Dotted({ parts }: { parts: readonly Child[] }) {
  const shown = parts.filter((part) => part !== undefined && part !== null && part !== false && part !== "");
  return (
    <>
      {shown.map((part, i) => (
        <>
          {i > 0 && <span aria-hidden="true"> · </span>}
          <span>{part}</span>
        </>
      ))}
    </>
  );
}

/** Shows why a part of a page cannot be shown. */
export function Away({ view, detail }: { view: View; detail?: string | undefined }) {
  return (
    <p class="notice" role="status">
      {view.t.common.partAway} {detail !== undefined && detail !== "" && <Bdi lang="en">{detail}</Bdi>}
    </p>
  );
}

/** Shows a rule in the page's language, in English where it has no words for it. */
function Rule({ view, children }: { view: Pick<View, "lang">; children: string }) {
  const arabic = view.lang === "ar" ? ruleInArabic(children) : undefined;
  return arabic === undefined ? <Bdi lang="en">{children}</Bdi> : <Bdi lang="ar">{arabic}</Bdi>;
}

/** Says which fields of a form were refused and by which rule; `names`: what fields are called on the page. */
export function Refused({
  view,
  error: { errors = {}, message },
  names = {},
}: {
  view: Pick<View, "lang" | "t">;
  error: Pick<AppError, "errors" | "message">;
  names?: Readonly<Record<string, string>>;
}) {
  const fields = Object.entries(errors);
  return (
    <div class="problem" role="alert">
      <p>{view.t.common.error[422]}</p>
      {fields.length === 0 ? (
        <p>
          <Bdi lang="en">{message}</Bdi>
        </p>
      ) : (
        <ul class="plain">
          {fields.map(([field, rules]) => (
            <li>
              {names[field] === undefined ? <code dir="ltr">{plain(field)}</code> : <strong>{names[field]}</strong>}:{" "}
              {rules.map((rule, i) => (
                <>
                  {i > 0 && view.t.common.comma}
                  <Rule view={view}>{rule}</Rule>
                </>
              ))}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
