import { COMMENTS_HEADING, NO_WORD, SIDE_HEADING, whole } from "./headings.ts";

const ALSO = "أيض[ًاً]{0,2}";
const NETWORK =
  "(?:facebook|twitter|x|instagram|linked-?in|whats-?app|telegram|you-?tube|pinterest|reddit|threads|bluesky|mastodon|tik-?tok|snapchat|messenger|google news|news app|فيس ?بوك|تويتر|إكس|اكس|[إا]نستغ?رام|[إا]نستجرام|لينكد ?[إا]ن|وات ?س ?[اآ]ب|تي?لي?[غجق]رام|يوتيوب|تيك ?توك|سناب ?شات|ماسنجر|[غج]و[غج]ل نيوز|[أا]خبار [غج]و[غج]ل|(?:مواقع|شبكات|وسائل) التواصل(?: الاجتماعي)?)";
const PIECE = "(?:article|story|post|page|news|report)";
const AR_PIECE = "(?:المقالة?|الخبر|الموضوع|المادة|القصة|التقرير|الصفحة|المنشور)";
const DEED = "(?:share|tweet|print|e-?mail|pin(?: it)?|save|copy(?: link)?|شارك|مشاركة|طباعة|نسخ(?: الرابط)?)";
const BUTTON = `(?:share|tweet|print|e-?mail|pin(?: it)?|save|like|copy(?: link)?|comments?|شارك|مشاركة|طباعة|حفظ|نسخ(?: الرابط)?|(?:ال)?بريد(?: (?:ال)?[إا]لكتروني)?|[أإا]رسال|تعليق|${NETWORK})`;

