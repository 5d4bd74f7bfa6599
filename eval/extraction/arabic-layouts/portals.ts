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

const jsonLd = (a: Article) =>
  `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", "@type": "NewsArticle", headline: a.title, datePublished: a.published, author: { "@type": "Person", name: a.author } })}</script>`;

/** News portals as their own editors build them. */
export const PORTALS: Readonly<Record<string, Layout>> = {
  "satellite-channel": (a) =>
    page(a, {
      head: jsonLd(a),
      body: `<div id="root"><div class="container"><div class="ticker" role="region" aria-label="عاجل"><span>عاجل</span>${ticker((t) => `<span class="ticker__item">${t}</span>`)}</div>
<nav class="site-header__navigation">${menu((l) => `<span>${l}</span>`)}</nav><main id="main-content-area"><div class="article-header-block"><div class="topics"><a>${a.section}</a></div><header class="article-header"><h1>${a.title}</h1></header>
<div class="article-info-block"><div class="article-b-l"><div class="article-author-name"><span class="article-author-name-item">${a.author}</span></div><div class="article-dates"><span class="screen-reader-text">نشر في</span><span aria-hidden="true">${a.shown}</span></div></div>
<div class="social-share">${buttons((n) => `<button>${n}</button>`)}</div></div></div>
<div class="wysiwyg wysiwyg--all-content css-1vsenwb" aria-live="polite">${body(a, `<div class="more-on"><h2 class="more-on__heading">اقرأ أيضا</h2><span class="screen-reader-text">list of 3 items</span><ul class="more-on__list">${links(3, (l) => `<li class="more-on__item"><span class="screen-reader-text">list 1 of 3</span>${l}</li>`, 4)}</ul><span class="screen-reader-text">end of list</span></div>`)}</div>
<div class="article-source">المصدر: وكالات</div><div class="article-more-topics"><h2>حول هذه القصة</h2>${teasers(3, (l, t) => `<article class="gc gc--type-post"><h3 class="gc__title">${l}</h3><div class="gc__excerpt"><p>${t}</p></div></article>`)}</div></main>
<aside class="l-col l-col--aside"><div class="trending-articles"><h2>الأكثر قراءة</h2><ol>${links(5, (l) => `<li>${l}</li>`)}</ol></div></aside></div></div>`,
    }),
  "world-service": (a) =>
    page(a, {
      head: jsonLd(a),
      body: `<div class="bbc-x1"><header role="banner"><div>${menu((l) => `<li class="bbc-bja5g1">${l}</li>`)}</div></header><main role="main" class="bbc-fa0wmp">
<div class="bbc-1151pbn"><h1 id="content" tabindex="-1" class="bbc-14gqcmb">${a.title}</h1></div>
<section role="region" aria-label="أسماء الكتّاب" class="bbc-byline"><ul role="list"><li><span>Author, </span><span class="bbc-1p92">${a.author}</span></li></ul></section>
<div class="bbc-19j92fr"><time class="bbc-14xtggo" datetime="${a.published.slice(0, 10)}">${a.shown}</time></div>
${a.paragraphs.map((p, i) => `<div dir="rtl" class="bbc-19j92fr ebmt73l0"><p dir="rtl" class="bbc-1y32vyc">${p}</p></div>${i === 2 ? `<section data-e2e="related-content-heading" role="region" aria-labelledby="r" class="bbc-qpr9nt"><a class="skip">تخطى قصص مقترحة وواصل القراءة</a><strong id="r">قصص مقترحة</strong><ul>${links(4, (l) => `<li class="bbc-vvw34x">${l}</li>`, 5)}</ul><p id="end">قصص مقترحة نهاية</p></section>` : ""}`).join("")}
</main><div class="bbc-side"><section role="region" aria-labelledby="t" data-e2e="top-stories"><h2 id="t">قصص رئيسية</h2>${links(3, (l) => `<div>${l}</div>`)}</section>
<section role="region" data-e2e="features-analysis-heading"><h2>اخترنا لكم</h2>${teasers(3, (l, t) => `<div class="promo"><h3>${l}</h3><p>${t}</p></div>`)}</section>
<section role="region" data-e2e="most-read"><h2>الأكثر قراءة</h2><ol>${links(8, (l, i) => `<li><span>${i + 1}</span>${l}</li>`, 2)}</ol></section></div><footer role="contentinfo">شروط الاستخدام</footer></div>`,
    }),
  "daily-with-inline-links": (a) =>
    page(a, {
      body: `<div class="top-bar"><div class="newsBar"><strong>آخر الأخبار</strong>${links(5, (l) => `<span>${l}</span>`)}</div></div>
<div class="col-xs-12 bigOneCat articleCont"><div class="breadcumb"><a>الرئيسية</a> <a>${a.section}</a></div><h1>${a.title}</h1><div class="NewsStoryDate">${a.shown}</div><div class="img-cont"><img src="a.jpg"><span class="writeBy">كتب : ${a.author}</span></div>
<div class="newsStoryMo"><div id="articleBody">${a.paragraphs.map((p, i) => `<p>${p}</p>${i % 2 === 1 ? `<p><a href="/story/${i}"><strong>اقرأ أيضا: ${["تفاصيل جديدة في ملف الإسكان", "موعد صرف المعاشات لشهر يونيو", "أسعار الخضروات اليوم في الأسواق"][i % 3]}</strong></a></p>` : ""}`).join("")}</div>
<div class="newsShare"><h5>مشاركة</h5>${buttons((n) => `<span>${n}</span>`)}</div><div class="tags">${links(5, (l) => `<h3>${l}</h3>`, 3)}</div></div>
<div class="relatedNews col-xs-12"><h3 class="relatedTitle">أخبار متعلقة</h3>${links(4, (l) => `<div class="col-xs-6">${l}</div>`, 6)}</div>
<div class="comments_area"><div class="commentsTitle">لا توجد تعليقات على الخبر</div><div class="addComment"><h4>اضف تعليق</h4><p>تم أضافة تعليقك سوف يظهر بعد المراجعة</p></div></div></div>
<div class="col-xs-4 sideBar"><div class="mostRead"><h3>الأكثر قراءة</h3>${links(7, (l) => `<div class="one">${l}</div>`)}</div><div class="urgentNews"><h3>أخبار عاجلة</h3>${ticker((t) => `<p>${t}</p>`)}</div></div>`,
    }),
  "daily-two-columns": (a) =>
    page(a, {
      head: `<meta property="article:published_time" content="${a.published}">`,
      body: `<div class="min_header"><ul>${menu((l) => `<li>${l}</li>`)}</ul></div><div class="pg_article_content"><section class="article"><h1>${a.title}</h1><div class="article_time_wr"><span>${a.shown}</span> <span>كتب: <a>${a.author}</a></span></div>
<div id="NewsStory" class="lay_sign_story"><div class="min_related"><h5>مقالات أخرى</h5><ul>${links(3, (l) => `<li>${l}</li>`, 1)}</ul></div>${body(a, `<p class="read_also">شاهد أيضًا: <a href="/v/1">بالصور.. أول طائرة مدنية تهبط في المطار بعد توسعته</a></p>`)}</div>
<div class="subscribe_box"><h4>النشرة البريدية</h4><p>${newsletter()}</p></div><div class="article_author_card"><img alt=""><h4>${a.author}</h4><p>${bio()}</p></div></section>
<section class="comments_wr"><h3>التعليقات (5)</h3>${comments(5, (n, t) => `<div class="one_comment"><h6>${n}</h6><p>${t}</p><span>رد</span></div>`)}</section></div>
<div class="pg_side"><div class="box"><h2>الأكثر مشاهدة</h2>${teasers(5, (l, t) => `<div class="item"><h3>${l}</h3><p>${t}</p></div>`, 0)}</div><div class="box"><h2>مختارات</h2>${links(5, (l) => `<p>${l}</p>`)}</div></div>`,
    }),
  "gulf-agency": (a) =>
    page(a, {
      body: `<div class="breaking-news-banner"><span class="label">عاجل</span><marquee>${ticker((t) => `<span>${t}</span>`)}</marquee></div><div class="article-wrapper"><div class="article-body-container"><h1 class="sna_content_headline">${a.title}</h1><span class="article-date">${a.shown}</span>
<div class="sna_share"><ul class="social-icons">${buttons((n) => `<li>${n}</li>`)}</ul></div><div class="article-summary"></div><div class="article-body">${body(a, `<div class="inner-related-video"><h6>قد يهمك أيضا</h6><div>${links(1, (l) => l, 9)}</div></div>`, 3)}</div><div class="article-tags"><h6>الكلمات الدلالية</h6>${links(4, (l) => `<span>${l}</span>`, 7)}</div></div>
<div class="related-content-slider"><h3>أخبار ذات صلة</h3>${teasers(6, (l, t) => `<div class="swiper-slide card"><h4>${l}</h4><p>${t}</p></div>`)}</div><div class="latest-news-sidebar"><h3>آخر الأخبار</h3>${links(10, (l, i) => `<div class="item"><span>منذ ${i + 1} ساعة</span>${l}</div>`)}</div></div>
<div id="cookie-banner" class="cookie-notice"><p>نستخدم ملفات تعريف الارتباط لتحسين تجربتك على موقعنا وعرض محتوى وإعلانات تناسب اهتماماتك، وباستمرارك في التصفح توافق على سياسة الخصوصية.</p><button>موافق</button></div>`,
    }),
  "maghreb-portal": (a) =>
    page(a, {
      body: `<header><div class="navbar"><ul class="nav">${menu((l) => `<li class="nav-item">${l}</li>`)}</ul></div></header><div class="row"><div class="col-12 col-lg-8"><article class="single-post"><h1 class="post-title">${a.title}</h1><div class="author-date"><span class="author"><a>${a.author}</a></span><span class="date-post">${a.shown}</span></div>
<div class="article-content">${body(a, `<div class="ads-inside">إعلان</div>`)}</div><section class="box-tags"><a>${a.section}</a>${links(3, (l) => l, 2)}</section><div class="share-bottom"><p>شارك المقال مع أصدقائك</p>${buttons((n) => `<a>${n}</a>`)}</div>
<div class="follow-whatsapp"><p>تابعوا آخر الأخبار من صحيفة المثال على واتساب</p></div><div class="next-article"><span>المقال التالي</span>${links(1, (l) => l, 5)}</div></article>
<section class="comments-area"><ul class="comment-list">${comments(5, (n, t) => `<li class="comment"><div class="comment-author">${n}</div><div class="comment-text"><p>${t}</p></div></li>`)}</ul></section></div>
<div class="col-12 col-lg-4"><div class="tabs"><h3>الأكثر قراءة</h3>${links(5, (l) => `<div class="overlay card"><h3 class="card-title">${l}</h3></div>`)}</div><div class="opinions"><h3>كتاب وآراء</h3>${teasers(4, (l, t) => `<div class="card"><div class="card-title">${l}</div><p class="card-text">${t}</p></div>`)}</div></div></div>`,
    }),
  "utility-classes": (a) =>
    page(a, {
      head: jsonLd(a),
      body: `<div id="__next"><div class="flex overflow-x-auto bg-red-600 text-white"><span class="font-bold px-4">شريط الأخبار</span>${ticker((t) => `<span class="px-6 whitespace-nowrap">${t}</span>`)}</div>
<div class="mx-auto max-w-7xl grid grid-cols-12 gap-8"><div class="col-span-8"><p class="text-sm text-red-700">${a.section}</p><h1 class="text-4xl font-bold leading-relaxed">${a.title}</h1><div class="flex gap-2 text-gray-500"><span>${a.author}</span><span>${a.shown}</span><span>قراءة 3 دقائق</span></div>
<div class="prose prose-lg max-w-none">${body(a, `<div class="my-6 border-r-4 border-red-600 pr-4"><p class="font-bold">اقرأ أيضا</p>${links(2, (l) => `<p>${l}</p>`, 3)}</div>`)}</div>
<div class="flex flex-wrap gap-2 mt-8">${links(4, (l) => `<span class="rounded-full bg-gray-100 px-3">${l}</span>`, 7)}</div><div class="mt-8 flex gap-4 bg-gray-50 p-6"><img class="rounded-full"><div><p class="font-bold">عن الكاتب</p><p>${bio()}</p></div></div>
<div class="mt-10"><h2 class="text-2xl">مواضيع ذات صلة</h2><div class="grid grid-cols-3 gap-4">${teasers(3, (l, t) => `<div class="shadow"><h3>${l}</h3><p class="line-clamp-2">${t}</p></div>`)}</div></div></div>
<div class="col-span-4"><h2 class="text-xl">الأكثر قراءة</h2><div class="divide-y">${links(6, (l) => `<div class="py-3">${l}</div>`)}</div><div class="mt-8 bg-blue-50 p-6"><h3>النشرة البريدية</h3><p>${newsletter()}</p></div></div></div></div>`,
    }),
  "hashed-classes": (a) =>
    page(a, {
      body: `<div class="sc-a1b2"><div class="sc-x9 kQwErT">${menu((l) => `<div class="sc-m1">${l}</div>`)}</div><div class="sc-p7"><div class="sc-p8"><h1 class="sc-h1 fGhJk">${a.title}</h1><div class="sc-d4">${a.shown} | ${a.author}</div>
${a.paragraphs.map((p, i) => `<div class="sc-t5 bNmKl">${p}</div>${i === 1 ? `<div class="sc-q2"><div class="sc-q3">ذات صلة</div>${links(2, (l) => `<div class="sc-q4">${l}</div>`)}</div>` : ""}`).join("")}<div class="sc-s3">${buttons((n) => `<div class="sc-s4">${n}</div>`)}</div></div>
<div class="sc-r1"><div class="sc-r2">الأكثر قراءة</div>${teasers(5, (l, t) => `<div class="sc-r3"><div class="sc-r4">${l}</div><div class="sc-r5">${t}</div></div>`)}</div><div class="sc-r1"><div class="sc-r2">آخر الأخبار</div>${links(6, (l) => `<div class="sc-r3">${l}</div>`, 4)}</div></div><div class="sc-z1">${newsletter()}</div></div>`,
    }),
};

