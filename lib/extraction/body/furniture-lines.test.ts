import { expect, test } from "bun:test";
import { extractPage } from "../extract.ts";
import { closingBlocks, isFurnitureLine, withoutFurnitureLines } from "./furniture-lines.ts";

const FURNITURE =
  `شارك الخبر|شاركها|شارك المقال مع أصدقائك|مشاركة عبر واتساب|شارك على فيسبوك|انشر على تويتر|تابعونا على فيسبوك|تابعنا عبر تليغرام
للمزيد تابع خبرني على فيسبوك|لمتابعة آخر الأخبار حمل تطبيقنا|لمتابعة أحدث الأخبار عبر أخبار جوجل|انضموا إلى قناتنا على واتساب|حمّل تطبيقنا الآن|لتحميل التطبيق اضغط هنا
انسخ الرابط|تم نسخ الرابط|نسخ الرابط|رابط مختصر: https://n.example/1|طباعة|طباعة المقال|حفظ الخبر|أرسل إلى صديق|استمع إلى المقال|حجم الخط|تكبير الخط|أبلغ عن خطأ
كلمات مفتاحية: ميناء، عبارات|الكلمات المفتاحية|كلمات دلالية|الوسوم: ميناء، بحر|التصنيفات: اقتصاد|التعليقات (3)|التعليقات (٣)|3 تعليقات|أضف تعليقا|اترك تعليقك|لا توجد تعليقات|شاركنا رأيك
اقرأ أيضا|إقرأ أيضًا:|اقرأ المزيد|شاهد أيضاً|المزيد عن هذا الموضوع|مواضيع ذات صلة|قد يهمك أيضا|الخبر السابق|إعلان|مساحة إعلانية|محتوى ممول|يستمر الخبر بعد الإعلان
جميع الحقوق محفوظة © 2026|حقوق النشر محفوظة لصحيفة المثال|عدد المشاهدات: 1893|العودة إلى أعلى|عرض المزيد|شارك فيسبوك تويتر واتساب
Advertisement|ADVERTISEMENT|Sponsored content|Story continues below advertisement|Article continues after this ad|Scroll to continue reading|Print|Print this article|Printer-friendly version
Copy link|Link copied!|Listen to this article|Listen (4 min)|Share this article|Share on Facebook|Share this story via WhatsApp|Tweet this|Email this article|Send to a friend|Save this story
Follow us on Twitter|Follow Harbour News on Google News|Like us on Facebook|Join us on Telegram for more|Subscribe to our newsletter|Download our app|Get our free app today
Leave a comment|Post a comment|3 Comments|Comments (3)|No comments|View all 12 comments|Comments are closed|Join the conversation|Be the first to comment
Tags: pier, ferries|Filed under: Business|Topics: harbour|Read more|See also|More on this story|Next article|Previous post|Back to top|Load more|Was this article helpful?
Copyright 2026 Harbour News. All rights reserved.|© 2026 Harbour News|(c) 2026 Harbour News|Harbour News Ltd. All rights reserved|Share | Tweet | Print | Email|Share Facebook WhatsApp`.split(
    /[|\n](?! )/,
  );

test.each(FURNITURE)("is no line of an article: %s", (line) => {
  expect(isFurnitureLine(line)).toBe(true);
});

test.each([
  "شارك الخبراء في المؤتمر الذي عقد في العاصمة.",
  "شارك المقاتلون في الدفاع عن المدينة",
  "طباعة الكتب تتراجع في المنطقة منذ عشر سنوات.",
  "تابعنا على مدى أيام عملية فتح الرصيف الجديد.",
  "إعلان الحكومة عن الموازنة الجديدة أثار جدلا.",
  "المزيد من الضغوط على الحكومة",
  "حمل السلاح عشرة من الصيادين، بحسب الشرطة.",
  "كلمات الوزير جاءت قبل التصويت بساعة.",
  "التعليقات على القرار كانت قاسية.",
  "الحقوق المدنية في صلب الدستور الجديد",
  "استمع إلى شهادات الصيادين قاضي التحقيق.",
  "نسخ من الرسالة وصلت إلى المجلس",
  "Print is dying, and the harbour's newspaper knows it.",
  "Advertisement for the ferry cost the town a fortune.",
  "Share prices fell by three per cent on Tuesday.",
  "Follow us on this journey through the old harbour.",
  "Copyright law is changing all over Europe.",
  "Comments by the minister were not welcome.",
  "Listen to this: the ferry has no captain.",
  "Leave a comment on the form and the council will read it.",
  "Facebook",
  "YouTube, TikTok, X",
  "Tags were found on three of the whales.",
  "The authors keep all rights, and reserved them in the contract.",
  "Read more books, said the teacher.",
])("is a line of an article: %s", (line) => {
  expect(isFurnitureLine(line)).toBe(false);
});

test("a line within a block that is set with line breaks goes, the others stay", () => {
  expect(withoutFurnitureLines("The pier opens.\nAdvertisement\nIt is new.\nشارك الخبر")).toBe(
    "The pier opens.\nIt is new.",
  );
  expect(withoutFurnitureLines("Print\nShare this article")).toBe("Print\nShare this article");
});

test("headings at the end that head nothing go, those above text stay", () => {
  expect(closingBlocks(["Text of it.", "Comments", "Text.", "Related articles", "التعليقات"])).toBe(2);
  expect(closingBlocks(["Related", "Text."])).toBe(0);
});

const sentences = Array.from(
  { length: 6 },
  (_, i) => `The authority said on day ${i} that the pier would open to ferries.`,
);

test("pages are stored without such lines, wherever they stand", () => {
  const lines = ["Advertisement", "Listen to this article", "شارك الخبر", "Trending now"];
  const [advert, listen, share, trending] = lines.map((line) => `<p>${line}</p>`);
  const [head, ...rest] = sentences.map((sentence) => `<p>${sentence}</p>`);
  const html = `<html><head><title>Pier to open</title></head><body><article><h1>Pier to open</h1>${listen}${head}${advert}${rest.join("")}${share}${trending}</article></body></html>`;
  expect(extractPage({ html, url: "https://n.example/1" }).content).toBe(sentences.join("\n\n"));
});

test("two megabytes of one line cost nothing", () => {
  for (const unit of ["share ", "تابعونا ", "follow us on ", "(", "read "]) {
    expect(isFurnitureLine(unit.repeat(2_000_000 / unit.length))).toBe(false);
  }
});
