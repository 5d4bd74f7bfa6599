import { oneLine } from "../page/dom.ts";

const MAX_AUTHORS = 25;
const MAX_NAME = 80;

/**
 * Holds what stands before a name: "By", "Written by", «بقلم», «كتب», «إعداد» and their like, with or without a colon,
 * slash or dash.
 */
const LEAD =
  /^(?:(?:(?:this )?(?:(?:article|text|words|story|post|report|blog|interview|review|opinion|analysis)s? )?(?:(?:was )?(?:written|posted|published|authored|reported|reporting|contributed|interviewed) )?by|by ?line|authors?|contributors?|von|por|par|(?:و?كتبه?ا?|كتبت|كتبته|يكتبه?ا?|تكتبه?ا?|بقلم|حاوره?ا?|حاورته?ا?|(?:(?:مرسلة|أرسلت|نشرت?|كتبت?) )?بواسطة|الكاتبة?|إعداد|اعداد|أعده?ا?|أعدته?ا?|الإعداد|تقرير|تحقيق|حوار|متابعة|تغطية|تحليل|المؤلف|الصحفية?|المحررة?|تأليف|تحرير|رصد|مراسل(?:نا|تنا|ة)?|محرر(?:ة)?)(?: وتصوير| وتحرير| وتقديم| وحوار| وتقرير| ومتابعة| ورصد)?)(?:\s*[:/|–—-]\s*|\s+(?!\s)))+/iu;
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
/** A role before a name: "Correspondent A. Writer", «الكاتب فلان الفلاني». */
const LEADING_ROLE =
  /^(?:(?:(?:staff|senior|political|sports?|business|foreign|chief) )*(?:writer|reporter|correspondent|editor|journalist|columnist) (?=\p{Lu}\S+ \p{Lu})|(?:ال)?(?:مراسل|محرر|صحفي|صحافي|كاتب|إعلامي|باحث|محلل)(?:ة|نا|تنا|ه)?\s+(?!ال|شؤون|صحيفة|قناة|وكالة|موقع|جريدة|مجلة|شبكة|إذاعة)(?=\p{L}+\s+\p{L}+$))/iu;
const DEGREE = /^(?:M\.?A|B\.?A|B\.?Sc?|M\.?Sc?|M\.?D|Ph\.?D|MBA|LL\.?[BM]|J\.?D)\.?(?= )/;
const CREDENTIAL =
  /^(?:[A-Z]{2,6}|(?:[A-Z][a-z]?\.){2,}|Ph\.?D\.?|M\.?Sc|B\.?Sc|M\.?D\.?|Esq\.?|Jr\.?|Sr\.?|[IV]{2,3}|[A-Z]+-[A-Z]+ \d+)$/;
const INTERFACE =
  /^(?:(?:sign|log) ?(?:in|up|out)|register|subscribe|follow(?:ing)?(?: us| me)?|share|share this|read more|(?:(?:view|full|read|short) )?(?:bio|biography|profile)|view (?:all|more)|see (?:all|more)|more|home|menu|search|print|save|comments?|contact|about(?: us| the author)?|advertisement|loading|updated|published|posted|last updated|reviewed|edited|fact checked|twitter|facebook|x|linkedin|instagram|email|e-mail|rss|image|photo|photos|getty images|credit|null|undefined|none|n\/a|test|author|authors|by|unknown|anonymous|guest|user|admin|administrator|webmaster|editor|staff|written by|default|تسجيل الدخول|اشترك|تابع|تابعنا|مشاركة|شارك|المزيد|اقرأ المزيد|حجم الخط|طباعة|التعليقات|الرئيسية|أدمن|ادمن|مدير الموقع|مشرف|المشرف|كاتب المقال|الكاتب|محرر|المحرر|خاص)$/i;

const SECTION =
  /^(?:world|news|breaking|latest|top|stories|story|sports?|football|soccer|business|politics|political|opinion|middle|east|north|south|west|africa|europe|asia|americas?|us|uk|science|health|tech|technology|culture|arts?|entertainment|life|style|lifestyle|travel|food|local|national|international|economy|markets?|finance|education|environment|climate|weather|war|cup|israel|gaza|ukraine|russia|china|india|egypt|lebanon|syria|iraq|iran|video|videos|photos?|images?|gallery|live|updates?|analysis|features?|estate|real|and|&)$/i;

/** Returns true for the name of a section of the news: every word is one of theirs. */
export function isSection(name: string): boolean {
  return name !== "" && name.split(/\s+/).every((word) => SECTION.test(word));
}

