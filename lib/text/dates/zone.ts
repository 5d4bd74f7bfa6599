import { foldForDates } from "./calendar.ts";

const ABBREVIATIONS: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 60,
  west: 60,
  cet: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  ast: 180,
  est: -300,
  edt: -240,
  et: -300,
  cst: -360,
  cdt: -300,
  ct: -360,
  mst: -420,
  mdt: -360,
  mt: -420,
  pst: -480,
  pdt: -420,
  pt: -480,
  ist: 330,
  jst: 540,
  kst: 540,
  gst: 240,
  uae: 240,
  pkt: 300,
  ksa: 180,
  trt: 180,
  eat: 180,
  idt: 180,
  irst: 210,
  cat: 120,
  sast: 120,
  wat: 60,
  wib: 420,
  sgt: 480,
  hkt: 480,
  aest: 600,
  aedt: 660,
};

// As in text folded for dates. Each place by whose clock news are told, as a zone of the IANA.
const PLACES: readonly (readonly [pattern: string, zone: string])[] = [
  ["ال(?:سعودي[ةه]|رياض)|مك[ةه](?: المكرم[ةه])?|saudi(?: arabian?)?|mecca|makkah|riyadh|arabian?", "Asia/Riyadh"],
  ["القاهر[ةه]|مصر|cairo|egypt(?:ian)?", "Africa/Cairo"],
  ["القدس(?: المحتل[ةه])?|jerusalem|israel", "Asia/Jerusalem"],
  ["فلسطين|غز[ةه]|رام الله|palestin(?:e|ian)|gaza", "Asia/Gaza"],
  ["ابو ?ظبي|دبي|ال(?:امارات|خليج)|abu dhabi|dubai|uae|emirates|gulf(?: standard)?", "Asia/Dubai"],
  ["بيروت|لبنان|beirut|lebanon", "Asia/Beirut"],
  ["دمشق|سوري[اةه]|damascus|syrian?", "Asia/Damascus"],
  ["سلطن[ةه] عمان|مسقط|muscat|omani?", "Asia/Muscat"],
  ["عمان|الاردن|amman|jordan", "Asia/Amman"],
  ["بغداد|العراق|baghdad|iraqi?", "Asia/Baghdad"],
  ["الكويت|kuwaiti?", "Asia/Kuwait"],
  ["الدوح[ةه]|قطر|doha|qatari?", "Asia/Qatar"],
  ["المنام[ةه]|البحرين|manama|bahraini?", "Asia/Bahrain"],
  ["صنعاء|عدن|اليمن|sanaa|aden|yemen", "Asia/Aden"],
  ["الخرطوم|السودان|khartoum|sudan", "Africa/Khartoum"],
  ["طرابلس|ليبيا|tripoli|libyan?", "Africa/Tripoli"],
  ["تونس|tunis|tunisian?", "Africa/Tunis"],
  ["الجزائر|algiers|algerian?", "Africa/Algiers"],
  ["الرباط|المغرب|الدار البيضاء|rabat|morocc(?:o|an)", "Africa/Casablanca"],
  ["نواكشوط|موريتانيا|nouakchott", "Africa/Nouakchott"],
  ["مقديشو|الصومال|mogadishu", "Africa/Mogadishu"],
  ["اسطنبول|انقر[ةه]|تركيا|istanbul|ankara|turkey|turkish", "Europe/Istanbul"],
  ["طهران|ايران|tehran|iran", "Asia/Tehran"],
  ["موسكو|روسيا|moscow", "Europe/Moscow"],
  ["لندن|بريطانيا|london", "Europe/London"],
  ["باريس|فرنسا|وسط اوروبا|paris|central european", "Europe/Paris"],
  [
    "واشنطن|نيويورك|شرق الولايات المتحد[ةه]|washington|new york|(?:u\\.?s\\.? )?eastern(?: standard| daylight)?",
    "America/New_York",
  ],
];
const GREENWICH = "(?:ب?توقيت )?(?:غرين(?:ي)?تش|جرين(?:ي)?تش|ت\\.? ?غ\\.?|غ\\.? ?م\\.?)|greenwich(?: mean)?(?: time)?";
const PLACE = PLACES.map(([pattern]) => pattern).join("|");
const REGION = "africa|america|asia|atlantic|australia|europe|indian|pacific|etc";
const BY_PLACE = `(?:(?:ب|بحسب |حسب |وفق |وفقا ل)?(?:ال)?توقيت (?:مدين[ةه] )?(?:${PLACE})|(?:${PLACE})(?: local)? time|\\[?(?:${REGION})/[a-z_+-]{2,30}\\d{0,2}(?:/[a-z_]{2,30})?\\]?)`;

/**
 * A regular expression source for a zone at the end of a time, in folded text: `Z`, `+03:00`, `GMT+3`, `EST`, «بتوقيت
 * غرينتش», «بتوقيت القاهرة», `Cairo time`, `[Asia/Riyadh]`.
 */
export const ZONE_PATTERN: string = `(?:(?:gmt|utc|${GREENWICH})?\\s?[+-]\\d{1,2}(?::?\\d{2})?(?:\\[[a-z]+/[a-z_]+\\])?|${GREENWICH}|${BY_PLACE}|(?:${Object.keys(
  ABBREVIATIONS,
)
  .sort((a, b) => b.length - a.length)
  .join("|")}))(?![\\p{L}\\d])`;

const NUMERIC = new RegExp(`^(?:gmt|utc|${GREENWICH})?\\s?([+-])(\\d{1,2}):?(\\d{2})?(?:\\[|$)`, "u");
const GREENWICH_ONLY = new RegExp(`^(?:${GREENWICH})$`, "u");
const PLACE_TABLE = PLACES.map(([pattern, zone]) => ({
  pattern: new RegExp(`^(?:\\S{0,5} ?(?:ال)?توقيت (?:مدين[ةه] )?)?(?:${pattern})(?: local)?(?: time)?$`, "u"),
  zone,
}));

/**
 * Minutes east of UTC of a zone as a date text writes it, undefined when it is none. A place has its own offset at each
 * wall-clock time (milliseconds since 1970 as if it were UTC).
 */
export function offsetOf(zone: string, wallMs = 0): number | undefined {
  const text = foldForDates(zone.trim());
  const named = ABBREVIATIONS[text];
  if (named !== undefined) return named;
  const numeric = NUMERIC.exec(text);
  if (numeric !== null) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0);
    return minutes > 14 * 60 ? undefined : numeric[1] === "-" ? -minutes : minutes;
  }
  if (GREENWICH_ONLY.test(text)) return 0;
  const iana = PLACE_TABLE.find(({ pattern }) => pattern.test(text))?.zone ?? text.replace(/^\[|\]$/g, "");
  if (!iana.includes("/")) return undefined;
  try {
    return offsetAt(iana, wallMs);
  } catch {
    return undefined;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Minutes east of UTC of an IANA zone at a wall-clock time there (milliseconds since 1970 as if it were UTC).
 * Throws RangeError for an unknown zone.
 */
export function offsetAt(zone: string, wallMs: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
  }
  const first = wallOf(format, wallMs) - wallMs;
  const second = wallOf(format, wallMs - first) - (wallMs - first);
  return Math.round(second / 60_000);
}

function wallOf(format: Intl.DateTimeFormat, ms: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(ms)) if (type !== "literal") part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
