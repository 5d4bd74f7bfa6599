import { expect, test } from "bun:test";
import { gatherFacts } from "../body/facts.ts";
import { cutBlocks } from "../body/blocks.ts";
import { parsePage } from "../page/dom.ts";
import { readLinkedData, readMeta } from "../page/metadata.ts";
import { findAuthors } from "./authors.ts";
import { namesIn } from "./names.ts";

const find = (html: string) => {
  const document = parsePage(html);
  const facts = gatherFacts(cutBlocks(document), "Floods in the north");
  const linked = readLinkedData(document);
  return findAuthors({ document, linked, meta: readMeta(document), facts, siteNames: ["News Example"] });
};
const heading = "<h1>Floods in the north</h1>";
const organisation = (name: string) =>
  `<script type="application/ld+json">{"@type":"Article","author":{"@type":"Organization","name":"${name}"}}</script>`;
const linked = (name: string) =>
  `<script type="application/ld+json">{"@type":"Article","headline":"x","author":{"name":"${name}"}}</script>`;

test("repeated names are left out, accounts and addresses too", () => {
  expect(namesIn(["Layla Haddad (layla@a.example)", "Layla Haddad", "Theresa May", "Jan June"])).toEqual([
    "Layla Haddad",
    "Theresa May",
    "Jan June",
  ]);
  expect(namesIn(["https://facebook.com/x", "admin", "", "a@b.example", "1234"])).toEqual([]);
});

test("people count before the site itself, metadata before what stands on the page", () => {
  expect(find(`${linked("Layla Haddad")}${heading}<p>By Omar Said</p>`)).toEqual(["Layla Haddad"]);
  expect(find(`${linked("News Example")}${heading}<p>By Omar Said</p>`)).toEqual(["Omar Said"]);
  expect(find(`${linked("News Example")}${heading}`)).toEqual(["News Example"]);
});

test("an account that posted is no author where somebody signed", () => {
  expect(find(`<meta name="author" content="katies">${heading}<p>by Aoife O'Riordan Oct 22, 2025</p>`)).toEqual([
    "Aoife O'Riordan",
  ]);
  expect(find(`<meta name="author" content="katies">${heading}`)).toEqual(["katies"]);
});

test("a byline ends at its date, even grown together with it", () => {
  expect(find(`${heading}<p>By Layla Haddad<span>November 20, 2007</span></p>`)).toEqual(["Layla Haddad"]);
  expect(find(`${heading}<p>By Theresa May | Sept. 4</p>`)).toEqual(["Theresa May"]);
});

test("a team or one word signs only after an explicit by", () => {
  expect(find(`${heading}<p>By The Currency editors 12.12.2025</p>`)).toEqual(["The Currency editors"]);
  expect(find(`${heading}<p>by ibby</p>`)).toEqual(["ibby"]);
  expect(find(`${heading}<p class="byline">Technology</p>`)).toEqual([]);
});

test.each([
  ["the credit of a picture", `<small itemprop="author" class="media__caption--credit">Tyrone Turner</small>`],
  ["a figure", `<figure><span class="author">Tyrone Turner</span></figure>`],
  ["whose saying is shown", `<div class="pull-quote__author"><span class="author">Boris Kingma</span></div>`],
  ["a quotation", `<blockquote><a href="/authors/boris-kingma">Boris Kingma</a></blockquote>`],
])("%s is not by the author of the article", (_, html) => {
  expect(find(`${heading}<p>A text of the story.</p>${html}`)).toEqual([]);
  expect(find(`${heading}<div class="byline">Layla Haddad</div>${html}`)).toEqual(["Layla Haddad"]);
});

test.each(["authors", "editors", "staff", "reporters"])("a link to the %s of a paper is a byline", (kind) => {
  expect(find(`${heading}<p><a href="/about/${kind}/layla-haddad/">Layla Haddad</a>, yesterday</p>`)).toEqual([
    "Layla Haddad",
  ]);
});