/** Agencies of the news: they sign an article only where no person does. */
const AGENCY =
  /^(?:the )?(?:reuters|afp|agence france-presse|ap|associated press|upi|dpa|efe|ansa|tass|ria novosti|xinhua|bloomberg|anadolu(?: agency)?|wam|spa|mena|petra|kuna|qna|bna|ona|ina|sana|wafa|sputnik|cond[eé] nast|agencies|wires?|wire services?)$|^(?:وكالة )?(?:رويترز|(?:ال)?أناضول|فرانس برس|أ\s?\.?\s?ف\s?\.?\s?ب\.?|أ\s?\.?\s?ب\.?|د\s?\.?\s?ب\.?\s?أ\.?|أ\s?\.?\s?ش\.?\s?أ\.?|أسوشيتد برس|أسوشييتد برس|واس|وام|كونا|قنا|بنا|واع|وفا|سانا|بترا|شينخوا|سبوتنيك|الأنباء \S+|أنباء \S+(?: \S+)?)$|^(?:ال)?وكالات(?: الأنباء| أنباء)?$/i;
const ORGANISATION =
  /\b(?:inc|ltd|llc|corp|gmbh|plc|team|staff|editors|editorial|newsroom|desk|newsdesk|news|agency|association|institute|university|college|center|centre|clinic|hospital|department|ministry|magazine|media|group|foundation|society|company|network|press|times|journal|blog|services?)\b\.?|(?:^|\s)(?:فريق|هيئة|موقع|صحيفة|جريدة|وكالة|مجلة|قناة|شبكة|مركز|غرفة|قسم|أسرة)(?:\s|$)/i;

/** Words of a team, an agency or a company: such a name counts only where no person signs. */
export function isOrganisation(name: string): boolean {
  return AGENCY.test(name) || ORGANISATION.test(name);
}

/** Returns true for a news agency or "agencies". */
export function isAgency(name: string): boolean {
  return AGENCY.test(name);
}

/** Returns a byline without what stands before its names. */
export function withoutLead(byline: string): string {
  return byline.replace(LEAD, "").replace(GLUED, "");
}

/** Returns true for a text that begins as bylines do. */
export function hasLead(text: string): boolean {
  return (LEAD.test(text) && !BARE_LEAD.test(text)) || GLUED.test(text);
}

/** Returns true for a text that is nothing but the beginning of a byline: its name follows in the next element. */
export function isOnlyLead(text: string): boolean {
  return text.length < 30 && LEAD.test(`${text} `) && withoutLead(`${text} `).trim() === "";
}

const CONJUNCTION = /\s+et al\.?$|\s+(?:and|&|et|und|y|with|و)\s+|\s*[,،;؛|·•⋅]\s*|\s\/\s/iu;
/** Arabic "and" is written with the word behind it; these names begin with the same letter. */
const WAW =
  "و(?!(?:ائل|ليد|فاء|سام|سيم|جدي|جيه|حيد|رد|ردة|داد|هيب|هبة|هبي|صفي|ضاح|فيق|ئام|اصف|اثق|اصل|افي|الي|لاء|صال|سن|عد|هاب|لي|كالات|كالة)(?:\\s|$))";
const ARABIC_AND = new RegExp(
  `(?<=\\S\\s+\\S+)\\s+(?:${WAW}(?=\\p{L}+\\s+\\p{L})|و(?=(?:ال)?وكال|رويترز|فرانس برس|الأناضول))`,
  "u",
);
/** "And" before the last name of a list with commas. */
const AND_FIRST = new RegExp(`^${WAW}(?=\\p{L}+\\s+\\p{L})`, "u");

/**
 * Cleans and splits bylines into names, repeated ones left out: without "by", roles ("Staff Writer", «مراسل»), degrees,
 * places before a dash, accounts, addresses and words of the page's buttons. At most 25.
 */
