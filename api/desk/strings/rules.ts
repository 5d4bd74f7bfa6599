import { countedArabic } from "./common.ts";

/** Names values as rules do; what is not here stands as it is. */
const KINDS: Readonly<Record<string, string>> = {
  "a string": "نصًّا",
  "a number": "رقمًا",
  "a whole number": "عددًا صحيحًا",
  "an array": "قائمة",
  "an array of strings": "قائمة نصوص",
  "an array of URLs": "قائمة عناوين",
  "an object": "كائنًا",
  "a value": "قيمة",
  "a name": "اسمًا",
  "an ISO 8601 date": "تاريخًا بصيغة ISO 8601 مثل 2026-05-31",
  "an ISO 8601 timestamp": "وقتًا بصيغة ISO 8601 مثل 2026-05-31T08:00:00Z",
  timestamp: "وقتًا",
  "a uuid": "معرّفًا (UUID)",
  "an article number": "رقم مقال",
  "a host name": "اسم مضيف",
  "the name of a host": "اسم مضيف",
  "an absolute http": "عنوانًا كاملًا يبدأ بـ http",
  "https URL": "https",
  "percent-encoded UTF-8": "بترميز UTF-8 المئوي",
  "a host name or an address": "اسم مضيف أو عنوانًا",
  null: "null",
};

type ArabicForms = Parameters<typeof countedArabic>[1];

const forms = (one: string, two: string, few: string, many: string, other: string): ArabicForms => ({
  zero: `0 ${other}`,
  one,
  two,
  few,
  many,
  other,
});

/** Holds the nouns that rules count, as they stand after «على» and «عن». */
const COUNTED: Readonly<Record<string, ArabicForms>> = {
  character: forms("محرف واحد", "محرفين", "محارف", "محرفًا", "محرف"),
  entr: forms("عنصر واحد", "عنصرين", "عناصر", "عنصرًا", "عنصر"),
  sentence: forms("جملة واحدة", "جملتين", "جمل", "جملة", "جملة"),
};

function listed(values: string): string {
  return values
    .split(/, | or /)
    .map((value) => KINDS[value] ?? value)
    .join(" أو ");
}

function counted(count: string, noun: string): string {
  const forms = COUNTED[noun];
  return forms === undefined ? `${count} ${noun}` : countedArabic(Number(count), forms);
}

type Rule = readonly [form: RegExp, say: (...parts: string[]) => string];