test.each([
  ["in two elements", `${heading}<div><span>By</span></div><div>Layla Haddad</div>`],
  ["below the article", `${heading}${"<p>Text of the story.</p>".repeat(20)}<p>Written by Layla Haddad</p>`],
  [
    "with a role in the element beside it",
    `${heading}<div class="byline"><a>Layla Haddad</a><i>Staff Writer</i></div>`,
  ],
  ["beside the date", `${heading}<p>4 May 2025 • Layla Haddad in Business</p>`],
  ["behind the date", `${heading}<p>August 12, 2025 By Layla Haddad</p>`],
  ["and told of further down", `${heading}<p>Layla Haddad</p><p>Text.</p><p>Layla Haddad is a writer in Beirut.</p>`],
  [
    "for those who share the link",
    `<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Layla Haddad">${heading}`,
  ],
  ["where the data name the company", `${organisation("Example Media")}${heading}<p>By Layla Haddad</p>`],
  ["where the data name an agency", `${linked("Reuters")}${heading}<p>By Layla Haddad</p>`],
  [
    "by an author's element, not a commenter's",
    `${heading}<ul class="comments"><li class="comment-author">Omar Said</li></ul><p class="author">Layla Haddad</p>`,
  ],
])("an author is found %s", (_, html) => {
  expect(find(html)).toEqual(["Layla Haddad"]);
});

test.each([
  `${heading}<p>بقلم: ليلى حداد</p>`,
  `${heading}<div class="article-writer"><a>ليلى حداد</a><span>مراسلة</span></div>`,
  `${heading}<p>كتبت: ليلى حداد - 14 مايو 2025</p>`,
  `${heading}<p>القاهرة - ليلى حداد</p>`.replace("<p>", '<p class="writer">'),
  `<p>بقلم / ليلى حداد</p>${heading}`,
  `${heading}${"<p>نص الخبر هنا.</p>".repeat(20)}<p>إعداد: ليلى حداد</p>`,
])("Arabic bylines are read: %#", (html) => {
  expect(find(html)).toEqual(["ليلى حداد"]);
});

test("an agency or a team signs where no person does", () => {
  expect(find(`${linked("رويترز")}${heading}`)).toEqual(["رويترز"]);
  expect(find(`${organisation("Example Media")}${heading}`)).toEqual(["Example Media"]);
  expect(find(`${heading}<p class="author">Podium Staff</p>`)).toEqual(["Podium Staff"]);
});

test.each(["Sign In", "Staff Writer", "8 min read", "Share"])("%s is no author", (text) => {
  expect(find(`${heading}<p class="author">${text}</p>`)).toEqual([]);
});

test("a link to all that a person wrote names the author", () => {
  const link = '<a href="/authors/layla-haddad">Layla Haddad</a>';
  expect(find(`${heading}<div>${link}</div><p>Text.</p>`)).toEqual(["Layla Haddad"]);
  expect(find(`${heading}<p>Text.</p><div class="related"><div>${link}</div></div>`)).toEqual([]);
});

test("a byline with a place, a time and more behind it is read up to them", () => {
  const rest =
    "on 2025-12-18 in Debugging. Tags: free software, planet, tools, releases, community, packages, planning";
  expect(find(`${heading}<p>Text.</p><footer><p>Posted by Layla Haddad ${rest}</p></footer>`)).toEqual([
    "Layla Haddad",
  ]);
  expect(find(`${heading}<p>Posted by Layla at December 16, 2025 11:15 AM</p>`)).toEqual(["Layla"]);
});

test("the box about the author names who signs nowhere else", () => {
  expect(find(`${heading}<p>Text.</p><h4>Author</h4><p>Layla Haddad</p>`)).toEqual(["Layla Haddad"]);
  const life = "<p>Layla Haddad is a reporter who has covered the floods of the north for ten years.</p>";
  expect(find(`${heading}<p>Text.</p><h4>About the author</h4>${life}`)).toEqual(["Layla Haddad"]);
  expect(find(`${heading}<p>Text.</p><h4>عن الكاتب</h4><p>ليلى حداد</p>`)).toEqual(["ليلى حداد"]);
});

