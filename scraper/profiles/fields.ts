import { LIMITS } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";
import { nearestName } from "@isnad/lib/std";
import { Cron } from "croner";
import { parsePage } from "../../lib/extraction/page/dom.ts";

/** Holds what the schema file says of a field, in both languages of the platform. */
type Words = { en: string; ar: string };

/** Gives a schema its description, English line first. */
export function described<S extends z.ZodType>(schema: S, { en, ar }: Words): S {
  return schema.meta({ description: `${en}\n${ar}` });
}

/**
 * Returns an object without other keys than those of `shape`; an unknown one is refused with the nearest known name.
 */
export function section<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const fields = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      return issue.keys.map((key) => unknownKey(key, fields)).join("; ");
    },
  });
}

function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  const hint = nearest === undefined ? `the known ones are ${known.join(", ")}` : `did you mean "${nearest}"?`;
  return `there is no field "${key}" here: ${hint}`;
}

/** A CSS selector that the extractor's own engine understands. */
const Selector = z.string().min(1).max(500).refine(isSelector, { error: "is no CSS selector" });

let page: ReturnType<typeof parsePage> | undefined;

/** The engine takes these for selectors of nothing. */
const LOOSE_END = /^\s*[>+~,]|[>+~,]\s*$|^\s*$/;

function isSelector(text: string): boolean {
  if (LOOSE_END.test(text)) return false;
  page ??= parsePage("<p>text</p>");
  try {
    page.querySelector(text);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Says where the parts of an article are on its page. */
/** Matches names of headers that carry a credential. */
const CREDENTIAL_HEADER = /^(?:authorization|cookie|x-[a-z0-9-]{1,60}|[a-z0-9-]{0,40}(?:key|token)[a-z0-9-]{0,20})$/i;

const parts = {
  title: described(Selector.optional(), { en: "CSS selector of the headline.", ar: "محدِّد CSS للعنوان." }),
  content: described(Selector.optional(), { en: "CSS selector of the text.", ar: "محدِّد CSS لنص المقال." }),
  published_at: described(Selector.optional(), {
    en: "CSS selector of the time of publication: its datetime or content attribute, else its text.",
    ar: "محدِّد CSS لوقت النشر: السمة datetime أو content، وإلا فالنص.",
  }),
  author: described(Selector.optional(), { en: "CSS selector of the authors.", ar: "محدِّد CSS لأسماء الكتّاب." }),
  image: described(Selector.optional(), { en: "CSS selector of the lead image.", ar: "محدِّد CSS للصورة الرئيسية." }),
  remove: described(z.array(Selector).max(100).default([]), {
    en: "CSS selectors of what is taken out before anything is read.",
    ar: "محدِّدات CSS لما يُحذف قبل القراءة.",
  }),
};

/** The parts of an article on today's pages. */
export const Article = section({
  ...parts,
  next_page: described(Selector.optional(), {
    en: "CSS selector of the link to the next page of the same article; rel=next of the same address unless given.",
    ar: "محدِّد CSS للرابط إلى الصفحة التالية من المقال نفسه؛ rel=next للعنوان نفسه ما لم يُحدَّد.",
  }),
  max_pages: described(z.int().min(1).max(20).optional(), {
    en: "Most pages of one article, 10 unless given; 1 follows no such link.",
    ar: "أقصى عدد من صفحات المقال الواحد، 10 ما لم يُحدَّد؛ ومع 1 لا يُتبع أي رابط من هذا النوع.",
  }),
});

/** The parts of an article on the pages of a former design. */
export const ArticleVersion = section({
  until: described(z.iso.date(), {
    en: "The last day of that design, for instance 2024-05-31.",
    ar: "آخر أيام ذلك التصميم، مثل 2024-05-31.",
  }),
  ...parts,
});

/** A credential that the environment holds; the file names its variable alone. */
export const Auth = section({
  env: described(
    z.string().regex(/^SCRAPER_AUTH_[A-Z0-9_]{1,64}$/, {
      error: "must be SCRAPER_AUTH_ and 1 to 64 of A-Z, 0-9 and _",
    }),
    {
      en: "Name of the environment variable that holds the header's value, such as `Bearer abc`.",
      ar: "اسم متغير البيئة الذي يحمل قيمة الترويسة، مثل `Bearer abc`.",
    },
  ),
  header: described(
    z
      .string()
      .max(70)
      // No `regex`: a schema has no flags, and its pattern would refuse the default.
      .refine((name) => CREDENTIAL_HEADER.test(name), {
        error: "must be Authorization, Cookie, X-… or the name of a key or token",
      })
      .default("Authorization"),
    { en: "Name of the header.", ar: "اسم الترويسة." },
  ),
  hosts: described(
    z
      .array(z.string().regex(/^[a-z0-9.-]{1,253}$/, { error: "must be a host name" }))
      .max(20)
      .default([]),
    {
      en: "Hosts that get it besides those of the homepage, feeds, sitemaps and list pages.",
      ar: "خوادم تتلقاها غير خوادم الصفحة الرئيسية والخلاصات وخرائط الموقع وصفحات القوائم.",
    },
  ),
});

/** Headers that the client sets itself, or whose value would change what a request is. */
const CLIENT_HEADERS = new Set([
  "host",
  "user-agent",
  "connection",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "transfer-encoding",
  "expect",
  "via",
  "forwarded",
  "range",
  "accept-encoding",
]);

const CLIENT_HEADER_FAMILY = /^(content-|if-|sec-|proxy-|x-forwarded-)/;

/** Credentials: the file and `GET /profiles` show every header in clear. */
const CREDENTIAL = /^(?:authorization|cookie2?)$|api-?key|token|secret|password|session/;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,510}[\x21-\x7e])?$/;

