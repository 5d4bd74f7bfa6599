import articles from "./articles.json";
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
  PORTALS,
  STRUCTURED,
  teasers,
  ticker,
} from "./portals.ts";

/** Content systems with templates of their own, and pages from before templates. */
const OLDER: Readonly<Record<string, Layout>> = {
  "drupal-7": (a) =>
    page(a, {
      body: `<body class="html not-front node-type-article i18n-ar"><div id="page"><div class="region region-header"><ul class="links">${menu((l) => `<li>${l}</li>`)}</ul><div id="block-views-ticker-block" class="block block-views"><div class="view-ticker">${ticker((t) => `<div class="views-row"><span class="field-content">${t}</span></div>`)}</div></div></div>
<div id="content" class="column"><h1 class="title" id="page-title">${a.title}</h1><div class="region region-content"><div class="node node-article"><div class="field field-name-post-date"><div class="field-item">${a.shown}</div></div><div class="field field-name-field-author"><div class="field-label">بقلم:&nbsp;</div><div class="field-item">${a.author}</div></div>
<div class="field field-name-body field-type-text-with-summary"><div class="field-items"><div class="field-item even" property="content:encoded">${body(a, "")}</div></div></div><div class="field field-name-field-tags"><div class="field-label">كلمات مفتاحية:</div>${links(4, (l) => `<div class="field-item">${l}</div>`, 1)}</div></div>
<div id="block-views-related-block" class="block"><h2>موضوعات ذات صلة</h2>${teasers(3, (l, t) => `<div class="views-row"><div class="views-field-title">${l}</div><div class="views-field-body"><p>${t}</p></div></div>`)}</div><section id="comments" class="comment-wrapper"><h2>التعليقات</h2>${comments(4, (n, t) => `<div class="comment"><div class="submitted">أضافها ${n}</div><div class="content"><p>${t}</p></div></div>`)}</section></div></div>
<div class="region region-sidebar-second column sidebar"><div class="block"><h2>الأكثر قراءة</h2>${links(6, (l) => `<div>${l}</div>`)}</div></div></div>`,
    }),
  "drupal-10": (a) =>
    page(a, {
      head: `<meta property="article:published_time" content="${a.published}">`,
      body: `<div class="dialog-off-canvas-main-canvas" data-off-canvas-main-canvas><div class="layout-container"><header role="banner"><nav role="navigation">${menu((l) => `<li class="menu-item">${l}</li>`)}</nav></header><main role="main"><div class="layout-content"><article class="node node--type-article node--view-mode-full">
<h1><span class="field field--name-title">${a.title}</span></h1><div class="article-social"><ul class="share-links">${buttons((n) => `<li>${n}</li>`)}</ul></div><div class="article-author"><p>لندن: <a>${a.author}</a></p></div><div class="entry-date-container"><div class="article-date">نُشر: ${a.shown}</div></div>
<div class="node__content"><div class="clearfix text-formatted field field--name-field-paragraph">${body(a, `<div class="paragraph paragraph--type--related-news"><div class="field__label">مواضيع ذات صلة</div>${links(1, (l) => `<div class="field__item">${l}</div>`, 3)}</div>`, 3)}</div><div class="field field--name-field-tags"><div class="field__label">مواضيع</div>${links(3, (l) => `<div class="field__item">${l}</div>`, 8)}</div></div></article>
<div class="views-element-container block"><h2>مقالات ذات صلة</h2><div class="view-content">${teasers(4, (l, t) => `<div class="views-row"><h3>${l}</h3><div class="field-content">${t}</div></div>`)}</div></div><div class="reader-comments"><h3>لم تشترك بعد</h3><p>انشئ حساباً خاصاً بك لتحصل على أخبار مخصصة لك ولتتمتع بخاصية حفظ المقالات وتتلقى نشراتنا البريدية المتنوعة.</p></div></div>
<aside class="layout-sidebar-second" role="complementary"><h2>اختيارات المحرر</h2>${links(4, (l) => `<div>${l}</div>`)}</aside></main></div></div>`,
    }),
  joomla: (a) =>
    page(a, {
      body: `<div class="body"><div class="moduletable_menu"><ul class="nav menu">${menu((l) => `<li>${l}</li>`)}</ul></div><div class="item-page" itemscope itemtype="https://schema.org/Article"><div class="page-header"><h2 itemprop="headline">${a.title}</h2></div><dl class="article-info muted"><dt class="article-info-term">التفاصيل</dt><dd class="createdby" itemprop="author">كتب بواسطة: <span itemprop="name">${a.author}</span></dd><dd class="published"><time datetime="${a.published}" itemprop="datePublished">نشر بتاريخ: ${a.shown}</time></dd><dd class="hits">الزيارات: 1893</dd></dl>
<div itemprop="articleBody">${body(a, "")}</div><ul class="pager pagenav"><li class="previous"><a>السابق</a></li><li class="next"><a>التالي</a></li></ul></div>
<div class="moduletable"><h3>الأكثر قراءة</h3><ul class="mostread">${links(8, (l) => `<li itemscope>${l}</li>`)}</ul></div><div class="moduletable"><h3>آخر الأخبار</h3><ul class="latestnews">${links(6, (l) => `<li>${l}</li>`, 5)}</ul></div><div class="moduletable"><h3>استطلاع الرأي</h3><p>هل تؤيد تعديل مواعيد الدوام المدرسي في فصل الشتاء؟ شارك برأيك وتعرف إلى آراء بقية القراء.</p></div></div>`,
    }),
  "nested-tables": (a) =>
    page(a, {
      body: `<table width="980" align="center"><tr><td colspan="3"><table><tr>${menu((l) => `<td class="menu1">${l}</td>`)}</tr></table></td></tr><tr><td colspan="3"><marquee direction="right">${ticker((t) => ` *** ${t}`)}</marquee></td></tr><tr><td width="180" valign="top"><table><tr><td class="hd">الأكثر قراءة</td></tr>${links(8, (l) => `<tr><td>${l}</td></tr>`)}</table></td>
<td width="620" valign="top"><table><tr><td class="title">${a.title}</td></tr><tr><td class="date">${a.shown}</td></tr><tr><td class="writer">بقلم: ${a.author}</td></tr><tr><td class="txt" align="justify">${a.paragraphs.join("<br><br>\n")}</td></tr></table><table><tr><td class="hd">التعليقات</td></tr>${comments(4, (n, t) => `<tr><td><b>${n}</b></td></tr><tr><td>${t}</td></tr>`)}</table></td>
<td width="180" valign="top"><table><tr><td class="hd">آخر الأخبار</td></tr>${teasers(3, (l, t) => `<tr><td>${l}</td></tr><tr><td class="small">${t}</td></tr>`)}</table></td></tr><tr><td colspan="3" align="center">جميع الحقوق محفوظة © صحيفة المثال</td></tr></table>`,
    }),
  "web-forms": (a) =>
    page(a, {
      body: `<form method="post" action="./Details.aspx" id="form1"><div id="ctl00_pnlTicker" class="breaking">${ticker((t) => `<span id="ctl00_lbl">${t}</span>`)}</div><div class="leftcol"><div class="boxhead">اقرأ أيضا</div><ul>${links(6, (l) => `<li>${l}</li>`)}</ul><div class="boxhead">كاريكاتير</div></div>
<div class="midcol"><h1><span id="ctl00_ContentPlaceHolder1_lblTitle">${a.title}</span></h1><span id="ctl00_ContentPlaceHolder1_lblDate">${a.shown}</span><br><span id="ctl00_ContentPlaceHolder1_lblWriter">كتب - ${a.author}</span><div class="fontsize">حجم الخط <a>ع</a> <a>ع</a></div><span id="ctl00_ContentPlaceHolder1_lblContent">${a.paragraphs.join("<br /><br />")}</span>
<div class="addthis_toolbox">${buttons((n) => `<a>${n}</a>`)}</div><div class="mostViewed"><h3>الأكثر مشاهدة</h3>${teasers(4, (l, t) => `<div><h4>${l}</h4><p>${t}</p></div>`)}</div></div></form>`,
    }),
  amp: (a) =>
    page(a, {
      head: `<link rel="canonical" href="/news/1"><script type="application/ld+json">{"@type":"NewsArticle","datePublished":"${a.published}"}</script>`,
      body: `<amp-sidebar id="side" layout="nodisplay" hidden><ul>${menu((l) => `<li>${l}</li>`)}</ul></amp-sidebar><main class="amp-wp-article"><header><h1 class="amp-wp-title">${a.title}</h1><div class="amp-wp-meta amp-wp-byline"><span class="amp-wp-author">${a.author}</span></div><div class="amp-wp-meta"><time datetime="${a.published}">${a.shown}</time></div></header>
<div class="amp-wp-article-content">${body(a, `<amp-ad width="300" height="250"></amp-ad><p>اقرأ أيضًا | <a href="/n/2">الأرصاد: انخفاض في درجات الحرارة وأمطار متفرقة نهاية الأسبوع</a></p>`)}</div><footer class="amp-wp-article-footer"><div class="amp-wp-meta amp-wp-tax-tag">الوسوم: ${links(3, (l) => l, 4)}</div></footer></main>
<section class="amp-related-posts"><h3>أخبار ذات صلة</h3>${teasers(4, (l, t) => `<div class="related_link">${l}<p>${t}</p></div>`)}</section><amp-user-notification layout="nodisplay" id="n"><p>${newsletter()}</p></amp-user-notification>`,
    }),
  "definition-of-everything-in-divs": (a) =>
    page(a, {
      body: `<div id="wrap"><div id="top">${menu((l) => l)}</div><div id="right"><div class="t">كتاب الموقع</div>${teasers(4, (l, t) => `<div class="w"><b>${l}</b><div>${t}</div></div>`)}</div><div id="center"><div id="t1">${a.title}</div><div id="d1">${a.shown}</div><div id="n1">${a.author}</div>${a.paragraphs.map((p) => `<div>${p}</div>`).join("")}<div id="au"><b>حول الكاتب</b><div>${bio()}</div></div>
<div id="cm"><div class="t">تعليقات القراء</div>${comments(5, (n, t) => `<div><b>${n}:</b> ${t}</div>`)}</div></div><div id="left"><div class="t">الأكثر قراءة</div>${links(8, (l) => `<div>${l}</div>`)}</div></div>`,
    }),
};

