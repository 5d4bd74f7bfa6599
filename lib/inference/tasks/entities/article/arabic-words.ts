import { nameKey } from "../../../../text/index.ts";
import { isCountry } from "../aliases.ts";
import { foldToken } from "../fold-token.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(foldToken));

/** Nouns with which names of institutions begin, and which name none alone. */
const INSTITUTIONS = setOf(
  `وزارة هيئة مجلس منظمة نادي شركة جامعة مرصد معهد مركز بنك مصرف اتحاد نقابة جمعية مؤسسة وكالة محكمة صندوق لجنة مفوضية
  رابطة أكاديمية كلية مديرية إدارة بلدية نيابة سفارة قنصلية غرفة بورصة مكتب دائرة حزب حركة تنظيم جماعة جبهة تحالف ائتلاف
  كتلة منتدى شبكة صحيفة جريدة مجلة قناة إذاعة تلفزيون محطة فريق منتخب مدرسة بعثة سلطة سلطات حكومة جيش شرطة قوات قيادة
  برلمان نظام ميليشيا مليشيا ميليشيات مليشيات كتائب لواء أمانة رئاسة مصلحة جهاز برنامج موقع دار معارضة مخابرات
  استخبارات حرس شركات وكالات منظمات مؤسسات بنوك جامعات هيئات أجهزة صحف جهات فصائل أحزاب أندية مجموعة مصنع متحف مستشفى
  عيادة مطعم فندق وفد قافلة خارجية داخلية دفاع قضاء مقاومة عدالة جمارك`,
);

/** Of these, those that a nationality is enough to make a name of. */
const NATIONAL = setOf(
  `جيش حكومة شرطة قوات برلمان سلطات سلطة منتخب مخابرات استخبارات نظام رئاسة خارجية داخلية دفاع معارضة حرس قضاء بورصة
  مقاومة سفارة إدارة تحالف تلفزيون إذاعة اتحاد منتدى قنصلية`,
);

/** What a name of a place may begin with, where the rest names the same place. */
const PLACE_HEADS = setOf("مدينة بلدة قرية دولة منطقة حي مخيم عاصمة محافظة ولاية مقاطعة جمهورية مملكة إقليم");

/** What names of seas, mountains and islands begin with. */
const LAND_HEADS = setOf(
  "جزيرة جزر بحر البحر المحيط محيط نهر جبل جبال بحيرة صحراء خليج مضيق وادي سهل هضبة شبه قارة ساحل سواحل",
);

/** What names of buildings, streets and squares begin with. */
const BUILDING_HEADS = setOf(
  "برج مسجد جامع فندق مطار جسر ميدان شارع ملعب سجن قصر كنيسة ميناء معبر متحف قلعة استاد كاتدرائية قاعدة ضريح معبد",
);

/** Parts that many places have. */
const COMMON_PLACES = setOf("حدود شواطئ مياه أراضي أجواء أطراف");

/** Adjectives that make no name of an institution's noun, and nouns that do not either. */
const COMMON = setOf(
  `الأمنية الأمني الحكومية الحكومي المحلية المحلي الرسمية الرسمي العسكرية المختصة المعنية القضائية الحكوميون الجديدة
  الجديد السابقة السابق الحالية الشرعية الخاصة الإعلامية الإعلامي المذكورة نفسها ذاتها الكبرى أنباء أخبار دولية عالمية
  محلية مركزي إعلامية إخبارية محلي خيري خيرية حكومي حكومية ميداني خاص خاصة عسكري عسكرية أهلية أطفال
  الصحية الائتلافية الشمالية الجنوبية الشرقية الغربية
  الكتالوني الكاتالوني البافاري العاصمي اللندني الباريسي المدريدي العاصمة
  البرية البحرية الجوية المسلحة الدولية الدولي الحقوقي الحقوقية السيدات الناشئين
  الرئيس الميناء المطار الشرطة الصانعة المالكة المشغلة المصنعة المنتجة الإجمالية اليسارية اليساري اليمينية اليميني
  الإقليمية الإقليمي الإمارة النجدة البلد المعارض الحاكم الحاكمة الفضة الذهب طيران تشييد بناء تأمين نفط تكنولوجيا اتصالات أدوية سيارات استشارات أبحاث
  شحن نقل مقاولات صرافة
  جوي جوية بحري بحرية بري برية حدودي حدودية دولي تجاري تجارية
  البلاد الإقليم المدينة المحافظة الولاية المقاطعة المنطقة القطاع اللعبة للعبة للبلاد للمدينة للمحافظة`,
);

