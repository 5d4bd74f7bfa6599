/** Texts of a group, the same in both languages: what one language lacks is an error of types. */
export function inBoth<T>(texts: { en: T; ar: NoInfer<T> }): { en: T; ar: T } {
  return texts;
}

const ENGLISH = new Intl.PluralRules("en");
const ARABIC = new Intl.PluralRules("ar");
const DIGITS = new Intl.NumberFormat("en");

/** Returns a number with its thousands apart, in the digits that both languages read. */
export function figure(count: number): string {
  return DIGITS.format(count);
}

/** Returns a count in English: `3 articles`. */
export function counted(count: number, one: string, other: string): string {
  return `${figure(count)} ${ENGLISH.select(count) === "one" ? one : other}`;
}

/** The forms of an Arabic noun that is counted: the noun alone for one and two, then with three to ten, then above. */
type ArabicForms = { zero: string; one: string; two: string; few: string; many: string; other: string };

/** Returns a count in Arabic: «3 مقالات», «11 مقالًا». */
export function countedArabic(count: number, forms: ArabicForms): string {
  const form = ARABIC.select(count);
  return form === "zero" || form === "one" || form === "two" ? forms[form] : `${figure(count)} ${forms[form]}`;
}

/** Returns the words for names that the platform may get more of. */
export function named(words: Record<string, string>): Readonly<Record<string, string>> {
  return words;
}

/** Holds what every page says. */
export const common = inBoth({
  en: {
    site: "Isnad",
    comma: ", ",
    tagline: "Who told it first, who took it from whom, and what was checked",
    skip: "Skip to the content",
    sections: "Sections",
    nav: {
      today: "Today",
      search: "Search",
      claims: "Claims",
      ask: "Ask",
      analyse: "Analyse",
      sources: "Sources",
      state: "State",
    },
    searchLabel: "Search the archive",
    searchSubmit: "Search",
    settings: "Language and colours",
    otherLanguage: "العربية",
    otherLanguageLabel: "Read this desk in Arabic",
    themes: { auto: "As the system", light: "Light", dark: "Dark" },
    themesLabel: "Colours",
    signIn: "Sign in",
    signOut: "Sign out",
    signInLead: "The desk is opened with a key of scope “desk”.",
    signInHow: "Whoever runs the platform makes one with this command:",
    keyLabel: "Key",
    keyWrong: "This key is not in force, or is not good for the desk.",
    keyMissing: "Paste a key.",
    local: "Open on this machine",
    back: "Back",
    more: "More",
    older: "Older",
    newer: "Newer",
    all: "All",
    undated: "without a date",
    partAway: "This part cannot be shown now.",
    tryAgain: "Try again",
    keys: {
      open: "Keys",
      title: "Keys of this desk",
      enabled: "Use single keys",
      close: "Close",
      search: "to the search field",
      next: "next entry",
      previous: "entry before",
      openEntry: "open the entry",
      filters: "to what narrows a search",
      save: "keep a search",
      goto: (name: string) => `go to ${name}`,
      help: "this list",
    },
    error: {
      401: "You are not signed in",
      403: "This is not open to your key",
      404: "There is nothing here",
      422: "This cannot be read",
      429: "Too many requests for the moment",
      503: "The platform cannot answer now",
      other: "Something went wrong",
      crossSite:
        "The form was sent from another site, or from a page that is too old. Open the page again and repeat it.",
      notFoundHint: "The address may be mistyped, or what stood here was deleted.",
      unavailableHint: "What has arrived is safe. Try again in a moment; the page of states says what is away.",
      requestId: "Request",
      home: "To today's page",
    },
    articles: (count: number) => counted(count, "article", "articles"),
    sources: (count: number) => counted(count, "source", "sources"),
    languages: { ar: "Arabic", en: "English" },
  },
  ar: {
    site: "إسناد",
    comma: "، ",
    tagline: "مَن روى الخبر أولًا، ومَن أخذ عن مَن، وما الذي جرى التحقق منه",
    skip: "إلى المحتوى",
    sections: "الأقسام",
    nav: {
      today: "اليوم",
      search: "البحث",
      claims: "الادعاءات",
      ask: "اسأل",
      analyse: "حلّل",
      sources: "المصادر",
      state: "الحالة",
    },
    searchLabel: "ابحث في الأرشيف",
    searchSubmit: "ابحث",
    settings: "اللغة والألوان",
    otherLanguage: "English",
    otherLanguageLabel: "اقرأ هذه الصفحات بالإنجليزية",
    themes: { auto: "كالنظام", light: "فاتح", dark: "داكن" },
    themesLabel: "الألوان",
    signIn: "دخول",
    signOut: "خروج",
    signInLead: "يُفتح المكتب بمفتاح له الصلاحية «desk».",
    signInHow: "ينشئه مَن يدير المنصة بهذا الأمر:",
    keyLabel: "المفتاح",
    keyWrong: "هذا المفتاح غير سارٍ، أو لا يفتح المكتب.",
    keyMissing: "ألصِق مفتاحًا.",
    local: "مفتوح على هذا الجهاز",
    back: "رجوع",
    more: "المزيد",
    older: "الأقدم",
    newer: "الأحدث",
    all: "الكل",
    undated: "بلا تاريخ",
    partAway: "تعذّر عرض هذا الجزء الآن.",
    tryAgain: "أعد المحاولة",
    keys: {
      open: "المفاتيح",
      title: "مفاتيح هذه الصفحات",
      enabled: "استعمل المفاتيح المفردة",
      close: "إغلاق",
      search: "إلى خانة البحث",
      next: "العنصر التالي",
      previous: "العنصر السابق",
      openEntry: "افتح العنصر",
      filters: "إلى ما يضيّق البحث",
      save: "احفظ البحث",
      goto: (name: string) => `إلى ${name}`,
      help: "هذه القائمة",
    },
    error: {
      401: "لم تسجّل الدخول",
      403: "مفتاحك لا يفتح هذه الصفحة",
      404: "لا شيء هنا",
      422: "تعذّرت قراءة الطلب",
      429: "طلبات كثيرة في هذه اللحظة",
      503: "لا تستطيع المنصة الإجابة الآن",
      other: "حدث خطأ",
      crossSite: "أُرسل النموذج من موقع آخر أو من صفحة قديمة. افتح الصفحة من جديد وكرّره.",
      notFoundHint: "ربما كُتب العنوان خطأً، أو حُذف ما كان هنا.",
      unavailableHint: "ما وصل محفوظ. أعد المحاولة بعد لحظة؛ وصفحة الحالة تقول ما الذي تعطّل.",
      requestId: "الطلب",
      home: "إلى صفحة اليوم",
    },
    articles: (count: number) =>
      countedArabic(count, {
        zero: "لا مقالات",
        one: "مقال واحد",
        two: "مقالان",
        few: "مقالات",
        many: "مقالًا",
        other: "مقال",
      }),
    sources: (count: number) =>
      countedArabic(count, {
        zero: "لا مصادر",
        one: "مصدر واحد",
        two: "مصدران",
        few: "مصادر",
        many: "مصدرًا",
        other: "مصدر",
      }),
    languages: { ar: "العربية", en: "الإنجليزية" },
  },
});