export function namesIn(bylines: readonly string[]): string[] {
  const names = new Set<string>();
  for (const byline of bylines) {
    const text = withoutPlaces(withoutLead(oneLine(byline)).replace(/(?:^|\s)@\w+/g, " "));
    let inRole = false;
    for (const [i, part] of splitNames(text).entries()) {
      const name: string = cleanName(i === 0 ? part : part.replace(AND_FIRST, ""));
      // "Director, Content and Marketing": what follows a role by one word is more of it.
      const isMore: boolean = inRole && !/\s/.test(name);
      inRole = (inRole || names.size > 0) && (name === "" || isMore) && /\p{L}/u.test(part);
      if (isMore || (names.size > 0 && CREDENTIAL.test(part) && !isAgency(part)) || !isName(name)) continue;
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
  const person = bare
    ?.replace(LEADING_ROLE, "")
    .split(/\s+[-–—]\s+/)
    .find((piece) => !isRole(piece) && !PLACE.test(piece));
  return withoutRole((person ?? "").trim()).replace(/[\s,،:.–—-]+$/u, (end) => (/^\.$/.test(end) ? end : ""));
}

/** Cities that correspondents write before or behind their names. */
const PLACE_NAMES =
  "القاهرة|بيروت|دمشق|بغداد|الرياض|جدة|دبي|أبوظبي|أبو ظبي|الدوحة|الكويت|المنامة|مسقط|عمان|عمّان|القدس|القدس المحتلة|رام الله|غزة|تونس|الجزائر|الرباط|طرابلس|الخرطوم|صنعاء|عدن|واشنطن|نيويورك|لندن|باريس|برلين|موسكو|أنقرة|إسطنبول|طهران|بروكسل|جنيف|مدريد|روما|فيينا|أثينا|بكين|طوكيو|نيودلهي|إسلام آباد|كابول|كييف|الخليل|نابلس|جنين|حلب|الموصل|البصرة|أربيل|الإسكندرية|الدار البيضاء|نواكشوط|مقديشو|جوبا|مكة|مكة المكرمة|المدينة المنورة|خاص";
const PLACE = new RegExp(`^(?:${PLACE_NAMES})$`);
/**
 * The place that each of several writes from, up to what goes on with the list: "A in Cairo and B in Beirut". A place
 * behind one name alone may be a section ("A in Business").
 */
const PLACE_BEHIND = new RegExp(
  `\\s+(?:in|من|في)\\s+(?:the\\s)?(?:\\p{Lu}[\\p{L}.'’-]{1,20}(?:\\s\\p{Lu}[\\p{L}.'’-]{1,20}){0,2}|(?:${PLACE_NAMES})(?!\\p{L})|[\\p{sc=Arabic}]{3,15})(?=\\s*[,،;؛]?\\s*(?:(?:and|&|with)\\s|و\\s?(?=\\p{L}+\\s\\p{L})|(?<=[,،;؛]\\s?)(?=\\p{L}+\\s\\p{L})))|\\s+[-–—]\\s+(?:${PLACE_NAMES})(?=\\s*[,،]|\\s+و)`,
  "gu",
);
const LAST_PLACE =
  /\s+(?:in|من|في)\s+(?:the\s)?(?:\p{Lu}[\p{L}.'’-]{1,20}(?:\s\p{Lu}[\p{L}.'’-]{1,20}){0,2}|[\p{sc=Arabic}]{3,15}(?:\s[\p{sc=Arabic}]{3,15})?)\.?$/u;
const ARABIC_PLACE_LAST = new RegExp(`\\s+(?:من|في)\\s+(?:${PLACE_NAMES})\\s*$`, "u");

/** Returns a byline of several names without the places that they write from. */
export function withoutPlaces(byline: string): string {
  const inner = byline.replace(PLACE_BEHIND, "");
  return inner === byline ? byline.replace(ARABIC_PLACE_LAST, "") : inner.replace(LAST_PLACE, "");
}

/** Returns true for a line that is nothing but two names or more, each with the place that it writes from. */
export function isPlacedList(line: string): boolean {
  const pieces = splitNames(line);
  return pieces.length > 1 && pieces.every((piece, i) => PLACED.test(i === 0 ? piece : piece.replace(AND_FIRST, "")));
}

const PLACED = new RegExp(
  `^\\p{Lu}\\S+(?:\\s\\p{Lu}\\S+){1,3}\\sin\\s(?:\\p{Lu}[\\p{L}'’-]+\\s?){1,3}$|^\\p{sc=Arabic}+(?:\\s\\p{sc=Arabic}+){1,3}\\s(?:من|في)\\s(?:${PLACE_NAMES})$`,
  "u",
);

function isRole(piece: string): boolean {
  return withoutRole(piece) === "";
}

/**
 * Returns a name up to the role that follows it; empty where nothing but a role stands. One word of both may be a
 * surname.
 */
function withoutRole(name: string): string {
  const role = [ROLE.exec(name), ARABIC_ROLE.exec(name)].find((match) => match !== null);
  if (role == null || ORGANISATION.test(name.slice(0, role.index))) return name;
  const rest = name.slice(0, role.index).trim();
  if (QUALITY.test(rest) || isSection(rest)) return "";
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
