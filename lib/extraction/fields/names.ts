import { oneLine } from "../page/words.ts";

const MAX_AUTHORS = 25;
const MAX_NAME = 80;

/**
 * What stands before a name: "By", "Written by", «بقلم», «كتب», «إعداد» and their like, with or without a colon, slash
 * or dash.
 */
export const LEAD =
  /^(?:(?:(?:this )?(?:(?:article|text|words|story|post|report|blog|interview|review|opinion|analysis)s? )?(?:(?:was )?(?:written|posted|published|authored|reported|contributed|interviewed) )?by|by ?line|authors?|contributors?|von|por|par|(?:و?كتبه?ا?|كتبت|كتبته|يكتبه?ا?|تكتبه?ا?|بقلم|حاوره?ا?|حاورته?ا?|(?:(?:مرسلة|أرسلت|نشرت?|كتبت?) )?بواسطة|الكاتبة?|إعداد|اعداد|أعده?ا?|أعدته?ا?|الإعداد|تقرير|تحقيق|حوار|متابعة|تغطية|تحليل|المؤلف|الصحفية?|المحررة?|تأليف|تحرير|رصد|مراسل(?:نا|تنا|ة)?|محرر(?:ة)?)(?: وتصوير| وتحرير| وتقديم| وحوار| وتقرير| ومتابعة| ورصد)?)(?:\s*[:/|–—-]\s*|\s+(?!\s)))+/iu;
/** "By" that has grown together with the name. */
const GLUED = /^(?:(?:Posted|Written|Published) [Bb]y|By)(?=\p{Lu}\p{Ll}+ \p{Lu})/u;
/** A lead that says nothing without a mark behind it, since it begins sentences and headings, too. */
const BARE_LEAD =
  /^(?:تقرير|تحقيق|حوار|متابعة|تغطية|تحليل|رصد|مراسل\S*|محررة?|المحررة?|الصحفية?|المؤلف|تحرير|authors?|contributors?)\s+\p{L}/iu;

const ROLE_WORDS =
  "writer|reporter|correspondent|editor|editor-in-chief|journalist|columnist|contributor|producer|photographer|analyst|author|blogger|critic|intern|freelancer|founder|co-founder|cofounder|ceo|cto|cmo|director|manager|specialist|expert|strategist|consultant|marketer|gardener|astrologer|gastroenterologist|winemaker|reviewer|translator|illustrator|professor|lecturer|researcher|engineer|developer|scientist|president|chairman|officer|coordinator|executive|lead|head|grader";
const ROLE_QUALITIES =
  "staff|senior|sr|junior|chief|contributing|freelance|associate|assistant|deputy|managing|executive|former|national|foreign|political|politics|science|health|sports?|business|technology|tech|culture|features?|news|digital|multimedia|investigative|special|lead|guest|licensed|certified|technical|content|marketing|product|review|web|data|security|shipping|creative|editorial|financial|medical|general|principal|vice|research";
const QUALITY = new RegExp(`^(?:${ROLE_QUALITIES})\\b`, "i");
const ROLE = new RegExp(
  `(?:^|[\\s,/&]|-(?= ))(?:(?:${ROLE_QUALITIES})[\\s-]+)*(?:${ROLE_WORDS})(?=$|[\\s,.;/&])`,
  "iu",
);
/** A role or a button that has grown together with the name before it. */
const GLUED_ROLE =
  /(?<=\p{Ll})(?=(?:Staff|Senior|Contributing|Contributor|Former|Founder|Co-Founder|Writer|Reporter|Correspondent|Editor|Journalist|Columnist|Associate|Updated|Published|Posted|Twitter|Facebook|Follow|Share|View|Read|About|Director|Manager|Head of)(?:\p{Lu}|\b))/u;
const ARABIC_ROLE =
  /(?:^|[\s،(–—-])(?:ال)?(?:مراسل|محرر|صحفي|صحافي|كاتب|إعلامي|باحث|مدير|رئيس|مصور|محلل|أستاذ|مترجم|ناقد|معلق)(?:ة|نا|ون|ين|تنا|و|ي)?(?=$|[\s،)])/;
