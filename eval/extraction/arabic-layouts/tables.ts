import {
  type Article,
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

const lines = (a: Article, tag = "<br>") => a.paragraphs.join(`${tag}\n`);

/** Pages set in tables, and pages of systems that know no paragraphs. */
export const TABLES: Readonly<Record<string, Layout>> = {
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