const bare = (a: Article) => a.paragraphs.map((p) => `<p>${p}</p>`).join("");

/** Pages that hide, show or repeat what others do not. */
const UNUSUAL: Readonly<Record<string, Layout>> = {
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

/** Themes of WordPress and Blogger that Arabic sites use. */
const WORDPRESS: Readonly<Record<string, Layout>> = {
  "wordpress-magazine": (a) =>
    page(a, {
      head: `<meta property="article:published_time" content="${a.published}"><meta name="author" content="${a.author}">`,
      body: `<body class="rtl single single-post">
<div id="tie-container"><header id="theme-header"><nav id="top-nav"><div class="breaking"><span class="breaking-title">أخبار عاجلة</span>
<ul id="breaking-news-in-header" class="breaking-news">${links(5, (l) => `<li class="news-item">${l}</li>`)}</ul></div></nav>
<div class="main-menu"><ul id="menu-main" class="menu">${menu((l) => `<li class="menu-item">${l}</li>`)}</ul></div></header>
<div id="content" class="site-content"><article id="the-post" class="container-wrapper post-content"><header class="entry-header-outer">
<nav id="breadcrumb"><a href="/">الرئيسية</a> / <a href="/x">${a.section}</a></nav><h1 class="post-title entry-title">${a.title}</h1>
<div class="single-post-meta post-meta"><span class="author-meta"><a class="author-name">${a.author}</a></span><span class="date meta-item">${a.shown}</span>
<span class="meta-comment">0</span><span class="meta-views">1٬245</span><span class="meta-reading-time">3 دقائق</span></div></header>
<div class="entry-content entry clearfix">${body(a, `<div id="inline-related-post" class="mag-box mini-posts-box content-only"><div class="mag-box-title"><h3>مقالات ذات صلة</h3></div><ul class="posts-items">${links(3, (l) => `<li class="widget-single-post-item"><div class="post-widget-body"><h3 class="post-title">${l}</h3></div></li>`, 2)}</ul></div>`)}
<div class="post-bottom-meta post-bottom-tags"><div class="post-bottom-meta-title">الوسوم</div><span class="tagcloud">${links(4, (l) => l, 6)}</span></div></div>
<div id="share-buttons-bottom" class="share-buttons"><div class="share-title">شاركها</div>${buttons((n) => `<a class="share-btn">${n}</a>`)}</div></article>
<div class="post-components"><div class="about-author container-wrapper"><div class="author-info"><h3 class="author-name">${a.author}</h3><div class="author-bio">${bio()}</div></div></div>
<div class="prev-next-post-nav">${links(2, (l) => `<div>${l}</div>`, 4)}</div>
<div id="related-posts" class="container-wrapper has-extra-post"><div class="mag-box-title"><h3>مقالات ذات صلة</h3></div><div class="related-posts-list">${teasers(3, (l, t) => `<div class="related-item"><h3 class="post-title">${l}</h3><p class="post-excerpt">${t}</p></div>`)}</div></div>
<div id="comments" class="comments-area"><h3>${5} تعليقات</h3><ol class="comment-list">${comments(5, (n, t) => `<li class="comment"><div class="comment-body"><cite class="fn">${n}</cite><p>${t}</p></div></li>`)}</ol>
<div id="respond" class="comment-respond"><h3>اترك تعليقاً</h3><form><p>لن يتم نشر عنوان بريدك الإلكتروني. الحقول الإلزامية مشار إليها بـ *</p></form></div></div></div>
<aside class="sidebar tie-col-md-4"><div class="widget"><h3>الأكثر قراءة</h3><ul>${links(6, (l) => `<li>${l}</li>`, 1)}</ul></div><div class="widget mc4wp-form"><p>${newsletter()}</p></div></aside></div>
<footer id="footer"><p>جميع الحقوق محفوظة لصحيفة المثال 2026</p></footer></div>`,
    }),
  "wordpress-newspaper": (a) =>
    page(a, {
      body: `<body class="rtl td-standard-pack"><div class="td-header-menu-wrap">${menu((l) => `<li>${l}</li>`)}</div>
<div class="td_block_trending_now"><div class="td-trending-now-title">عاجل</div>${links(4, (l) => `<h3 class="entry-title">${l}</h3>`)}</div>
<div class="td-main-content-wrap"><article class="post td-post-template"><div class="td-post-header"><ul class="td-category"><li class="entry-category"><a>${a.section}</a></li></ul>
<h1 class="entry-title">${a.title}</h1><div class="td-module-meta-info"><div class="td-post-author-name"><div class="td-author-by">بقلم</div> <a href="/author/1">${a.author}</a></div>
<span class="td-post-date"><time class="entry-date" datetime="${a.published}">${a.shown}</time></span></div></div>
<div class="td-post-sharing-top">${buttons((n) => `<a class="td-social-sharing-button">${n}</a>`)}</div>
<div class="td-post-content">${body(a, `<div class="td-a-rec td-a-rec-id-content_inline">إعلان</div><p><strong>اقرأ أيضاً: </strong><a href="/news/9">أسعار الذهب تسجل أعلى مستوى لها منذ ثلاثة أشهر</a></p>`)}</div>
<footer><div class="td-post-source-tags"><ul class="td-tags"><li><span>كلمات مفتاحية</span></li>${links(4, (l) => `<li>${l}</li>`, 5)}</ul></div>
<div class="td-author-box"><div class="desc"><div class="td-author-name">${a.author}</div><div class="td-author-description">${bio()}</div></div></div></footer></article>
<div class="td_block_related_posts"><h4 class="td-related-title"><a>مقالات ذات صلة</a><a>المزيد من المؤلف</a></h4>${links(6, (l) => `<div class="td_module_related_posts"><h3>${l}</h3></div>`, 3)}</div>
<div class="comments" id="comments"><h4>ترك الرد</h4><form class="comment-form"><p>احفظ اسمي وبريدي الإلكتروني والموقع في هذا المتصفح للمرة القادمة التي سأعلق فيها.</p></form></div></div>
<div class="td-ss-main-sidebar"><div class="td_block_wrap td_block_21"><h4>آخر الأخبار</h4>${teasers(4, (l, t) => `<div class="item-details"><h3>${l}</h3><div class="td-excerpt">${t}</div></div>`)}</div></div>`,
    }),
  "wordpress-block-theme": (a) =>
    page(a, {
      body: `<div class="wp-site-blocks"><header class="wp-block-template-part">${menu((l) => `<li class="wp-block-navigation-item">${l}</li>`)}</header>
<main class="wp-block-group"><h1 class="wp-block-post-title">${a.title}</h1><div class="wp-block-post-author__name">${a.author}</div><div class="wp-block-post-date">${a.shown}</div>
<div class="entry-content wp-block-post-content is-layout-flow">${body(a, `<figure class="wp-block-image"><img src="1.jpg"><figcaption>صورة أرشيفية (المثال)</figcaption></figure><div class="wp-block-group has-background"><p><strong>اقرأ أيضا</strong></p><ul>${links(2, (l) => `<li>${l}</li>`, 8)}</ul></div>`, 3)}
<div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">شارك هذا الموضوع:</h3><ul>${buttons((n) => `<li class="share-x">${n}</li>`)}</ul></div>
<div id="jp-relatedposts" class="jp-relatedposts"><h3 class="jp-relatedposts-headline"><em>مرتبط</em></h3>${links(3, (l) => `<div>${l}</div>`, 1)}</div></div>
<div class="wp-block-group"><h2>التعليقات</h2><div class="wp-block-comments">${comments(4, (n, t) => `<div class="wp-block-comment-template"><b>${n}</b><div class="wp-block-comment-content"><p>${t}</p></div></div>`)}</div></div></main>
<footer class="wp-block-template-part"><p>${newsletter()}</p></footer></div>`,
    }),
  blogger: (a) =>
    page(a, {
      body: `<body class="item-view"><div class="header-widget"><h1>صحيفة المثال</h1></div><div id="main-wrapper"><div class="widget Blog"><div class="date-outer"><h2 class="date-header"><span>${a.shown}</span></h2>
<div class="post hentry"><h3 class="post-title entry-title">${a.title}</h3><div class="post-body entry-content" dir="rtl">${a.paragraphs.map((p) => `<div style="text-align: right;"><span style="font-size: medium;">${p}</span></div><div><br></div>`).join("")}</div>
<div class="post-footer"><span class="post-author vcard">مرسلة بواسطة <span class="fn">${a.author}</span></span><div class="post-share-buttons">${buttons((n) => `<a>${n}</a>`)}</div></div></div></div>
<div class="comments" id="comments"><h4>هناك 4 تعليقات:</h4>${comments(4, (n, t) => `<div class="comment-block"><cite class="user">${n}</cite><p class="comment-content">${t}</p></div>`)}</div>
<div class="blog-pager" id="blog-pager"><a>رسالة أحدث</a><a>رسالة أقدم</a></div></div></div>
<div id="sidebar-wrapper"><div class="widget PopularPosts"><h2>المشاركات الشائعة</h2>${teasers(4, (l, t) => `<div class="item-content"><div class="item-title">${l}</div><div class="item-snippet">${t}</div></div>`)}</div>
<div class="widget BlogArchive"><h2>أرشيف المدونة</h2><ul><li>2026 (41)</li><li>2025 (310)</li></ul></div></div>`,
    }),
  "comments-longer-than-the-article": (a) =>
    page(a, {
      body: `<main><article><h1>${a.title}</h1><div class="byline">${a.author} - ${a.shown}</div><div class="article-content">${body(a, "")}</div>
<section class="box-tags"><h3>وسوم</h3>${links(3, (l) => l, 2)}</section></article>
<div class="comments-area" id="comments-list"><h2>التعليقات</h2><ul class="comment-list">${comments(40, (n, t, i) => `<li class="comment even" id="comment-${i}"><div class="comment-heading">${n}</div><div class="comment-text">${t} ${i}</div><div class="comment-react">${i} إعجاب</div></li>`)}</ul></div></main>
<aside><h3>الأكثر تعليقا</h3>${links(5, (l) => `<div>${l}</div>`)}</aside>${ticker((t) => `<div class="news-ticker">${t}</div>`)}`,
    }),
};

/** Layouts of Arabic news pages by name, made up after the content systems and templates that such sites use. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  ...WORDPRESS,
  ...PORTALS,
  ...OLDER,
  ...UNUSUAL,
  ...STRUCTURED,
};

/** The articles that are set in each layout. */
const ARTICLES: readonly Article[] = articles;

/** A page, the article that stands on it, and its whole text. */
export type LayoutPage = {
  readonly layout: string;
  readonly article: Article;
  readonly html: string;
  readonly text: string;
};

/** Returns every article in every layout of content systems. */
export function layoutPages(): LayoutPage[] {
  return pagesOf(LAYOUTS);
}

/** Returns every article in the layouts that are tables, or that know no paragraphs. */
export function tablePages(): LayoutPage[] {
  return pagesOf(TABLES);
}

function pagesOf(layouts: Readonly<Record<string, Layout>>): LayoutPage[] {
  return Object.entries(layouts).flatMap(([layout, set]) =>
    ARTICLES.map((article) => {
      const made = set(article);
      const { html, text } = typeof made === "string" ? { html: made, text: article.paragraphs.join("\n") } : made;
      return { layout, article, html, text };
    }),
  );
}

const lines = (a: Article, tag = "<br>") => a.paragraphs.join(`${tag}\n`);

/** Pages set in tables, and pages of systems that know no paragraphs. */
const TABLES: Readonly<Record<string, Layout>> = {
  "table-row-a-paragraph": (a) =>
    page(a, {
      body: `<table width="100%"><tr><td bgcolor="#003366" colspan="2">${menu((l) => `&nbsp;|&nbsp;${l}`)}</td></tr><tr><td width="70%" valign="top"><table width="100%"><tr><td><font size="5"><b>${a.title}</b></font></td></tr><tr><td><font color="gray">${a.shown} - ${a.author}</font></td></tr>${a.paragraphs.map((p) => `<tr><td align="justify"><font size="3">${p}</font></td></tr>`).join("")}<tr><td>${buttons((n) => `<img alt=""> ${n} `)}</td></tr></table></td>
<td width="30%" valign="top"><table>${links(6, (l) => `<tr><td>${l}</td></tr>`)}</table><table><tr><td><b>استفتاء</b></td></tr><tr><td>${newsletter()}</td></tr></table></td></tr></table>`,
    }),
  "table-text-beside-its-picture": (a) =>
    page(a, {
      body: `<center><table border="0" width="900"><tr><td colspan="2">${ticker((t) => `${t} &nbsp; `)}</td></tr><tr><td width="200" valign="top">${links(7, (l) => `${l}<br>`)}</td><td valign="top"><h2>${a.title}</h2><table align="left"><tr><td><img src="1.jpg"></td></tr><tr><td>عمال في الموقع (أ ف ب)</td></tr></table><b>كتب: ${a.author}</b><br><small>${a.shown}</small><br><br>${lines(a, "<br><br>")}<br><br><a href="/print/1">نسخة للطباعة</a> | <a href="/send/1">أرسل لصديق</a></td></tr></table></center>`,
    }),
  "table-forum-post": (a) =>
    page(a, {
      body: `<table class="tborder"><tr><td class="navbar">${menu((l) => `&gt; ${l}`)}</td></tr></table><table class="tborder" id="post1"><tr><td class="thead">${a.shown}</td><td class="thead">#1</td></tr><tr><td class="alt2" width="175"><div>${a.author}</div><div>عضو متميز</div><div>المشاركات: 1,204</div></td><td class="alt1"><div class="smallfont"><strong>${a.title}</strong></div><hr><div id="post_message_1">${lines(a)}</div></td></tr></table>
${comments(4, (n, t, i) => `<table class="tborder" id="post${i + 2}"><tr><td class="alt2"><div>${n}</div></td><td class="alt1"><div id="post_message_${i + 2}">${t}</div></td></tr></table>`)}`,
    }),
  "table-two-columns-of-text": (a) =>
    page(a, {
      head: `<meta name="author" content="${a.author}">`,
      body: `<div id="masthead">${menu((l) => l)}</div><h1>${a.title}</h1><p class="dateline">${a.shown}</p><table class="cols"><tr><td valign="top">${a.paragraphs
        .slice(0, 3)
        .map((p) => `<p>${p}</p>`)
        .join("")}</td><td valign="top">${a.paragraphs
        .slice(3)
        .map((p) => `<p>${p}</p>`)
        .join(
          "",
        )}</td></tr></table><table class="also"><tr><th>اقرأ أيضا</th></tr>${teasers(4, (l, t) => `<tr><td>${l}<br>${t}</td></tr>`)}</table>`,
    }),
  "definition-list": (a) =>
    page(a, {
      body: `<div id="nav">${menu((l) => `<span>${l}</span>`)}</div><dl class="news"><dt>${a.title}</dt><dd class="when">${a.shown}</dd><dd class="who">بقلم ${a.author}</dd>${a.paragraphs.map((p) => `<dd>${p}</dd>`).join("")}</dl><div id="foot">${links(5, (l) => `${l} - `)}</div>`,
    }),
  "everything-in-font-tags": (a) =>
    page(a, {
      body: `<font face="Tahoma">${menu((l) => `${l} `)}</font><hr><font size="6" color="red">${a.title}</font><br><font size="2">${a.shown}</font><br><font size="2">${a.author}</font><br><br><font size="4">${lines(a, "<br><br>")}</font><hr><font size="2">تعليقات القراء</font><br>${comments(3, (n, t) => `<font size="2"><b>${n}</b>: ${t}</font><br><br>`)}`,
    }),
  "columns-left-and-right": (a) =>
    page(a, {
      body: `<div class="wrapper"><div class="column-first"><div class="box-title">عاجل</div>${ticker((t) => `<p>${t}</p>`)}<div class="box-title">مقالات</div>${teasers(4, (l, t) => `<div class="item"><h5>${l}</h5><p>${t}</p></div>`)}</div><div class="column-main"><h1>${a.title}</h1><div class="info"><span>${a.author}</span> <time>${a.shown}</time></div><div>${a.paragraphs.map((p) => `<p>${p}</p>`).join("")}</div></div><div class="column-last"><div class="box-title">الأكثر قراءة</div>${teasers(5, (l, t) => `<div class="item"><h5>${l}</h5><p>${t}</p></div>`)}</div></div>`,
    }),
};
