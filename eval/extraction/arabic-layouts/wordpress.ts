import { bio, body, buttons, comments, type Layout, links, menu, newsletter, page, teasers, ticker } from "./sides.ts";

/** Themes of WordPress and Blogger that Arabic sites use. */
export const WORDPRESS: Readonly<Record<string, Layout>> = {
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