/** A line without any sentence of the article in it, wherever it stands. */
const LINE = whole([
  // Advertisements.
  "advertisements?|advertising|adverts?|sponsored(?: content| links?)?|paid content|(?:advertisement )?(?:story|article|content) continues (?:below|after)(?: (?:this|the))?(?: (?:ad|advert|advertisement))?|(?:advertisement )?(?:continue reading|scroll (?:down )?to continue)(?: below| reading)?(?: with content)?",
  `[إا]علان(?:ات)?(?: مدفوعة?| مم?ولة?)?|مساحة [إا]علانية|محتوى (?:[إا]علاني|مم?ول|مدفوع)|(?:يستمر|يتبع|تابع) ${AR_PIECE} بعد ال[إا]علان`,
  // Tools beside an article.
  `(?:print|save|bookmark|download|e-?mail|listen to|hear|rate|report) (?:this|the) ${PIECE}|print(?:er)?(?:[- ]friendly)?(?: (?:version|page|article|pdf(?: & email)?))?|copy (?:the )?link(?: to clipboard)?|link copied!?|copied(?: to clipboard)?|send to (?:a )?friend|listen(?: now)?(?: \\(?\\d+ ?min(?:utes?)?\\)?)?|listen to (?:this|the) ${PIECE}.{0,30}|play audio|download (?:as )?pdf|font size|text size|report (?:an? )?(?:error|typo|mistake)s?`,
  `(?:طباعة|[إا]طبع|حفظ|[إا]حفظ|[إا]رسال|[أا]رسل|قي[ِّ]*م|تقييم|مشاركة|[أا]نشر|ترجمة) (?:هذه? )?${AR_PIECE}(?: (?:إلى|الى|ل)صديق)?|طباعة|نسخة للطباعة|نسخ|(?:[إا]نسخ|نسخ|تم نسخ) (?:ال)?رابط(?: .{0,12})?|(?:ال)?رابط (?:ال)?(?:مختصر|قصير)(?:\\s*:.{0,80})?|(?:[إا]ستمع|الاستماع|استماع) (?:[إا]ل[ىي] |ل)(?:هذه? )?(?:ل?${AR_PIECE}|لمقال|لخبر).{0,20}|(?:[أا]رسل|[إا]رسال) (?:[إا]ل[ىي] |ل)صديق|حجم الخط|(?:تكبير|تصغير) (?:حجم )?(?:الخط|النص)|(?:بل[ّ]?غ|[أا]بلغ|الإبلاغ) عن خط[أا].{0,20}`,
  // Sharing and following.
  `share(?: (?:this|the) ${PIECE})?(?: (?:on|via|with) .{2,30})?|share:? .{0,4}|share (?:on|via) ${NETWORK}.{0,30}|tweet(?: this)?|pin (?:it|this)(?: on pinterest)?|spread the word`,
  `شارك(?:ها|ه|وا|نا)?(?: (?:هذه? )?${AR_PIECE})?(?: مع (?:[أا]صدقائك|الآخرين))?|(?:شارك|مشاركة|[أا]نشر|النشر)(?: ${AR_PIECE})? (?:عل[ىي]|عبر|في) ${NETWORK}.{0,30}|مشاركة(?: الرابط)?`,
  `(?:for more,? )?(?:follow|like|find|join|connect with|add|visit) (?:us|me|our (?:\\S+ )?(?:page|channel|account|group))(?: (?:now|today))? (?:on|via|at) (?:our )?(?:the )?(?:${NETWORK}|@|social media).{0,60}|(?:for .{2,30}, )?follow \\S.{0,40} on ${NETWORK}.{0,40}|follow us(?: on)?|subscribe to (?:our|the) .{0,30}(?:channel|newsletter|podcast).{0,30}|(?:download|get|install) (?:our|the) (?:\\S+ ){0,3}app(?: (?:now|today|here|from|for|on) .{0,50}| now| today| here)?|(?:click|tap) here to (?:subscribe|follow|join|download|read more).{0,50}`,
  `(?:لل?مزيد|لمتابعة (?:آخر|[أا]حدث|المزيد|جديد)|ل?ت?تابع(?:وا)? (?:آخر|[أا]حدث|المزيد)|لمزيد من (?:ال)?[أا]خبار).{0,60}(?:${NETWORK}|تطبيق|قنات|نشرت|موقعنا|حساب|صفحت).{0,50}|(?:تابعونا|تابعنا|تابعوا(?: موقع)? .{1,25}|تابع .{1,25}|[إا]نضم(?:وا)?(?: الآن)?|[إا]شترك(?:وا)?(?: الآن)?|يمكنكم متابعة|زوروا|[أا]عجبوا ب) .{0,30}(?:(?:عل[ىي]|عبر|[إا]ل[ىي]|في|ب)) .{0,25}${NETWORK}.{0,40}|(?:تابعونا|تابعنا)|(?:حم[\\u0651]?ل(?:وا)?|قم بتحميل|لتحميل|تحميل|نز[\\u0651]?ل(?:وا)?)(?: الآن)? (?:ال)?تطبيق(?:نا|ات|ك)?(?: .{1,60})?`,
  // Comments.
  "(?:leave|post|add|write) (?:a |your )(?:comment|reply|response)s?|(?:\\d+|no|view|show|see|read|load|hide)(?: all| more)?(?: \\d+)? (?:comments?|responses?|replies)|comments? (?:\\(\\d+\\)|\\d+|(?:are )?(?:closed|off|disabled))|join the (?:conversation|discussion)|be the first to comment|log ?in to (?:comment|reply).{0,20}",
  "(?:ال)?تعليقات \\(?[\\d٠-٩]+\\)?|\\(?[\\d٠-٩]+\\)? تعليق(?:ات|ا|اً)?|(?:[أا]ضف|[إا]ضافة|[أا]ترك|[إا]ترك|[أا]كتب|ضع|شاركنا) (?:تعليق\\S*|ردا?ً?|ردك|رأيك)(?: .{0,20})?|شارك(?:نا)? ب?ر[أا]يك(?: .{0,20})?|لا (?:توجد|يوجد) تعليقات.{0,20}|كن [أا]ول من يعلق.{0,20}|التعليقات مغلقة.{0,15}",
  // Tags.
  "(?:tags?|topics?|keywords?|filed under|posted in|categor(?:y|ies))\\s*[:|].{0,160}|(?:ال)?(?:كلمات|كلمة) (?:ال)?(?:مفتاحية|دلالية|دالة|بحث|مرتبطة)(?:\\s*[:|].{0,160})?|(?:ال)?(?:وسوم|تاغات|تاجات|هاشتا[غج]|تصنيفات|[أا]قسام)\\s*[:|].{0,160}",
  // Other articles.
  `read (?:more|also|next|the full (?:story|article))|see also|also read|(?:more|read more) (?:on|about) this (?:story|topic|subject)|(?:next|previous|older|newer) (?:article|post|story)|(?:[اإأ]قر[أا](?:وا)?|شاهد|طالع|[إا]قر[أا]) (?:${ALSO}|المزيد)|المزيد (?:عن|حول|في) هذا (?:الموضوع|الخبر|الشأن)|المزيد من (?:ال)?[أا]خبار(?: .{0,15})?|(?:مواضيع|موضوعات|[أا]خبار|مقالات) ذات صلة|قد (?:يعجبك|يهمك|يعجبكم|يهمكم) ${ALSO}|(?:الخبر|المقال|الموضوع) (?:السابق|التالي)`,
  // The site's own.
  "(?:copyright|©|\\(c\\))\\s*(?:©|\\(c\\)|\\d{4}).{0,120}|.{0,90}all rights reserved.{0,40}|(?:جميع|كل|كافة) (?:ال)?حقوق(?: .{0,20})? محفوظة.{0,60}|(?:ال)?حقوق (?:النشر |الطبع )?محفوظة.{0,60}",
  "(?:back|return|go) to (?:the )?top|(?:load|show|view|see) (?:more|all)|was this (?:article|page|post|story) helpful|(?:ال)?عودة (?:[إا]ل[ىي] )?(?:ال)?[أا]عل[ىي]|[إا]ل[ىي] ال[أا]عل[ىي]|عرض المزيد|تحميل المزيد|(?:عدد )?(?:ال)?(?:مشاهدات|قراءات|زيارات)\\s*:?\\s*[\\d٠-٩,.]+",
]);