const DEGREE = /^(?:M\.?A|B\.?A|B\.?Sc?|M\.?Sc?|M\.?D|Ph\.?D|MBA|LL\.?[BM]|J\.?D)\.?(?= )/;
const CREDENTIAL =
  /^(?:[A-Z]{2,6}|(?:[A-Z][a-z]?\.){2,}|Ph\.?D\.?|M\.?Sc|B\.?Sc|M\.?D\.?|Esq\.?|Jr\.?|Sr\.?|[IV]{2,3}|[A-Z]+-[A-Z]+ \d+)$/;
const INTERFACE =
  /^(?:(?:sign|log) ?(?:in|up|out)|register|subscribe|follow(?:ing)?(?: us| me)?|share|share this|read more|(?:(?:view|full|read|short) )?(?:bio|biography|profile)|view (?:all|more)|see (?:all|more)|more|home|menu|search|print|save|comments?|contact|about(?: us| the author)?|advertisement|loading|updated|published|posted|last updated|reviewed|edited|fact checked|twitter|facebook|x|linkedin|instagram|email|e-mail|rss|image|photo|photos|getty images|credit|null|undefined|none|n\/a|test|author|authors|by|unknown|anonymous|guest|user|admin|administrator|webmaster|editor|staff|written by|default|تسجيل الدخول|اشترك|تابع|تابعنا|مشاركة|شارك|المزيد|اقرأ المزيد|حجم الخط|طباعة|التعليقات|الرئيسية|أدمن|ادمن|مدير الموقع|مشرف|المشرف|كاتب المقال|الكاتب|محرر|المحرر|خاص)$/i;

/** Agencies of the news: they sign an article only where no person does. */
const AGENCY =
  /^(?:the )?(?:reuters|afp|agence france-presse|ap|associated press|upi|dpa|efe|ansa|tass|ria novosti|xinhua|bloomberg|anadolu(?: agency)?|wam|spa|mena|petra|kuna|qna|bna|ona|ina|sana|wafa|sputnik|cond[eé] nast|agencies|wires?|wire services?)$|^(?:وكالة )?(?:رويترز|(?:ال)?أناضول|فرانس برس|أ\s?\.?\s?ف\s?\.?\s?ب\.?|أ\s?\.?\s?ب\.?|د\s?\.?\s?ب\.?\s?أ\.?|أ\s?\.?\s?ش\.?\s?أ\.?|أسوشيتد برس|أسوشييتد برس|واس|وام|كونا|قنا|بنا|واع|وفا|سانا|بترا|شينخوا|سبوتنيك|الأنباء \S+|أنباء \S+(?: \S+)?)$|^(?:ال)?وكالات(?: الأنباء| أنباء)?$/i;
const ORGANISATION =
  /\b(?:inc|ltd|llc|corp|gmbh|plc|team|staff|editors|editorial|newsroom|desk|newsdesk|news|agency|association|institute|university|college|center|centre|clinic|hospital|department|ministry|magazine|media|group|foundation|society|company|network|press|times|journal|blog|services?)\b\.?|(?:^|\s)(?:فريق|هيئة|موقع|صحيفة|جريدة|وكالة|مجلة|قناة|شبكة|مركز|غرفة|قسم|أسرة)(?:\s|$)/i;

/** Words of a team, an agency or a company: such a name counts only where no person signs. */
export function isOrganisation(name: string): boolean {
  return AGENCY.test(name) || ORGANISATION.test(name);
}

/** A byline without what stands before its names. */
export function withoutLead(byline: string): string {
  return byline.replace(LEAD, "").replace(GLUED, "");
}

/** True for a text that begins as bylines do. */
export function hasLead(text: string): boolean {
  return (LEAD.test(text) && !BARE_LEAD.test(text)) || GLUED.test(text);
}

/** True for a text that is nothing but the beginning of a byline: its name follows in the next element. */
export function isOnlyLead(text: string): boolean {
  return text.length < 30 && LEAD.test(`${text} `) && withoutLead(`${text} `).trim() === "";
}