/** The forms of the platform's rules, the special ones first, and what each is in Arabic. */
const RULES: readonly Rule[] = [
  [/^is required$/, () => "مطلوب"],
  [/^is required with (.+)$/, (other) => `مطلوب مع ${other}`],
  [/^is required without (.+)$/, (other) => `مطلوب من دون ${other}`],
  [/^(.+) is required$/, (names) => `يلزم ${listed(names)}`],
  [
    /^must be a (whole )?number from (\S+) to (\S+)$/,
    (whole, from, to) => `يجب أن يكون ${whole ? "عددًا صحيحًا" : "رقمًا"} من ${from} إلى ${to}`,
  ],
  [/^must be a whole number of up to (\d+) digits$/, (digits) => `يجب أن يكون عددًا صحيحًا من ${digits} رقمًا على الأكثر`],
  [/^must be at least (\S+)$/, (least) => `يجب ألا يقل عن ${least}`],
  [/^must be at most (\S+)$/, (most) => `يجب ألا يزيد على ${most}`],
  [
    /^must have at least (\d+) (character|entr|sentence)\w*$/,
    (count, noun) => `يجب ألا يقل عن ${counted(count, noun)}`,
  ],
  [
    /^must have at most (\d+) (character|entr|sentence)\w*( in all)?(?:; this one has (\d+))?$/,
    (count, noun, all, has) =>
      `يجب ألا يزيد على ${counted(count, noun)}${all && " في المجموع"}${has && `؛ وفيه ${has}`}`,
  ],
  [
    /^must have (\d+) to (\d+) characters(, none of them a control character)?$/,
    (from, to, control) => `يجب أن يكون طوله من ${from} إلى ${to} محرفًا${control && "، ليس فيها محرف تحكم"}`,
  ],
  [
    /^must be (\d+) to (\d+) visible ASCII characters$/,
    (from, to) => `يجب أن يكون من ${from} إلى ${to} من محارف ASCII الظاهرة`,
  ],
  [
    /^must be (\d+) to (\d+) of (.+), and begin with none of these two$/,
    (from, to) => `يجب أن يكون من ${from} إلى ${to} من a-z و0-9 و_ و-، ولا يبدأ بهذين الأخيرين`,
  ],
  [/^must not be (?:empty|blank)$/, () => "يجب ألا يكون فارغًا"],
  [/^must have a visible character$/, () => "يجب أن يكون فيه محرف ظاهر"],
  [/^must not have the character (\S+)$/, (character) => `يجب ألا يكون فيه المحرف ${character}`],
  [/^must not have the field (.+)$/, (names) => `يجب ألا يكون فيه الحقل ${listed(names)}`],
  [/^must not be given with (.+)$/, (other) => `لا يُعطى مع ${other}`],
  [/^must be given once$/, () => "يُعطى مرة واحدة"],
  [/^must have either (\S+) or (\S+)$/, (one, other) => `يلزم ${one} أو ${other}، لا كلاهما`],
  [
    /^must be an http or https address without credentials$/,
    () => "يجب أن يكون عنوانًا يبدأ بـ http أو https من دون بيانات دخول",
  ],
  [/^must be an absolute http or https URL$/, () => "يجب أن يكون عنوانًا كاملًا يبدأ بـ http أو https"],
  [
    /^must be an absolute http or https URL, one with (.+) before it, or mailto: and an address$/,
    (schemes) =>
      `يجب أن يكون عنوانًا كاملًا يبدأ بـ http أو https، أو تسبقه ${listed(schemes)}، أو mailto: ثم عنوان بريد`,
  ],
  [/^must be an ISO 8601 date or timestamp$/, () => "يجب أن يكون تاريخًا أو وقتًا بصيغة ISO 8601، مثل 2026-05-31"],
  [/^must be an? (?:IANA )?time zone such as (\S+)$/, (zone) => `يجب أن تكون منطقة زمنية مثل ${zone}`],
  [/^must be a language tag such as (.+)$/, (tags) => `يجب أن يكون رمز لغة مثل ${listed(tags)}`],
  [
    /^must be (off|false): a saved search takes words as they are written$/,
    (value) => `يجب أن يكون ${value}: البحث المحفوظ يأخذ الكلمات كما كُتبت`,
  ],
  [/^must be some of (.+), parted by commas$/, (values) => `يجب أن يكون من بين: ${values}، تفصل بينها فواصل`],
  [/^must be nested at most (\d+) levels deep$/, (levels) => `يجب ألا يزيد تداخله على ${levels} مستوى`],
  [
    /^(\S+) shows no feed, no sitemap and no list of articles$/,
    (url) => `ليس في ${url} تغذية ولا خريطة موقع ولا قائمة مقالات`,
  ],
  [/^(\S+) cannot be had: (.+)$/, (url, why) => `تعذّر الوصول إلى ${url}: ${why}`],
  [
    /^the site's language is neither Arabic nor English/,
    () => "لغة الموقع، بحسب نصوصه، ليست العربية ولا الإنجليزية؛ حدّد اللغة",
  ],
  [/^there is no such claim$/, () => "لا ادعاء بهذا الرقم"],
  [/^(?:is|are) not part of format (\S+)$/, (format) => `لا يدخل في الصيغة ${format}`],
  [/^did not show its articles within (\d+) s$/, (seconds) => `لم يعرض مقالاته خلال ${seconds} ثانية`],
  [/^must be some of (.+)$/, (values) => `يجب أن يكون من بين: ${values}`],
  [/^must be one of (.+)$/, (values) => `يجب أن يكون واحدًا من: ${values}`],
  [/^(\S+) must not be after (\S+)$/, (from, to) => `يجب ألا يأتي ${from} بعد ${to}`],
  [/^(\S+) must not be before (\S+)$/, (to, from) => `يجب ألا يسبق ${to} ${from}`],
  [
    /^(?:must be (?:a cursor that this list has given out|the next_cursor of a page.*)|is not one that this list has given out)$/,
    () => "ليس موضعًا أعطته هذه القائمة",
  ],
  [/^belongs to a list that is sorted otherwise$/, () => "يخص قائمة مرتبة ترتيبًا آخر"],
  [/^is no parameter of this route; did you mean (.+)\?$/, (name) => `غير معروف هنا؛ أتقصد ${name}؟`],
  [/^is no parameter of this route, which takes none$/, () => "غير معروف هنا، ولا تأخذ هذه الصفحة شيئًا"],
  [/^is no parameter of this route, which takes (.+)$/, (names) => `غير معروف هنا؛ المعروف: ${names}`],
  [/^is not known$/, () => "غير معروف"],
  [
    /^(?:must have Arabic letters|has no Arabic letter: this route reads Arabic)$/,
    () => "لا حرف عربيًا فيه، وهذا الجزء يقرأ العربية",
  ],
  [/^must have English words$/, () => "يجب أن تكون فيه كلمات إنجليزية"],
  [/^must have a message of role user with some text$/, () => "يلزم سؤال فيه نص"],
  [/^must hold at least one article$/, () => "يجب أن يكون فيه مقال واحد على الأقل"],
  [/^is no OPML\b.*$/s, () => "ليس ملف OPML"],
  [/^is no CSS selector$/, () => "ليس محدِّد CSS"],
  [/^must be of another form$/, () => "يجب أن يكون على هيئة أخرى"],
  [/^must be ([^:;]{1,300})$/, (values) => `يجب أن يكون ${listed(values)}`],
];

/** Bounds a rule that is looked up, in characters. */
const MAX_RULE_CHARS = 1_000;

/** Returns a rule of a refused field in Arabic; undefined where nobody has put it into words. */
export function ruleInArabic(rule: string): string | undefined {
  if (rule.length > MAX_RULE_CHARS) return undefined;
  for (const [form, say] of RULES) {
    const match = form.exec(rule);
    if (match !== null) return say(...match.slice(1).map((part) => part ?? ""));
  }
  return undefined;
}