/** Names of buttons in a row; one of them says what it does. */
const BUTTONS = new RegExp(
  `^(?=.*(?<![\\p{L}\\p{N}])${DEED}(?![\\p{L}\\p{N}]))${NO_WORD}${BUTTON}(?:[^\\p{L}\\p{N}]+${BUTTON}){1,12}${NO_WORD}$`,
  "iu",
);
const MAX_CHARS = 200;

/** True for a line that only advertises, or is a tool, a tag or a notice of the site: no reader takes it for text. */
export function isFurnitureLine(text: string): boolean {
  return text.length <= MAX_CHARS && (LINE.test(text) || BUTTONS.test(text));
}

/**
 * Returns a text without the lines of it that are furniture, as where a page sets its whole article in one block with
 * line breaks; the text itself where nothing else is in it.
 */
export function withoutFurnitureLines(text: string): string {
  if (!text.includes("\n")) return text;
  const lines = text.split("\n");
  const kept = lines.filter((line) => !isFurnitureLine(line));
  return kept.length === lines.length || kept.length === 0 ? text : kept.join("\n").trim();
}

/** How many blocks at the end of a text only head what is no longer there: other articles, comments, buttons. */
export function closingBlocks(texts: readonly string[]): number {
  let count = 0;
  for (let i = texts.length - 1; i >= 0; i--) {
    const text = texts[i] ?? "";
    if (text.length > MAX_CHARS || !(SIDE_HEADING.test(text) || COMMENTS_HEADING.test(text))) break;
    count++;
  }
  return count;
}