test("a person on the page counts before the account that posted", () => {
  const byline = '<span class="author-name">Layla Haddad</span>';
  expect(find(`${linked("l.haddad")}${heading}<div>${byline}</div>`)).toEqual(["Layla Haddad"]);
});

test("variables of templates and words that have grown together are no names", () => {
  expect(namesIn(["page.head.extra.author", "Wedding ChecklistsJust EngagedWedding Planning", "Full Bio"])).toEqual([]);
  expect(namesIn(["Naoise McNally"])).toEqual(["Naoise McNally"]);
});

test("who led an interview and who sent a post are named", () => {
  for (const lead of ["حاوره:", "حاورتها:", "مرسلة بواسطة", "بواسطة"]) {
    expect(find(`${heading}<p>${lead} ليلى حداد</p>`)).toEqual(["ليلى حداد"]);
  }
});

test("a line that says when names nobody, in Arabic either, where no capital tells names apart", () => {
  expect(find(`${heading}<p>آخر تحديث: 20/11/2026 10:00</p><p>Text.</p>`)).toEqual([]);
  expect(find(`${heading}<p>ليلى حداد - 20/11/2026 10:00</p><p>Text.</p>`)).toEqual(["ليلى حداد"]);
});

test("a name ends where the weekday of the date has grown together with it", () => {
  const byline = (name: string, date: string) => `${heading}<div><span>${name}</span><span>${date}</span></div>`;
  expect(find(byline("بقلم/ ليلى حداد", "الخميس 22 يناير 2026 18:05"))).toEqual(["ليلى حداد"]);
  expect(find(byline("بقلم/ ليلى حداد", "منذ 3 ساعات"))).toEqual(["ليلى حداد"]);
  expect(find(byline("By Layla Haddad", "Thursday, 22 January 2026"))).toEqual(["Layla Haddad"]);
  expect(find(`${heading}<p>By Ruby Friday</p>`)).toEqual(["Ruby Friday"]);
});

test("labels, sections and sentences beside a date name nobody", () => {
  for (const text of [
    "مدة القراءة: 3 دقائق | 24/10/2026",
    "عدد المشاهدات | 24/10/2026",
    "الأخبار المحلية 24/10/2026 15:30",
    "بدأت الأزمة في 5 مارس 2019.",
    "نشر في 24/10/2026",
    "أخبار دولية - 24 أكتوبر 2026",
  ]) {
    expect([text, ...find(`${heading}<p>${text}</p><p>Text.</p>`)]).toEqual([text]);
  }
});

test("every author that the metadata name in one way is named", () => {
  const meta = (name: string) => `<meta name="author" content="${name}">`;
  expect(find(`${meta("Layla Haddad")}${meta("Omar Said")}${heading}`)).toEqual(["Layla Haddad", "Omar Said"]);
});

const [rana, omar, lina] = ["Rana Haddad", "Omar Saleh", "Lina Aziz"];
const authored = (author: unknown) =>
  `<script type="application/ld+json">${JSON.stringify({ "@type": "NewsArticle", headline: "x", author })}</script>`;
const metas = (...names: string[]) => names.map((name) => `<meta name="author" content="${name}">`).join("");