const CONJUNCTION = /\s+(?:and|&|et|und|y|with)\s+|\s*[,،;؛|·•⋅]\s*|\s\/\s/iu;
/** Arabic "and" is written with the word behind it; these names begin with the same letter. */
const ARABIC_AND =
  /(?<=\S\s+\S+)\s+و(?!(?:ائل|ليد|فاء|سام|سيم|جدي|جيه|حيد|رد|ردة|داد|هيب|هبة|هبي|صفي|ضاح|فيق|ئام|اصف|اثق|اصل|افي|الي|لاء|صال|سن|عد|هاب|لي)(?:\s|$))(?=\p{L}+\s+\p{L})/u;

/**
 * Cleans and splits bylines into names, repeated ones left out: without "by", roles ("Staff Writer", «مراسل»), degrees,
 * places before a dash, accounts, addresses and words of the page's buttons. At most 25.
 */
export function namesIn(bylines: readonly string[]): string[] {
  const names = new Set<string>();
  for (const byline of bylines) {
    const text = withoutLead(oneLine(byline)).replace(/(?:^|\s)@\w+/g, " ");
    let inRole = false;
    for (const part of splitNames(text)) {
      const name: string = cleanName(part);
      // "Director, Content and Marketing": what follows a role by one word is more of it.
      const isMore: boolean = inRole && !/\s/.test(name);
      inRole = (inRole || names.size > 0) && (name === "" || isMore) && /\p{L}/u.test(part);
      if (isMore || (names.size > 0 && CREDENTIAL.test(part)) || !isName(name)) continue;
      names.add(name);
    }
  }
  return [...names].slice(0, MAX_AUTHORS);
}

function splitNames(text: string): string[] {
  const isOne = ORGANISATION.test(text) && !/[,،;|]/.test(text) && !/&|\bwith\b/.test(text);
  return (isOne ? [text] : text.split(CONJUNCTION)).flatMap((part) => part.split(ARABIC_AND));
}

function cleanName(part: string): string {
  const bare = part
    .split(GLUED_ROLE, 1)[0]
    ?.replace(/\s*[<([«][^>)\]»]*[>)\]»]?\s*$/u, "")
    .replace(/^(?:(?:and|&|et|und)\s+|و\s+|[-–—:.*\s]+)/iu, "")
    .trim();
  const person = bare?.split(/\s+[-–—]\s+/).find((piece) => !isRole(piece) && !PLACE.test(piece));
  return withoutRole((person ?? "").trim()).replace(/[\s,،:.–—-]+$/u, (end) => (/^\.$/.test(end) ? end : ""));
}

/** Cities that correspondents write before their names. */
const PLACE =
  /^(?:القاهرة|بيروت|دمشق|بغداد|الرياض|جدة|دبي|أبوظبي|أبو ظبي|الدوحة|الكويت|المنامة|مسقط|عمان|عمّان|القدس|القدس المحتلة|رام الله|غزة|تونس|الجزائر|الرباط|طرابلس|الخرطوم|صنعاء|عدن|واشنطن|نيويورك|لندن|باريس|برلين|موسكو|أنقرة|إسطنبول|طهران|بروكسل|جنيف|خاص)$/;

function isRole(piece: string): boolean {
  return withoutRole(piece) === "";
}

/** A name up to the role that follows it; empty where nothing but a role stands. One word of both may be a surname. */
function withoutRole(name: string): string {
  const role = [ROLE.exec(name), ARABIC_ROLE.exec(name)].find((match) => match !== null);
  if (role == null || ORGANISATION.test(name.slice(0, role.index))) return name;
  const rest = name.slice(0, role.index).trim();
  if (QUALITY.test(rest)) return "";
  return rest === "" || /\s/.test(rest) || /\S\s+\S/.test(role[0].trim()) ? rest : name;
}

function isName(text: string): boolean {
  if (text.length < 2 || text.length > MAX_NAME) return false;
  if (/https?:|www\.|@|\.com\b|[{}<>\\*:]|\d{3}/.test(text)) return false;
  // A template's variable, and words of several elements that have grown together.
  if (/^\w+(?:\.\w+){3,}$/.test(text) || (text.match(/\p{Ll}{2}\p{Lu}/gu)?.length ?? 0) > 1) return false;
  if (/^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}$/i.test(text)) return false;
  return /\p{L}/u.test(text) && !INTERFACE.test(text) && !DEGREE.test(text);
}