/** Institutions of many, which have a name only where the table has it. */
const PLURALS = setOf(
  "شركات وكالات منظمات مؤسسات بنوك مصارف جامعات هيئات أجهزة صحف جهات أندية قنوات وسائل صناديق دوائر محاكم سفارات",
);

/** Nicknames of teams, which stand beside their names. */
const NICKNAMES = new Set(
  [
    ...["الملكي", "الريدز", "السيليستي", "السيليساو", "لا روخا", "الماتادور", "نسور قرطاج", "أسود الأطلس", "الأخضر"],
    ...["محاربو الصحراء", "الماكينات", "المانشافت", "الديوك", "الأتزوري", "الأزوري", "التانغو", "السامبا", "الطواحين"],
    ...["راقصو السامبا", "راقصي السامبا", "النشامى", "العنابي", "الشياطين الحمر", "الأسود الثلاثة", "الفراعنة"],
  ].map(nameKey),
);

/** What names of contests begin with. */
const CONTESTS = setOf("دوري كأس بطولة أبطال مونديال نهائيات تصفيات سوبر");

/** Events that are no names alone. */
const COMMON_EVENTS = setOf(
  `دوري بطولة كأس مباراة قمة انتخابات حرب مؤتمر ثورة معرض مهرجان مسابقة لقاء جولة نهائي ديربي استفتاء حفل سباق دورة
  منتدى هجوم معركة عملية حملة اتفاقية اتفاق هدنة أزمة مفاوضات محادثات اجتماع زيارة احتفال اعتصام مظاهرات`,
);

/** What a name of a company, club, group or medium may begin with, where the rest names the same. */
const GROUP_HEADS = setOf(
  `شركة نادي فريق حركة جماعة تنظيم صحيفة جريدة مجلة قناة شبكة وكالة موقع بنك منظمة مجموعة ميليشيا مليشيا ميليشيات
  مليشيات منصة تطبيق`,
);

/** Peoples and faiths whose names are not made from a country's: plurals, and what they are made from. */
const PEOPLES = setOf(
  `عرب أتراك أكراد كرد روس ألمان إنجليز انكليز يونان أرمن أفغان هنود فرس يهود مسيحيون مسيحيين نصارى مسلمون مسلمين سنة
  شيعة دروز علويون علويين أقباط إيزيديون إيزيديين تركمان أمازيغ حوثيون حوثيين روهينغا صرب مجر إسبان طليان بريطانيون
  بريطانيين أمريكيون أمريكيين أميركيون أميركيين أوروبيون أوروبيين أفارقة آسيويون غزيون غزيين مقدسيون مقدسيين خليجيون
  خليجيين فراعنة رومان عثمانيون عثمانيين بشمركة صهاينة كاثوليك أرثوذكس بروتستانت بوذيون هندوس سيخ داعشيون غربيون`,
);

/** Days and other words of time that end no name. */
const TIMES = setOf(
  "السبت الأحد الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة اليوم أمس الماضي الماضية الحالي الحالية المقبل المقبلة القادم",
);

/** What is done for somebody or something, with ل: لسلامة, لتقديم, لحماية, لمكافحة. */
const PURPOSE =
  /^ل(?:ت\p{L}{2}ي\p{L}|ت\p{L}{2,3}ة|[إا]\p{L}{2}ا\p{L}ة?|م\p{L}ا\p{L}{2}ة|\p{L}{2}ا\p{L}ة|دعم|شؤون|حقوق|بحوث)$/u;

const NISBA = /^(?:ال)?(.{2,})ي(?:ه|ون|ين|ات|ا)?$/;
const ARTICLE = /^ال(?=...)/;

const bare = (word: string): string => foldToken(word).replace(ARTICLE, "");

/** Whether a word is a noun that names of institutions begin with, with or without its article. */
export const isInstitution = (word: string): boolean => INSTITUTIONS.has(bare(word));

/** Whether a word is the plural of a noun that names of institutions begin with. */
export const isPlural = (word: string): boolean => PLURALS.has(bare(word));

/** Whether a word says what is done for somebody or something, which ends no name. */
export const isPurpose = (word: string): boolean => PURPOSE.test(word);