const RATES: readonly (readonly string[])[] = [
  ["المؤشر", "الشهر الماضي", "الشهر الحالي"],
  ["معدل التضخم السنوي", "سبعة في المئة", "ستة ونصف في المئة"],
  ["أسعار المواد الغذائية", "تسعة في المئة", "ثمانية في المئة"],
  ["كلفة النقل والمواصلات", "خمسة في المئة", "أربعة في المئة"],
];

const QUESTIONS: readonly string[] = [
  "ما الذي حدث؟",
  "ماذا يقول المسؤولون؟",
  "ما الذي سيتغير قريبا؟",
  "من المتضرر من ذلك؟",
  "هل هناك حل قريب؟",
  "ماذا بعد؟",
];

const questionAt = (i: number) => QUESTIONS[i % QUESTIONS.length] ?? "";
const textWith = (a: Article, added: readonly string[]) => [...a.paragraphs, ...added].join("\n");

/** Articles that are more than paragraphs: what is said in their parts is of the article. */
export const STRUCTURED: Readonly<Record<string, Layout>> = {
  "live-blog": (a) =>
    page(a, {
      head: `<script type="application/ld+json">{"@type":"LiveBlogPosting","datePublished":"${a.published}"}</script>`,
      body: `<header class="main-header"><ul>${menu((l) => `<li>${l}</li>`)}</ul></header><main class="liveblog"><h1>${a.title}</h1><div class="liveblog-info"><span class="live-badge">مباشر</span><span>${a.shown}</span><span>${a.author}</span></div>
<div class="timeline">${a.paragraphs.map((p, i) => `<article class="timeline-entry" id="post-${i}"><time>${20 - i}:${10 + i * 7}</time><div class="timeline-body"><p>${p}</p></div><ul class="entry-share"><li>فيسبوك</li><li>تويتر</li></ul></article>`).join("")}</div>
<button class="load-more">تحميل المزيد</button></main><aside><h2>الأكثر مشاهدة</h2>${teasers(4, (l, t) => `<div>${l}<p>${t}</p></div>`)}</aside>`,
    }),
  "lead-in-its-own-box": (a) =>
    page(a, {
      body: `<div class="page"><div class="hero"><div class="hero-text"><span class="cat">${a.section}</span><h1>${a.title}</h1><div class="standfirst">${a.paragraphs[0] ?? ""}</div></div><img src="1.jpg"></div><div class="columns"><div class="side-col"><div class="writer"><span>${a.author}</span><span>${a.shown}</span></div><div class="tools">${buttons((n) => `<i>${n}</i>`)}</div></div>
<div class="main-col">${a.paragraphs
        .slice(1)
        .map((p) => `<p>${p}</p>`)
        .join(
          "",
        )}</div></div><div class="more"><h3>موضوعات متعلقة</h3>${teasers(3, (l, t) => `<div class="m">${l}<p>${t}</p></div>`)}</div></div>`,
    }),
  "bulleted-points": (a) =>
    page(a, {
      head: `<meta property="article:published_time" content="${a.published}">`,
      body: `<nav><ul>${menu((l) => `<li>${l}</li>`)}</ul></nav><article><h1>${a.title}</h1><p class="byline">${a.author} | ${a.shown}</p><p>${a.paragraphs[0] ?? ""}</p><ul>${a.paragraphs
        .slice(1, 5)
        .map((p) => `<li>${p}</li>`)
        .join("")}</ul>${a.paragraphs
        .slice(5)
        .map((p) => `<p>${p}</p>`)
        .join(
          "",
        )}<ul class="article-tags">${links(4, (l) => `<li>${l}</li>`)}</ul></article><section><h3>اقرأ أيضاً</h3><ul>${links(6, (l) => `<li>${l}</li>`, 2)}</ul></section>`,
    }),
  "quoted-posts": (a) =>
    page(a, {
      body: `<div class="container"><h1 class="title">${a.title}</h1><div class="date">${a.shown}</div><div class="source">${a.author}</div><div class="details">${a.paragraphs
        .map((p, i) =>
          i % 3 === 1
            ? `<blockquote class="twitter-tweet" data-lang="ar"><p lang="ar" dir="rtl">${p}</p>&mdash; حساب رسمي (@example) <a href="https://social.example/1">March 14, 2026</a></blockquote>`
            : `<p>${p}</p>`,
        )
        .join(
          "",
        )}</div><div class="comments"><h4>التعليقات</h4>${comments(3, (n, t) => `<div><b>${n}</b><p>${t}</p></div>`)}</div></div><div class="left-side"><h4>آخر الأخبار</h4>${links(8, (l) => `<div>${l}</div>`)}</div>`,
    }),
  "table-of-figures": (a) => ({
    html: page(a, {
      head: `<meta name="author" content="${a.author}">`,
      body: `<div class="wrapper"><div class="head">${menu((l) => `<span>${l}</span>`)}</div><div class="news"><h1>${a.title}</h1><h6>${a.shown}</h6><div class="news-text">${body(a, "")}<table border="1">${RATES.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</table></div></div><div class="box"><h2>الأكثر قراءة</h2>${links(6, (l) => `<p>${l}</p>`)}</div></div>`,
    }),
    text: textWith(a, RATES.flat()),
  }),
  "single-line-breaks": (a) =>
    page(a, {
      body: `<div id="header">${menu((l) => l)}</div><div id="news_details"><h2>${a.title}</h2><small>${a.shown}</small><br><b>${a.author}:</b><br>${a.paragraphs.join("<br>\n")}<br></div><div id="related_news"><b>أخبار ذات صلة</b><br>${links(5, (l) => `- ${l}<br>`)}</div><div id="sidebar2"><b>استفتاء</b><br>${newsletter()}</div>`,
    }),
  "questions-and-answers": (a) => ({
    html: page(a, {
      body: `<main><div class="article__head"><h1>${a.title}</h1><p class="article__author">حاوره: ${a.author}</p><p class="article__date">${a.shown}</p></div><div class="article__body">${a.paragraphs.map((p, i) => `<p><strong>${questionAt(i)}</strong></p><p>${p}</p>`).join("")}</div><div class="article__bio"><h3>عن الكاتب</h3><p>${bio()}</p></div></main><div class="strip"><span>عاجل</span>${ticker((t) => `<span>${t}</span>`)}</div>`,
    }),
    text: textWith(
      a,
      a.paragraphs.map((_, i) => questionAt(i)),
    ),
  }),
  "subheadings-in-sections": (a) => ({
    html: page(a, {
      body: `<div class="topnav">${menu((l) => `<a>${l}</a>`)}</div><div class="story-page"><h1>${a.title}</h1><div class="story-meta">${a.author} · ${a.shown}</div>${a.paragraphs.map((p, i) => `<section class="story-section">${i % 2 === 1 ? `<h2>${questionAt(i)}</h2>` : ""}<div class="txt"><div>${p}</div></div></section>`).join("")}<section class="story-more"><h2>المزيد من ${a.section}</h2><div>${teasers(4, (l, t) => `<div class="c"><h4>${l}</h4><div>${t}</div></div>`)}</div></section></div>`,
    }),
    text: textWith(
      a,
      a.paragraphs.flatMap((_, i) => (i % 2 === 1 ? [questionAt(i)] : [])),
    ),
  }),
  "right-hand-lists": (a) =>
    page(a, {
      body: `<div class="row"><div class="col-3"><div class="block"><h4>أخبار عاجلة</h4>${ticker((t) => `<p>${t}</p>`)}</div><div class="block"><h4>كتاب الرأي</h4>${teasers(3, (l, t) => `<div>${l}<p>${t}</p></div>`)}</div></div><div class="col-6"><h1>${a.title}</h1><p>${a.shown}</p><p>كتبت: ${a.author}</p>${a.paragraphs.map((p) => `<p style="text-align: justify;">${p}</p>`).join("<p>&nbsp;</p>")}<p>اقرأ أيضًا:</p>${links(3, (l) => `<p>${l}</p>`, 6)}</div><div class="col-3"><div class="block"><h4>الأكثر تعليقا</h4>${links(6, (l) => `<p>${l}</p>`)}</div></div></div>`,
    }),
};
