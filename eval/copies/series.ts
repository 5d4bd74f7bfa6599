/** A text of a series: of one form with the others, and no copy of any. */
type SeriesText = { id: string; family: string; edit: undefined; sourceId: string; title: string; content: string };

type Draw = { number: (from: number, to: number) => string; one: (list: readonly string[]) => string };

const ENDS = {
  ar: ["واطلب المساعدة", "قبل نهاية الأسبوع", "وامنح نفسك راحة", "فالحظ معك", "رغم اعتراض المقربين", "قبل فوات الأوان"],
  en: [
    "before this weekend",
    "whatever friends say",
    "and rest more",
    "since luck holds",
    "at any cost",
    "while Venus smiles",
  ],
};
const PLACES = {
  ar: "القاهرة دمشق بغداد عمّان الرياض الدوحة مسقط صنعاء الرباط تونس الجزائر طرابلس بيروت الخرطوم نواكشوط المنامة".split(
    " ",
  ),
  en: "London Leeds York Derby Bath Dover Truro Exeter Oxford Luton Ripon Wells Ely Durham Lincoln Hereford".split(" "),
};
const TEAMS = {
  ar: "الأهلي الزمالك الهلال النصر الاتحاد الوحدة الترجي الوداد الرجاء العين الشباب الفيصلي الوحدات الجيش القادسية الكويت".split(
    " ",
  ),
  en: "Rovers United Wanderers Athletic City Albion Rangers Harriers Villa County Orient Forest Palace Argyle Vale Alexandra".split(
    " ",
  ),
};
const SIGNS = {
  ar: [
    "ابتعد عن الخلافات",
    "فرصة جديدة قريبة",
    "انتبه إلى صحتك",
    "خبر سار يصلك",
    "لا تتسرع كثيرا",
    "يوم مناسب للسفر",
    "راجع حساباتك",
    "اهتم بأسرتك",
  ],
  en: [
    "avoid any quarrel",
    "a new chance comes",
    "look after yourself",
    "good news arrives",
    "never decide hastily",
    "travel if possible",
    "check your accounts",
    "call your family",
  ],
};

/** Returns what the stars say: one half of a sentence, and another one. */
const sign = (one: Draw["one"], lang: "ar" | "en"): string => `${one(SIGNS[lang])} ${one(ENDS[lang])}`;