/** Whether a name is a nickname of a team. */
export const isNickname = (name: string): boolean => NICKNAMES.has(nameKey(name));

/** Whether an institution's noun makes a name with a nationality alone: الجيش السوري. */
export const isNational = (word: string): boolean => NATIONAL.has(bare(word));

/** Whether the two words are the management of some group, or one of many royal clubs, national teams or agencies. */
export const isManagement = (first: string, second: string): boolean =>
  (/^(?:ال)?(?:إدارة|مقر|مسؤولو|جماهير)$/.test(first) && second.startsWith("ال") && isInstitution(second)) ||
  (/^(?:النادي|الفريق)$/.test(first) && second === "الملكي") ||
  (/^(?:ال)?منتخب$/.test(first) && /^(?:الشباب|الناشئين|السيدات|الفراعنة)$/.test(second)) ||
  (/^(?:قوات|أجهزة)$/.test(first) && second === "الأمن") ||
  (first === "المنتخب" && /^(?:الوطني|الأول)$/.test(second)) ||
  (/^وكال(?:ة|ات)$/.test(first) && second === "الأنباء");

/** Whether names of contests begin with a word, which may end with a place's: دوري أبطال أوروبا. */
export const isContest = (word: string): boolean => CONTESTS.has(bare(word));

/** Whether a word names one of many events alone, with its article: الدوري. */
export const isCommonEvent = (word: string): boolean => COMMON_EVENTS.has(bare(word));

/** Whether a word ends no name: a day or another word of time. */
export const isTime = (word: string): boolean => TIMES.has(foldToken(word));

/** Whether a word makes no name of an institution's noun before it. */
export const isCommon = (word: string): boolean => COMMON.has(foldToken(word));

/** Whether names of seas, mountains and islands begin with a word. */
export const isLandHead = (word: string): boolean => LAND_HEADS.has(foldToken(word));

/** Whether names of buildings, streets and squares begin with a word. */
export const isBuildingHead = (word: string): boolean => BUILDING_HEADS.has(foldToken(word));

/** Whether a noun names a part of many places, and none itself: الحدود السورية, شواطئ أستراليا. */
export const isCommonPlace = (word: string): boolean => COMMON_PLACES.has(bare(word));

/** Whether a word stands before names of places that mean the same without it. */
export const isPlaceHead = (word: string): boolean => PLACE_HEADS.has(bare(word));

/** Whether a word stands before names of groups, companies and media that mean the same without it. */
export const isGroupHead = (word: string): boolean => GROUP_HEADS.has(foldToken(word));

/** The country's part of a nationality (`سوري`, `المصرية`, `لبنانيون`), folded; undefined for other words. */
export function nationality(word: string): string | undefined {
  const stem = NISBA.exec(foldToken(word))?.[1];
  // ministries of finance are not of Mali
  if (stem === "مال") return undefined;
  // السعودية is said of a thing, too
  if (stem === undefined || (isCountry(nameKey(word)) && !/^ال.*ي[ةه]$/.test(word))) return undefined;
  const isOfCountry = ["", "ا", "ه", "يا", "ي"].some((end) => isCountry(stem + end) || isCountry(`ال${stem}${end}`));
  return isOfCountry || OTHER_STEMS.has(stem) ? stem : undefined;
}

const OTHER_STEMS = setOf(
  `أمريك أميرك بريطان فرنس روس سور تونس مغرب جزائر إيطال ترك كور إيران ألمان هند يمن عرب أوروب أفريق إفريق آسيو غرب أفغان
  يابان صين مصر سعود إمارات عمان كويت قطر بحرين ليب سودان أردن فلسطين إسرائيل لبنان عراق كرد إنجليز إنكليز بلجيك هولند
  سويسر نمساو سويد نرويج دنمارك يونان برتغال إسبان برازيل أرجنتين مكسيك كند أسترال أوكران بولند مالطا خليج`,
);

/** The name of a people by which its forms are one (`الفلسطينيين`, `فلسطينيا`): undefined for other words. */
export function peopleOf(word: string): string | undefined {
  const own = bare(word);
  const stem = nationality(word);
  if (stem !== undefined) return `${stem}يون`;
  return PEOPLES.has(own) ? own.replace(/ين$/, "ون") : undefined;
}