/**
 * Request headers by name. Refused are names and values that could end a header and begin another, headers that the
 * client sets itself, and credentials.
 */
export const Headers = z.record(z.string(), z.string()).check((ctx) => {
  for (const [name, value] of Object.entries(ctx.value)) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) ctx.issues.push({ code: "custom", message: problem, path: [name], input: value });
  }
});

function headerProblem(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (!TOKEN.test(name)) return "is no name of a header";
  if (lower === "user-agent") return "must be set as politeness.user_agent";
  if (CLIENT_HEADERS.has(lower) || CLIENT_HEADER_FAMILY.test(lower))
    return "is set by the client and cannot be changed";
  if (CREDENTIAL.test(lower)) return "is a credential, and profiles are shown in clear";
  if (!VALUE.test(value)) return "must have a value of 1 to 512 visible ASCII characters";
  return undefined;
}

/** An absolute http or https address without user name and password. */
export const WebUrl = z
  .string()
  .max(2048)
  .refine(isWebUrl, { error: "must be an http or https address without credentials" })
  .meta({ format: "uri" });

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^/\s]/i.test(text) || /\s/.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === "" && password === "" && hostname !== "";
}

const category = () =>
  described(z.string().min(1).max(LIMITS.category).optional(), {
    en: "Category of everything found here: a canonical one, or a label that category_map translates.",
    ar: "تصنيف كل ما يوجد هنا: تصنيف معتمد، أو تسمية يترجمها category_map.",
  });

/** A feed of a profile. */
export const Feed = section({
  url: described(WebUrl, {
    en: "Address of an RSS, Atom, RDF or JSON feed.",
    ar: "عنوان خلاصة RSS أو Atom أو RDF أو JSON.",
  }),
  category: category(),
});

/** A news sitemap of a profile. */
export const Sitemap = section({
  url: described(WebUrl, {
    en: "Address of a news sitemap or of an index of such.",
    ar: "عنوان خريطة موقع إخبارية أو فهرس لها.",
  }),
  category: category(),
});

/** A page of a profile whose links lead to articles. */
export const ListPage = section({
  url: described(WebUrl, { en: "Address of a page that lists articles.", ar: "عنوان صفحة تسرد المقالات." }),
  link_selector: described(Selector, {
    en: "CSS selector of the links that lead to articles.",
    ar: "محدِّد CSS للروابط المؤدية إلى المقالات.",
  }),
  next: described(Selector.optional(), {
    en: "CSS selector of the link to the next page of the list; rel=next unless given.",
    ar: "محدِّد CSS للرابط إلى الصفحة التالية من القائمة؛ rel=next ما لم يُحدَّد.",
  }),
  max_pages: described(z.int().min(1).max(50).optional(), {
    en: "Most pages of the list that one run reads; 1, and 5 where next is given.",
    ar: "أقصى عدد من صفحات القائمة يقرؤه التشغيل الواحد؛ 1، و5 حين يُحدَّد next.",
  }),
  category: category(),
});

/** Far enough for every leap day, in years. */
const HORIZON = 10;

/** A cron expression of exactly five fields: minute, hour, day of month, month, day of week. */
export const Schedule = z
  .string()
  .check((ctx) => {
    const problem = scheduleProblem(ctx.value);
    if (problem !== undefined) ctx.issues.push({ code: "custom", message: problem, input: ctx.value });
  })
  .meta({ pattern: "^\\s*\\S+(\\s+\\S+){4}\\s*$", examples: ["*/15 * * * *"] });

/** The name of an IANA time zone that this runtime knows, such as `Asia/Amman`. */
export const TimeZone = z.string().refine(isZone, { error: "must be an IANA time zone such as Asia/Amman" });

function scheduleProblem(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) {
    return `must have five fields (minute hour day month weekday), not ${fields[0] === "" ? 0 : fields.length}`;
  }
  try {
    const next = new Cron(expression, { mode: "5-part", timezone: "UTC" }).nextRun();
    if (next === null || next.getUTCFullYear() > new Date().getUTCFullYear() + HORIZON) return "is never due";
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return `is no cron expression: ${error.message.replace(/^CronPattern: /, "")}`;
  }
}

function isZone(name: string): boolean {
  // An offset such as +03:00 is a zone to Intl, but knows no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * A pattern for the path and query of an address, as robots.txt writes them (RFC 9309): it matches what begins with it,
 * `*` stands for anything and a `$` at the end for the end. Matching takes time in proportion to the address.
 */
export const UrlPattern = z
  .string()
  .max(500)
  .regex(/^[/*]\S*$/, { error: "must begin with / or *, such as /news/ or *.html$" })
  .refine((pattern) => !pattern.slice(0, -1).includes("$"), { error: "may have a $ at its end only" });