/** Makes the forms of each language: what changes from text to text is drawn. */
const FORMS: Record<"ar" | "en", Record<string, (draw: Draw) => string>> = {
  ar: {
    rates: ({ number }) =>
      `استقرت أسعار العملات الأجنبية أمام الجنيه في تعاملات اليوم بالبنوك الحكومية والخاصة، وسجل سعر الدولار في البنك المركزي ${number(15, 31)}.${number(10, 99)} جنيه للشراء و${number(15, 31)}.${number(10, 99)} جنيه للبيع. وبلغ سعر اليورو ${number(17, 35)}.${number(10, 99)} جنيه للشراء و${number(17, 35)}.${number(10, 99)} جنيه للبيع، وسجل الجنيه الإسترليني ${number(20, 40)}.${number(10, 99)} جنيه للشراء و${number(20, 40)}.${number(10, 99)} جنيه للبيع. ووصل سعر الريال السعودي إلى ${number(4, 8)}.${number(10, 99)} جنيه للشراء، وسجل الدينار الكويتي ${number(50, 99)}.${number(10, 99)} جنيه للشراء.`,
    weather: ({ number, one }) =>
      `تتوقع هيئة الأرصاد الجوية أن يسود اليوم طقس معتدل نهارا بارد ليلا على أغلب الأنحاء، مع نشاط للرياح على فترات. وفيما يلي بيان بدرجات الحرارة المتوقعة: العظمى في ${one(PLACES.ar)} ${number(15, 40)} والصغرى ${number(5, 20)}، والعظمى في ${one(PLACES.ar)} ${number(15, 40)} والصغرى ${number(5, 20)}، والعظمى في ${one(PLACES.ar)} ${number(15, 40)} والصغرى ${number(5, 20)}. وتنصح الهيئة السائقين بتوخي الحذر على الطرق السريعة والزراعية بسبب الشبورة المائية في ساعات الصباح الأولى.`,
    match: ({ number, one }) =>
      `فاز فريق ${one(TEAMS.ar)} على ضيفه ${one(TEAMS.ar)} بنتيجة ${number(1, 6)}-${number(0, 3)} في المباراة التي جمعت بينهما مساء اليوم ضمن منافسات الجولة ${number(2, 30)} من الدوري الممتاز لكرة القدم. وسجل الهدف الأول في الدقيقة ${number(2, 40)}، وجاء الهدف الثاني في الدقيقة ${number(46, 90)}. وبهذا الفوز رفع الفريق رصيده إلى ${number(10, 70)} نقطة في المركز ${number(1, 18)}، بينما تجمد رصيد منافسه عند ${number(8, 60)} نقطة في المركز ${number(2, 18)}.`,
    horoscope: ({ one }) =>
      `برج الحمل: ${sign(one, "ar")}، ${sign(one, "ar")}. برج الثور: ${sign(one, "ar")}، ${sign(one, "ar")}. برج الجوزاء: ${sign(one, "ar")}، ${sign(one, "ar")}. برج السرطان: ${sign(one, "ar")}، ${sign(one, "ar")}. برج الأسد: ${sign(one, "ar")}، ${sign(one, "ar")}. برج العذراء: ${sign(one, "ar")}. اقرأ توقعات الأبراج كل يوم على موقعنا وشاركها مع أصدقائك.`,
  },
  en: {
    rates: ({ number }) =>
      `Foreign exchange rates at the close of trading today, as given by the central bank: the dollar stood at ${number(1, 3)}.${number(1000, 9999)} to the pound, against ${number(1, 3)}.${number(1000, 9999)} the day before. The euro was quoted at ${number(1, 2)}.${number(1000, 9999)} and the yen at ${number(120, 190)}.${number(10, 99)}. Gold in London was fixed at ${number(1200, 2400)} dollars an ounce in the afternoon, after ${number(1200, 2400)} dollars in the morning. Brent crude for delivery next month settled at ${number(50, 110)}.${number(10, 99)} dollars a barrel.`,
    weather: ({ number, one }) =>
      `The weather office expects a dry and mostly sunny day with light winds from the west. The highest temperature in ${one(PLACES.en)} will be ${number(8, 30)} degrees and the lowest ${number(-3, 12)}, the highest in ${one(PLACES.en)} ${number(8, 30)} degrees and the lowest ${number(-3, 12)}, and the highest in ${one(PLACES.en)} ${number(8, 30)} degrees. Drivers are asked to take care in the early hours, when fog may form on roads near the coast and in the valleys.`,
    match: ({ number, one }) =>
      `${one(TEAMS.en)} beat ${one(TEAMS.en)} ${number(1, 6)}-${number(0, 3)} on Saturday in round ${number(2, 38)} of the league. The first goal came after ${number(2, 40)} minutes, when the visitors failed to clear a corner, and the second after ${number(46, 90)} minutes from the penalty spot. The win takes the home side to ${number(10, 70)} points and place ${number(1, 20)} of the table, while the visitors stay on ${number(8, 60)} points in place ${number(2, 20)} with a game in hand.`,
    horoscope: ({ one }) =>
      `Aries: ${sign(one, "en")}, and ${sign(one, "en")}. Taurus: ${sign(one, "en")}, and ${sign(one, "en")}. Gemini: ${sign(one, "en")}, and ${sign(one, "en")}. Cancer: ${sign(one, "en")}, and ${sign(one, "en")}. Leo: ${sign(one, "en")}, and ${sign(one, "en")}. Virgo: ${sign(one, "en")}. Read what the stars say every day on our site, and share it with your friends.`,
  },
};

const TEXTS = 25;

/** Makes series of texts of one form, each text its own family, by papers that differ. */
export function seriesOf(lang: "ar" | "en", random: () => number): SeriesText[] {
  const draw: Draw = {
    number: (from, to) => String(from + Math.floor(random() * (to - from + 1))),
    one: (list) => list[Math.floor(random() * list.length)] ?? "",
  };
  return Object.entries(FORMS[lang]).flatMap(([form, write]) =>
    Array.from({ length: TEXTS }, (_, i) => {
      const id = `series ${form} ${i}`;
      const sourceId = `paper-${i % 5}`;
      return { id, family: id, edit: undefined, sourceId, title: `${form} ${i}`, content: write(draw) };
    }),
  );
}
