/** An article as its publisher wrote it. */
export interface Article {
  readonly title: string;
  readonly author: string;
  readonly section: string;
  /** ISO 8601. */
  readonly published: string;
  /** The same as pages show it. */
  readonly shown: string;
  readonly paragraphs: readonly string[];
}

/** Sets an article in a page. Where its layout adds to the text, it says the whole. */
export type Layout = (article: Article) => string | { readonly html: string; readonly text: string };

/** Holds what stands around articles: none of it belongs to one. */
const HEADLINES: readonly string[] = [
  "الحكومة تقر موازنة العام الجديد بعد جلسة استمرت حتى الفجر",
  "وفاة الشاعر الكبير عن عمر ناهز السابعة والثمانين",
  "مجلس الأمن يعقد جلسة طارئة مساء اليوم لبحث التطورات",
  "أسعار الذهب تسجل أعلى مستوى لها منذ ثلاثة أشهر",
  "إغلاق الطريق الساحلي أسبوعا لأعمال الصيانة",
  "فوز فريق الناشئين بكأس البطولة الإقليمية للمرة الرابعة",
  "انطلاق معرض الكتاب بمشاركة أربعمئة دار نشر",
  "وزارة الصحة تعلن جدول حملة التطعيم المدرسية",
  "الأرصاد: انخفاض في درجات الحرارة وأمطار متفرقة نهاية الأسبوع",
  "اتفاق مبدئي بين النقابة وأصحاب المخابز على تسعيرة جديدة",
  "بالصور.. أول طائرة مدنية تهبط في المطار بعد توسعته",
  "شاهد لحظة إنقاذ طفلين من سيل جارف جنوب البلاد",
];

const TICKER: readonly string[] = [
  "عاجل | وزير الخارجية يصل إلى العاصمة في زيارة تستمر يومين ويلتقي رئيس الوزراء وعددا من المسؤولين.",
  "الدفاع المدني: إخماد حريق في مستودع للأخشاب من دون إصابات، والتحقيقات جارية لمعرفة الأسباب.",
  "البورصة تغلق على ارتفاع طفيف بدعم من أسهم الطاقة، والمتعاملون ينتظرون بيانات التوظيف.",
  "وكالات: زلزال بقوة خمس درجات قبالة الساحل الشرقي ولا أنباء عن أضرار.",
];

const COMMENTS: readonly (readonly [name: string, text: string])[] = [
  [
    "أبو خالد",
    "والله هذا الكلام نسمعه من عشرين سنة ولم نر شيئا على الأرض، الله يصلح الحال ويولي من يصلح، والمواطن هو الذي يدفع الثمن دائما.",
  ],
  [
    "مواطن غيور",
    "مقال ممتاز وشكرا للكاتب على هذا الطرح المتوازن، أتمنى أن تتابعوا الموضوع في الأعداد القادمة وألا يموت كغيره من المواضيع.",
  ],
  [
    "سارة من تونس",
    "أنا عشت التجربة بنفسي وأقول لكم إن الأمر أصعب مما ورد هنا بكثير، خصوصا على العائلات التي لا تملك سيارة أو دخلا ثابتا.",
  ],
  [
    "متابع",
    "أين المسؤولون من كل هذا؟ كل يوم تصريح جديد ووعود جديدة، ثم تنتهي القصة ولا أحد يحاسب أحدا، وحسبنا الله ونعم الوكيل.",
  ],
  [
    "عبد الرحمن",
    "لا أتفق مع ما جاء في الخبر، فالأرقام التي ذكرت قديمة، وأرجو من المحرر أن يراجع المصدر قبل النشر وشكرا.",
  ],
];

const BIO =
  "صحفي وباحث عمل في عدد من الصحف والمواقع العربية، وحاصل على ماجستير في الإعلام من الجامعة اللبنانية، ويهتم بقضايا البيئة والعمران والتحولات الاجتماعية في المدن العربية.";

const NEWSLETTER =
  "اشترك في نشرتنا البريدية ليصلك كل صباح أهم ما نشره الموقع، مع مقالات مختارة من كتابنا. يمكنك إلغاء الاشتراك في أي وقت، ولن نشارك بريدك مع أي جهة أخرى.";

const range = <T>(from: readonly T[], start: number, count: number): T[] =>
  Array.from({ length: count }, (_, i) => from[(start + i) % from.length]).filter((item) => item !== undefined);

/** `count` headlines as links, each wrapped by `wrap`. */
export function links(count: number, wrap: (link: string, i: number) => string, start = 0): string {
  return range(HEADLINES, start, count)
    .map((headline, i) => wrap(`<a href="/news/${start * 7 + i + 1000}">${headline}</a>`, i))
    .join("\n");
}

/** Headlines with the beginning of their article below, each wrapped by `wrap`. */
export function teasers(count: number, wrap: (link: string, text: string) => string, start = 3): string {
  return range(HEADLINES, start, count)
    .map((headline, i) =>
      wrap(
        `<a href="/news/${i + 500}">${headline}</a>`,
        `${TICKER[(i + start) % TICKER.length] ?? ""} وتأتي هذه الخطوة بعد أيام من نقاش طويل بين الأطراف المعنية.`,
      ),
    )
    .join("\n");
}

/** Sentences of breaking news, each wrapped. */
export function ticker(wrap: (text: string) => string): string {
  return TICKER.map(wrap).join("\n");
}

/** Readers' comments, each wrapped. */
export function comments(count: number, wrap: (name: string, text: string, i: number) => string): string {
  return range(COMMENTS, 0, count)
    .map(([name, text], i) => wrap(name, text, i))
    .join("\n");
}

/** Returns what stands in the box of an author, below "about the author". */
export function bio(): string {
  return BIO;
}

/** The invitation of a newsletter. */
export function newsletter(): string {
  return NEWSLETTER;
}

/** Paragraphs in `<p>`, with something between two of them: after the `at`th, as inline boxes stand. */
export function body(article: Article, between: string, at = 2): string {
  return article.paragraphs.map((text, i) => `<p>${text}</p>${i + 1 === at ? between : ""}`).join("\n");
}

/** Sections of a site as the items of a menu. */
export function menu(wrap: (link: string) => string): string {
  return "الرئيسية محليات عربي ودولي اقتصاد رياضة ثقافة تكنولوجيا صحة منوعات فيديو صور رأي"
    .split(" ")
    .map((name) => wrap(`<a href="/s/${name}">${name}</a>`))
    .join("\n");
}

/** A page with this head and body. */
export function page(article: Article, parts: { readonly head?: string; readonly body: string }): string {
  return `<!DOCTYPE html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>${article.title} | صحيفة المثال</title>
<meta property="og:title" content="${article.title}"><meta property="og:site_name" content="صحيفة المثال">${parts.head ?? ""}</head>
${parts.body.trimStart().startsWith("<body") ? parts.body : `<body>${parts.body}</body>`}</html>`;
}

/** Names under which people share, as buttons. */
export function buttons(wrap: (name: string) => string): string {
  return "فيسبوك تويتر واتساب تيليغرام لينكدإن نسخ_الرابط طباعة"
    .split(" ")
    .map((name) => wrap(name.replace("_", " ")))
    .join("");
}