test.each([
  ["<p>By Rana Haddad in Cairo and Omar Saleh in Beirut</p>", [rana, omar]],
  ["<p>Rana Haddad in Cairo and Omar Saleh in Beirut</p>", [rana, omar]],
  ['<p class="byline">Rana Haddad in Cairo, Omar Saleh in Beirut and Lina Aziz in Amman</p>', [rana, omar, lina]],
  ["<p>By Rana Haddad in New York and Omar Saleh in Abu Dhabi on 24 October 2026</p>", [rana, omar]],
  ["<p>By Rana Haddad (Cairo) and Omar Saleh (Beirut)</p>", [rana, omar]],
  ["<p>By Rana Haddad with Omar Saleh in Beirut</p>", [rana, omar]],
  ["<p>By Rana Haddad, Omar Saleh and Lina Aziz</p>", [rana, omar, lina]],
  ["<p>By Rana Haddad, Omar Saleh, and Lina Aziz</p>", [rana, omar, lina]],
  ["<p>By Rana Haddad, Omar Saleh et al.</p>", [rana, omar]],
  ["<p>By Rana Haddad and Omar Saleh; additional reporting by Lina Aziz</p>", [rana, omar, lina]],
  ["<p>By Rana Haddad</p><p>By Omar Saleh</p>", [rana, omar]],
  ["<p>By Rana Haddad for News Example</p>", [rana]],
  ["<p>By Rana Haddad, Political Editor, and Omar Saleh, Middle East correspondent</p>", [rana, omar]],
  ["<p>By Rana Haddad, senior reporter in Cairo, and Omar Saleh, correspondent in Beirut</p>", [rana, omar]],
  ["<p>Words by Rana Haddad, photos by Omar Saleh</p>", [rana]],
  ['<div><span class="author">Rana Haddad</span> <span class="author">Omar Saleh</span></div>', [rana, omar]],
  ['<div class="byline"><span>Rana Haddad</span><span>Omar Saleh</span></div>', [rana, omar]],
  ['<div class="byline"><span>Rana Haddad</span><span>Real Estate</span></div>', [rana]],
  ['<ul class="authors"><li>Rana Haddad</li><li>Omar Saleh</li></ul>', [rana, omar]],
  ['<a href="/authors/rana-haddad">Rana Haddad</a> <a href="/authors/omar-saleh">Omar Saleh</a>', [rana, omar]],
  [
    '<div class="author-card"><b>Rana Haddad</b><i>Staff Writer</i></div><div class="author-card"><b>Omar Saleh</b><i>Reporter</i></div>',
    [rana, omar],
  ],
  ['<p class="author">Rana Haddad</p><aside><p class="author">Omar Saleh</p></aside>', [rana]],
])("who signs together is named together: %s", (html, names) => {
  expect(find(`${heading}${html}<p>Text of the story.</p>`)).toEqual(names);
});

test.each([
  "<p>رنا حداد من القاهرة وعمر صالح من بيروت</p>",
  '<p class="byline">رنا حداد من القاهرة وعمر صالح من بيروت</p>',
  "<p>كتب: رنا حداد من القاهرة وعمر صالح من رام الله</p>",
  "<p>بقلم: رنا حداد في القاهرة وعمر صالح في بيروت</p>",
  "<p>بقلم: رنا حداد (القاهرة) وعمر صالح (بيروت)</p>",
  '<p class="author">رنا حداد - القاهرة، عمر صالح - بيروت</p>',
  "<p>إعداد: رنا حداد و عمر صالح</p>",
  "<p>بقلم / رنا حداد / عمر صالح</p>",
  "<p>كتبت: رنا حداد</p><p>كتب: عمر صالح</p>",
  "<p>بقلم: رنا حداد، مراسلة القاهرة، وعمر صالح، محرر الشؤون العربية</p>",
  '<p class="byline">مراسلتنا رنا حداد والكاتب عمر صالح</p>',
  '<div><span class="writer">رنا حداد</span><span class="writer">عمر صالح</span></div>',
])("who signs together in Arabic is named together: %s", (html) => {
  expect(find(`${heading}${html}<p>نص الخبر هنا.</p>`)).toEqual(["رنا حداد", "عمر صالح"]);
});

test("a name that begins with the letter of and stays whole, behind and as well", () => {
  expect(find(`${heading}<p>بقلم: رنا حداد ووائل صالح</p>`)).toEqual(["رنا حداد", "وائل صالح"]);
  expect(find(`${heading}<p>بقلم: رنا حداد، وليد صالح</p>`)).toEqual(["رنا حداد", "وليد صالح"]);
});

