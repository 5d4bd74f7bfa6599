const NO_WORD = "[^\\p{L}\\p{N}]*";
const ALSO = "أيض[ًاً]{0,2}";
const PIECES = "(?:أخبار|الأخبار|مواضيع|موضوعات|مقالات|المقالات|تقارير|قصص|مواد|فيديوهات|روابط)";

/** Returns a whole heading, whatever stands around its words. */
function whole(alternatives: readonly string[]): RegExp {
  return new RegExp(`^${NO_WORD}(?:${alternatives.join("|")})${NO_WORD}$`, "iu");
}

/** The heading of a list of other articles, of buttons, tags or a newsletter, in English and Arabic. */
export const SIDE_HEADING: RegExp = whole([
  "related(?: (?:articles?|stories|news|posts?|content|topics|coverage|links|reading|videos?)(?: from .{2,40})?)?",
  "(?:the )?most (?:read|viewed|popular|shared|commented|watched)(?: (?:articles|stories|news|posts))?",
  "popular (?:posts?|articles|stories|now|on .{2,20})",
  "trending(?: (?:now|stories|news|topics|today))?",
  "(?:latest|recent|top|other|similar) (?:news|stories|posts?|articles|headlines)",
  "recommended(?: (?:for you|stories|articles|reading|by))?",
  "you (?:may|might) (?:also )?(?:like|enjoy|be interested in)",
  "more (?:(?:great|top|of our|recent|popular) (?:\\S+ ){0,3})?(?:stories|news|articles|posts|coverage|reads|on this (?:story|topic))|more (?:from|in) \\S.{0,25}",
  "read (?:next|also)|up next|don['’]t miss|editor['’]?s['’]? (?:picks?|choice)|breaking news",
  "share(?: this(?: (?:article|story|post|page))?| on| via)?|follow us(?: on)?",
  "(?:our )?newsletters?|subscribe to our newsletter",
  "(?:skip|تخط[ىي]|تجاوز) (?:past )?(?!to).{3,60}",
  `(?:اقرأ|إقرأ|اقرأوا|اقرؤوا|شاهد|طالع|تابع|اقرأ في) (?:${ALSO}|المزيد|التالي)`,
  `(?:${PIECES} )?(?:ذات|لها|ذو) (?:ال)?صلة(?: بالموضوع| بالخبر)?|مرتبط`,
  `${PIECES} (?:متعلقة|مشابهة|مرتبطة|أخرى|مختارة|متنوعة|مقترحة|رئيسية)(?: .{0,15})?`,
  "(?:ال)?(?:أكثر|اكثر) (?:قراءة|قراء|مشاهدة|تعليق\\S*|شعبية|تداول\\S*|مشاركة|رواج\\S*|بحث\\S*|زيارة|تصفح\\S*)(?: .{0,12})?",
  "(?:آخر|اخر|أحدث|احدث|أهم|اهم|أبرز) (?:ال)?(?:أخبار|اخبار|مقالات|مواضيع|مستجدات|عناوين|أنباء)(?: .{0,12})?",
  "شريط (?:ال)?(?:أخبار|أنباء)|(?:أخبار )?عاجلة?|خبر عاجل|موجز الأخبار|(?:ال)?مشاركات (?:ال)?شائعة",
  "المزيد(?: (?:من|في|حول) .{1,25})?|حول هذه القصة|كتاب (?:الموقع|وآراء|ومقالات)",
  `قد (?:يعجبك|يهمك|يعجبكم|يهمكم)(?: ${ALSO}| .{1,12})?|ننصح(?:ك|كم)? بقراءة`,
  "(?:اخترنا|نرشح|مختارات|مقترحات|موصى به|نقترح)(?: (?:لك|لكم|عليك))?|(?:اختيارات|ترشيحات) (?:ال)?(?:محرر|محررين)",
  "شارك(?:ها|ه)?(?: (?:هذا |هذه )?(?:المقال|الخبر|الموضوع|المادة|القصة|على|عبر|مع أصدقائك))?(?: .{0,15})?",
  "مشاركة(?: عبر| على| المقال| الخبر)?|تابعنا(?: على| عبر)?(?: .{0,20})?",
  "(?:النشرة|نشرتنا|القائمة) (?:البريدية|الإخبارية|اليومية)|(?:اشترك|اشتركوا|سجل) في (?:النشرة|نشرتنا|القائمة)(?: .{0,20})?",
  "(?:ال)?كلمات (?:ال)?(?:مفتاحية|دلالية|بحث)|(?:ال)?وسوم|(?:ال)?علامات|(?:ال)?تصنيفات|(?:حول|عن) (?:ال)?(?:كاتب|مؤلف)ة?",
]);

/** The heading of readers' comments. */
export const COMMENTS_HEADING: RegExp = whole([
  "(?:\\d+ )?(?:reader |user )?(?:comments?|responses|replies)(?: \\(\\d+\\))?|leave a (?:reply|comment)|join the (?:conversation|discussion)",
  "(?:هناك )?(?:\\d+ )?(?:ال)?تعليق(?:ات|ا|اً)?(?: (?:ال)?(?:قراء|زوار|متابعين|فيسبوك|موقع))?(?: \\(?\\d+\\)?)?",
  "(?:أضف|اضف|اترك|اكتب|شاركنا|ضع) (?:تعليق\\S*|رأيك|ردك)(?: .{0,20})?|ترك الرد|لا (?:توجد|يوجد) تعليقات(?: .{0,12})?|شارك برأيك|آراء القراء",
]);

