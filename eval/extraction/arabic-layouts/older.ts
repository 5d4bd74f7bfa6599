import { bio, body, buttons, comments, type Layout, links, menu, newsletter, page, teasers, ticker } from "./sides.ts";

/** Content systems with templates of their own, and pages from before templates. */
export const OLDER: Readonly<Record<string, Layout>> = {
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
