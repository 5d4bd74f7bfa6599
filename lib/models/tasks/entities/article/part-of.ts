import { aliasGroup } from "../aliases.ts";
import { isGroupHead } from "./arabic-words.ts";

/** What else names of organisations begin with that mean the same without it; جامعة الأزهر is not الأزهر. */
const HEADS = /^(?:ال)?(?:وزاره|هيئه|محكمه|قوات|حزب|تحالف|ائتلاف|لجنه|مجلس|كتائب|وحدات|جبهه|مصرف)$/;

/** What may follow the short name of a company. */
const BUSINESS =
  /^(?:(?:corp|corporation|co|company) of .*|air ?lines|airways|air lines|bank|motors?|industries|stores|news|news agency|newspapers?|broadcasting|electronics|laboratories|oil|petroleum|systems?|technologies|securities|international|national|party)(?: .*)?$/;

/** What may stand before the name of an office or committee of several words. */
const LEVEL = /^(?:federal|national|house|senate|u ?s|us|european|royal|central)$/;

/**
 * The one key among those of organisations that says more than this one: بايرن ميونخ of بايرن, مانشستر يونايتد of
 * يونايتد, Delta Air Lines of Delta. `isCompany`: whether the name of a key has a legal form.
 */
export function partOf(
  key: string,
  organisations: readonly string[],
  isCompany: (key: string) => boolean = () => false,
): string | undefined {
  if (key.length < 3) return undefined;
  const own = aliasGroup(key, "organisation");
  if (own !== undefined && own.kind !== "organisation") return undefined;
  const longer = organisations.filter(
    (other) => other !== key && (begins(key, other, isCompany) || ends(key, other) || isWithin(key, other)),
  );
  const [whole] = longer;
  if (whole === undefined || longer.length > 1 || / وال/.test(whole.replace(key, ""))) return undefined;
  const group = aliasGroup(whole, "organisation");
  return own !== undefined && own.kind === "organisation" && group !== own ? undefined : whole;
}

function begins(key: string, other: string, isCompany: (key: string) => boolean): boolean {
  if (!other.startsWith(`${key} `)) return / ال/.test(key) && other.startsWith(`${key.replaceAll(" ال", " ")} `);
  if (!/^[a-z]/.test(key)) return true;
  const rest = other.slice(key.length + 1);
  return BUSINESS.test(rest) || isCompany(other) || (key.includes(" ") && rest.startsWith("of "));
}

/** Whether a name has a word with its article, which is no adjective, in its middle: النقد of صندوق النقد الدولي. */
function isWithin(key: string, other: string): boolean {
  return !key.includes(" ") && /^\p{Script=Arabic}{3,}$/u.test(key) && other.includes(` ال${key} `);
}

function ends(key: string, other: string): boolean {
  if (/^[a-z]/.test(key)) {
    return key.includes(" ") && other.endsWith(` ${key}`) && LEVEL.test(other.slice(0, -key.length - 1));
  }
  const isWhole = other.endsWith(` ${key}`) || other.endsWith(` ال${key}`);
  if (!isWhole) return false;
  const rest = other
    .slice(0, other.length - key.length)
    .replace(/ ?ال$/, "")
    .trim();
  if (rest.includes(" ")) return false;
  return isGroupHead(rest) || HEADS.test(rest) || (!other.endsWith(` ال${key}`) && !/(?:^| )ال/.test(key));
}
