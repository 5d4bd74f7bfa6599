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
