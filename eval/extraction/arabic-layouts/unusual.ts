import {
  type Article,
  bio,
  body,
  buttons,
  comments,
  type Layout,
  links,
  menu,
  newsletter,
  page,
  teasers,
  ticker,
} from "./sides.ts";

const bare = (a: Article) => a.paragraphs.map((p) => `<p>${p}</p>`).join("");

/** Pages that hide, show or repeat what others do not. */
export const UNUSUAL: Readonly<Record<string, Layout>> = {
  "hidden-mobile-copy": (a) =>
    page(a, {
      body: `<div class="desktop-only"><main><h1>${a.title}</h1><p class="meta">${a.author} | ${a.shown}</p><div class="story">${bare(a)}</div></main></div><div class="mobile-only" style="display: none"><h1>${a.title}</h1><p class="meta">${a.author} | ${a.shown}</p><div class="story">${bare(a)}</div></div><div class="rel"><h3>مواضيع ذات صلة</h3><ul>${links(4, (l) => `<li>${l}</li>`)}</ul></div>`,
    }),
  "text-hidden-until-a-script-runs": (a) =>
    page(a, {
      body: `<div id="loader">جاري التحميل...</div><div id="app" style="display:none"><header>${menu((l) => `<li>${l}</li>`)}</header><article><h1>${a.title}</h1><div class="info">${a.author} — ${a.shown}</div><div class="text">${bare(a)}</div></article><div class="most-read"><h3>الأكثر قراءة</h3>${links(5, (l) => `<div>${l}</div>`)}</div></div>`,
    }),
  "page-behind-an-open-dialog": (a) =>
    page(a, {
      body: `<body class="modal-open"><div id="site" aria-hidden="true"><nav>${menu((l) => `<li>${l}</li>`)}</nav><article class="post"><h1>${a.title}</h1><span class="author">${a.author}</span><time datetime="${a.published}">${a.shown}</time><div class="post-body">${body(a, "")}</div></article><section class="related-posts"><h3>قد يعجبك أيضا</h3>${teasers(3, (l, t) => `<div>${l}<p>${t}</p></div>`)}</section></div><div class="modal fade show" role="dialog" aria-modal="true"><div class="modal-dialog"><h4>لا يفوتك جديد الأخبار</h4><p>${newsletter()}</p></div></div>`,
    }),
  "quotes-in-asides": (a) =>
    page(a, {
      head: `<meta name="author" content="${a.author}"><meta property="article:published_time" content="${a.published}">`,
      body: `<article><header><h1>${a.title}</h1></header>${a.paragraphs.map((p, i) => `<p>${p}</p>${i === 1 ? `<aside class="pullquote"><blockquote>${p.split(" ").slice(0, 14).join(" ")}</blockquote></aside>` : ""}`).join("")}</article><aside class="most-read"><h2>الأكثر قراءة</h2>${teasers(6, (l, t) => `<div>${l}<p>${t}</p></div>`)}</aside><aside id="ticker">${ticker((t) => `<p>${t}</p>`)}</aside>`,
    }),
  "repeated-for-browsers-without-scripts": (a) =>
    page(a, {
      body: `<div class="content-area"><h1>${a.title}</h1><div class="meta">${a.shown} - ${a.author}</div><div class="content-text">${bare(a)}</div><noscript><div class="content-text">${bare(a)}</div></noscript><template id="card"><div><h3>عنوان الخبر هنا</h3><p>${newsletter()}</p></div></template><div class="screen-reader-text">${newsletter()}</div><div hidden><p>${bio()}</p></div></div><div class="tags-list">${links(4, (l) => l)}</div>`,
    }),
  "next-article-below": (a) =>
    page(a, {
      body: `<div class="infinite"><article class="article-item"><h1>${a.title}</h1><div class="by">${a.author}، ${a.shown}</div><div class="rich-text">${bare(a)}</div><div class="share-box">${buttons((n) => `<a>${n}</a>`)}</div></article><div class="read-next"><h2>اقرأ التالي</h2><article class="teaser"><h3>الحكومة تقر موازنة العام الجديد بعد جلسة استمرت حتى الفجر</h3><p>أقرت الحكومة فجر اليوم موازنة العام الجديد بعد جلسة استمرت أربع عشرة ساعة، وشهدت خلافا حول مخصصات الدعم.</p><p>ومن المقرر أن تحال الموازنة إلى البرلمان خلال أسبوع لمناقشتها في لجنة المال قبل عرضها على الهيئة العامة.</p></article></div></div>`,
    }),
  "captions-and-promotions-between-paragraphs": (a) =>
    page(a, {
      head: `<meta property="article:published_time" content="${a.published}">`,
      body: `<div class="article-page"><h1>${a.title}</h1><div class="article-meta"><span>بقلم/ ${a.author}</span><span>${a.shown}</span></div><figure class="main-image"><img src="1.jpg"><figcaption>عمال في الموقع صباح اليوم (رويترز)</figcaption></figure><div class="article-text">${a.paragraphs.map((p, i) => `<p>${p}</p>${i === 0 ? `<div class="whatsapp-channel"><p>انضموا إلى قناتنا على واتساب لمتابعة آخر الأخبار لحظة بلحظة</p></div>` : ""}${i === 1 ? `<div class="newsletter-box"><h4>النشرة البريدية</h4><p>${newsletter()}</p></div>` : ""}${i === 2 ? `<div class="social-embed"><p>لمشاهدة المحتوى اضغط هنا</p></div>` : ""}`).join("")}</div><div class="author-card"><h4>${a.author}</h4><p>${bio()}</p></div><div class="comments-box"><h3>شارك برأيك</h3>${comments(3, (n, t) => `<div><strong>${n}</strong><p>${t}</p></div>`)}</div></div>`,
    }),
  "english-classes-in-capitals": (a) =>
    page(a, {
      body: `<div class="PageWrapper"><div class="BreakingNewsTicker">${ticker((t) => `<p>${t}</p>`)}</div><div class="ArticlePage"><h1 class="ArticleTitle">${a.title}</h1><div class="ArticleInfo">${a.shown} <b>${a.author}</b></div><div class="ArticleBody">${body(a, `<div class="RelatedArticles"><h4>اقرأ أيضاً</h4>${teasers(2, (l, t) => `<div>${l}<p>${t}</p></div>`)}</div>`)}</div><div class="MostRead"><h4>الأكثر قراءة</h4>${teasers(4, (l, t) => `<div>${l}<p>${t}</p></div>`, 1)}</div><div class="CommentsSection">${comments(5, (n, t) => `<div class="CommentItem"><b>${n}</b><p>${t}</p></div>`)}</div></div></div>`,
    }),
};