test.each([
  [metas(rana, omar), [rana, omar]],
  [metas("Rana Haddad, Omar Saleh, Lina Aziz"), [rana, omar, lina]],
  [metas("Rana Haddad; Omar Saleh"), [rana, omar]],
  [metas("Rana Haddad in Cairo and Omar Saleh in Beirut"), [rana, omar]],
  [metas("رنا حداد من القاهرة وعمر صالح من بيروت"), ["رنا حداد", "عمر صالح"]],
  [metas("رنا حداد، عمر صالح"), ["رنا حداد", "عمر صالح"]],
  [authored([{ name: rana }, { name: omar }]), [rana, omar]],
  [authored({ name: "Rana Haddad, Omar Saleh" }), [rana, omar]],
  [authored({ name: [rana, omar] }), [rana, omar]],
  [authored("Rana Haddad in Cairo and Omar Saleh in Beirut"), [rana, omar]],
  [`${metas(rana)}${heading}<p>By Rana Haddad and Omar Saleh</p>`, [rana, omar]],
  [`${metas(rana)}${heading}<p>By Omar Saleh</p>`, [rana]],
])("metadata name all who signed: %s", (html, names) => {
  expect(find(html.includes("<h1>") ? html : html + heading)).toEqual(names);
});

test.each([
  [`${heading}<p>By Rana Haddad and Reuters</p>`, [rana]],
  [`${metas(rana, "Reuters")}${heading}`, [rana]],
  [`${heading}<p class="writer">رنا حداد ووكالات</p>`, ["رنا حداد"]],
  [`${metas("رنا حداد - رويترز")}${heading}`, ["رنا حداد"]],
  [`${metas("Reuters, AFP")}${heading}`, ["Reuters", "AFP"]],
  [`${heading}<p class="byline">Reuters and AFP</p>`, ["Reuters", "AFP"]],
  [`${heading}<p class="author">رويترز، أ ف ب</p>`, ["رويترز", "أ ف ب"]],
])("agencies sign only where no person does, then all of them: %s", (html, names) => {
  expect(find(html)).toEqual(names);
});

test("who reported is named below the text, who edited is not", () => {
  const credit = "(Reporting by Rana Haddad in Cairo and Omar Saleh in Beirut; editing by Lina Aziz)";
  expect(find(`${heading}${"<p>Text of the story.</p>".repeat(20)}<p>${credit}</p>`)).toEqual([rana, omar]);
});

test.each(["", ' class="byline"', ' class="author-meta"'])(
  "no label and no section is an author in <p%s>",
  (attributes) => {
    const labels = [
      "بدأت الأزمة في 5 مارس 2019",
      "نشر في 24/10/2026",
      "عدد المشاهدات: 1234",
      "مدة القراءة 3 دقائق",
      "زمن القراءة | 24/10/2026",
      "حجم الخط | 24/10/2026",
      "نسخة للطباعة | 24/10/2026",
      "عرض الكل | 24/10/2026",
      "قبل ساعتين | 24/10/2026",
      "أخبار عربية",
      "أخبار ذات صلة",
      "آخر الأخبار",
      "الشرق الأوسط - 24 أكتوبر 2026",
      "شؤون دولية | 24 أكتوبر 2026",
      "رياضة عالمية - 24/10/2026",
      "اقتصاد وأعمال | 24/10/2026",
      "كأس العالم | 24/10/2026",
      "الأكثر قراءة",
      "تابعونا على تويتر",
      "المصدر: الجزيرة | 24/10/2026",
      "Middle East",
      "World News | 24 October 2026",
      "Breaking News 24 October 2026",
      "Sport Football - 24 October 2026",
      "Top Stories - 24 October 2026",
      "Published on 24 October 2026",
      "Reading time | 24 October 2026",
      "Image caption | 24 October 2026",
      "Getty Images | 24 October 2026",
      "Listen to article | 24 October 2026",
      "Follow us on Google",
    ];
    const misread = labels.filter((label) => find(`${heading}<p${attributes}>${label}</p><p>Text.</p>`).length > 0);
    expect(misread).toEqual([]);
  },
);

test.each([
  ["one box", '<div><span class="author">Layla Haddad</span><span class="author">Omar Said</span></div>', 2],
  [
    "boxes of one kind side by side",
    '<div><p class="who"><b class="author">Layla Haddad</b></p><p class="who"><b class="author">Omar Said</b></p></div>',
    2,
  ],
])("those who sign in %s sign together", (_, html, count) => {
  expect(find(`${heading}${html}`)).toEqual(["Layla Haddad", "Omar Said"].slice(0, count));
});