/** Says how a line within an article begins that only links to another one. */
export const CLOSING_LINE: RegExp = new RegExp(
  `^${NO_WORD}(?:(?:read(?: (?:more|also|next))?|also read|related(?: (?:article|story|news|content|coverage))?|see also|watch(?: also| more)?|(?:see |read )?more|don['’]t miss|recommended|you may also like|click here)\\s*[:：|>»–—-]|read (?:more|also|next)\\b|also read\\b|(?:اقرأ|إقرأ|اقرأوا|اقرؤوا|شاهد|طالع|تابع|انظر) (?:${ALSO}|المزيد)|(?:اقرأ|إقرأ|شاهد|طالع|للمزيد|انظر|تابع|المزيد|(?:مواضيع |موضوعات |أخبار )?ذات صلة|قد يهمك|قد يعجبك|لمزيد من التفاصيل)\\s*[:：|>»–—…-]|للمزيد (?:من|حول|عن|اقرأ|اضغط))`,
  "iu",
);

/**
 * Says how an invitation begins that stands between paragraphs: to a newsletter, a channel, to comments and their
 * rules, or to see what is embedded.
 */
export const INVITATION: RegExp = new RegExp(
  `^${NO_WORD}(?:(?:sign up|subscribe|register) (?:now )?(?:for|to) (?:our|the|my) (?:\\S+ ){0,5}newsletter|follow us on|join our (?:\\S+ ){0,2}(?:channel|group)|(?:اشترك|اشتركوا|سجل|سجّل|سجلوا) (?:الآن )?(?:في|ب) ?(?:النشرة|نشرتنا|القائمة البريدية)|(?:تابعونا|تابعنا|تابعوا آخر|انضموا|انضم|اشترك|اشتركوا) .{0,40}(?:واتساب|واتس آب|تيليغرام|تليغرام|تلغرام|فيسبوك|تويتر|يوتيوب|أخبار غوغل|أخبار جوجل|google news)|(?:نرحب|ترحب|يرحب) .{0,30}(?:بالنقاش|بتعليقات|بالتعليقات)|(?:الآراء|التعليقات|المشاركات) (?:الواردة|المنشورة|المكتوبة).{0,30} لا تعبر|لن يتم نشر عنوان بريدك|your email address will not be published|لمشاهدة (?:المحتوى|الفيديو|المنشور|التغريدة)\\S* .{0,20}اضغط)`,
  "iu",
);

/** Ends a line below a picture: whose it is, in brackets. */
export const PICTURE_CREDIT: RegExp =
  /^(?:\S+\s){0,14}\S+\s?\((?:رويترز|أ\s?\.?\s?ف\s?\.?\s?ب\.?|أ\s?\.?\s?ب\.?|د\s?\.?\s?ب\.?\s?أ\.?|إ\s?ب\s?أ|الأناضول|غيتي|[غج]يتي إيم[يا]جز|شترستوك|reuters|afp|ap|epa|getty(?: images)?|shutterstock)(?:[/-][^()]{1,30})?\)$|\((?:(?:images?|photos?|pictures?|pics?|credits?)(?: credit)?(?:\s?[:/]| by | courtesy )|(?:صورة|تصوير|الصورة)(?:\s?[:/]| من ))[^()]{1,80}\)\.?$/iu;

/** Says how a line of running news begins. */
export const TICKER_LINE: RegExp =
  /^[^\p{L}\p{N}]*(?:شريط (?:ال)?(?:أخبار|أنباء)|عاجل|أخبار عاجلة|آخر الأخبار|breaking(?: news)?\s*[:|-]|latest news\s*[:|-])/iu;

const NETWORK =
  "(?:facebook|twitter|x|instagram|linked-?in|whats-?app|telegram|you-?tube|pinterest|reddit|threads|bluesky|mastodon|tik-?tok|snapchat|messenger|google news|news app|فيس ?بوك|تويتر|إكس|اكس|[إا]نستغ?رام|[إا]نستجرام|لينكد ?[إا]ن|وات ?س ?[اآ]ب|تي?لي?[غجق]رام|يوتيوب|تيك ?توك|سناب ?شات|ماسنجر|[غج]و[غج]ل نيوز|[أا]خبار [غج]و[غج]ل|(?:مواقع|شبكات|وسائل) التواصل(?: الاجتماعي)?)";
const PIECE = "(?:article|story|post|page|news|report)";
const AR_PIECE = "(?:المقالة?|الخبر|الموضوع|المادة|القصة|التقرير|الصفحة|المنشور)";
const DEED =
  "(?:share|tweet|print|e-?mail|pin(?: it)?|save|copy(?: link)?|شارك|مشاركة|طباعة|نسخة للطباعة|نسخ(?: الرابط)?)";
const BUTTON = `(?:share|tweet|print|e-?mail|pin(?: it)?|save|like|copy(?: link)?|comments?|شارك|مشاركة|طباعة|حفظ|نسخ(?: الرابط)?|(?:ال)?بريد(?: (?:ال)?[إا]لكتروني)?|[أإا]رسال|(?:[أإا]رسل|[أإا]رسال) (?:[إا]ل[ىي] |ل)صديق|نسخة للطباعة|تعليق|${NETWORK})`;

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

/**
 * Returns true for a line that only advertises, or is a tool, a tag or a notice of the site: no reader takes it for
 * text.
 */
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

/**
 * Counts how many blocks at the end of a text only head what is no longer there: other articles, comments, buttons.
 */
export function closingBlocks(texts: readonly string[]): number {
  let count = 0;
  for (let i = texts.length - 1; i >= 0; i--) {
    const text = texts[i] ?? "";
    if (text.length > MAX_CHARS || !(SIDE_HEADING.test(text) || COMMENTS_HEADING.test(text))) break;
    count++;
  }
  return count;
}
