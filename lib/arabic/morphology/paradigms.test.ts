import { expect, setDefaultTimeout, test } from "bun:test";
import { morphAnswer, type MorphToken } from "./answer.ts";
import { openMorphology } from "./model.ts";
import { bareForm, vowelForm } from "./written-forms.ts";

const morphology = await openMorphology();

// Hundreds of words a test, each new: a machine that is busy takes a while.
setDefaultTimeout(300_000);

/** Returns the rows of a table, each its words. */
const rowsOf = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .map((row) => row.trim().split(" "));

/** Forms of verbs: the form, its lemma, aspect, person, gender and number. */
const CONJUGATIONS = `
كتب كَتَب perf 3 masc sing
كتبت كَتَب perf 3 fem sing
كتبوا كَتَب perf 3 masc plur
كتبنا كَتَب perf 1 plur
كتبتم كَتَب perf 2 masc plur
كتبن كَتَب perf 3 fem plur
يكتب كَتَب imp 3 masc sing
تكتب كَتَب imp 3 fem sing
أكتب كَتَب imp 1 sing
نكتب كَتَب imp 1 plur
يكتبون كَتَب imp 3 masc plur
تكتبون كَتَب imp 2 masc plur
سمع سَمِع perf 3 masc sing
سمعت سَمِع perf 3 fem sing
سمعوا سَمِع perf 3 masc plur
سمعنا سَمِع perf 1 plur
سمعتم سَمِع perf 2 masc plur
سمعن سَمِع perf 3 fem plur
يسمع سَمِع imp 3 masc sing
تسمع سَمِع imp 3 fem sing
أسمع سَمِع imp 1 sing
نسمع سَمِع imp 1 plur
يسمعون سَمِع imp 3 masc plur
تسمعون سَمِع imp 2 masc plur
علم عَلَّم perf 3 masc sing
علمت عَلَّم perf 3 fem sing
علموا عَلَّم perf 3 masc plur
علمنا عَلَّم perf 1 plur
علمتم عَلَّم perf 2 masc plur
علمن عَلَّم perf 3 fem plur
يعلم عَلَّم imp 3 masc sing
تعلم عَلَّم imp 3 fem sing
أعلم عَلَّم imp 1 sing
نعلم عَلَّم imp 1 plur
يعلمون عَلَّم imp 3 masc plur
تعلمون عَلَّم imp 2 masc plur
شارك شارَك perf 3 masc sing
شاركت شارَك perf 3 fem sing
شاركوا شارَك perf 3 masc plur
شاركنا شارَك perf 1 plur
شاركتم شارَك perf 2 masc plur
شاركن شارَك perf 3 fem plur
يشارك شارَك imp 3 masc sing
تشارك شارَك imp 3 fem sing
أشارك شارَك imp 1 sing
نشارك شارَك imp 1 plur
يشاركون شارَك imp 3 masc plur
تشاركون شارَك imp 2 masc plur
أرسل أَرسَل perf 3 masc sing
أرسلت أَرسَل perf 3 fem sing
أرسلوا أَرسَل perf 3 masc plur
أرسلنا أَرسَل perf 1 plur
أرسلتم أَرسَل perf 2 masc plur
أرسلن أَرسَل perf 3 fem plur
يرسل أَرسَل imp 3 masc sing
ترسل أَرسَل imp 3 fem sing
أرسل أَرسَل imp 1 sing
نرسل أَرسَل imp 1 plur
يرسلون أَرسَل imp 3 masc plur
ترسلون أَرسَل imp 2 masc plur
تكلم تَكَلَّم perf 3 masc sing
تكلمت تَكَلَّم perf 3 fem sing
تكلموا تَكَلَّم perf 3 masc plur
تكلمنا تَكَلَّم perf 1 plur
تكلمتم تَكَلَّم perf 2 masc plur
تكلمن تَكَلَّم perf 3 fem plur
يتكلم تَكَلَّم imp 3 masc sing
تتكلم تَكَلَّم imp 3 fem sing
أتكلم تَكَلَّم imp 1 sing
نتكلم تَكَلَّم imp 1 plur
يتكلمون تَكَلَّم imp 3 masc plur
تتكلمون تَكَلَّم imp 2 masc plur
تعاون تَعاوَن perf 3 masc sing
تعاونت تَعاوَن perf 3 fem sing
تعاونوا تَعاوَن perf 3 masc plur
تعاونا تَعاوَن perf 1 plur
تعاونتم تَعاوَن perf 2 masc plur
يتعاون تَعاوَن imp 3 masc sing
تتعاون تَعاوَن imp 3 fem sing
أتعاون تَعاوَن imp 1 sing
نتعاون تَعاوَن imp 1 plur
يتعاونون تَعاوَن imp 3 masc plur
تتعاونون تَعاوَن imp 2 masc plur
انسحب اِنسَحَب perf 3 masc sing
انسحبت اِنسَحَب perf 3 fem sing
انسحبوا اِنسَحَب perf 3 masc plur
انسحبنا اِنسَحَب perf 1 plur
انسحبتم اِنسَحَب perf 2 masc plur
انسحبن اِنسَحَب perf 3 fem plur
ينسحب اِنسَحَب imp 3 masc sing
تنسحب اِنسَحَب imp 3 fem sing
أنسحب اِنسَحَب imp 1 sing
ننسحب اِنسَحَب imp 1 plur
ينسحبون اِنسَحَب imp 3 masc plur
تنسحبون اِنسَحَب imp 2 masc plur
اجتمع اِجتَمَع perf 3 masc sing
اجتمعت اِجتَمَع perf 3 fem sing
اجتمعوا اِجتَمَع perf 3 masc plur
اجتمعنا اِجتَمَع perf 1 plur
اجتمعتم اِجتَمَع perf 2 masc plur
اجتمعن اِجتَمَع perf 3 fem plur
يجتمع اِجتَمَع imp 3 masc sing
تجتمع اِجتَمَع imp 3 fem sing
أجتمع اِجتَمَع imp 1 sing
نجتمع اِجتَمَع imp 1 plur
يجتمعون اِجتَمَع imp 3 masc plur
تجتمعون اِجتَمَع imp 2 masc plur
استخدم اِستَخدَم perf 3 masc sing
استخدمت اِستَخدَم perf 3 fem sing
استخدموا اِستَخدَم perf 3 masc plur
استخدمنا اِستَخدَم perf 1 plur
استخدمتم اِستَخدَم perf 2 masc plur
استخدمن اِستَخدَم perf 3 fem plur
يستخدم اِستَخدَم imp 3 masc sing
تستخدم اِستَخدَم imp 3 fem sing
أستخدم اِستَخدَم imp 1 sing
نستخدم اِستَخدَم imp 1 plur
يستخدمون اِستَخدَم imp 3 masc plur
تستخدمون اِستَخدَم imp 2 masc plur
قال قال perf 3 masc sing
قالت قال perf 3 fem sing
قالوا قال perf 3 masc plur
قلنا قال perf 1 plur
قلتم قال perf 2 masc plur
قلن قال perf 3 fem plur
يقول قال imp 3 masc sing
تقول قال imp 3 fem sing
أقول قال imp 1 sing
نقول قال imp 1 plur
يقولون قال imp 3 masc plur
تقولون قال imp 2 masc plur
باع باع perf 3 masc sing
باعت باع perf 3 fem sing
باعوا باع perf 3 masc plur
بعنا باع perf 1 plur
بعتم باع perf 2 masc plur
بعن باع perf 3 fem plur
يبيع باع imp 3 masc sing
تبيع باع imp 3 fem sing
أبيع باع imp 1 sing
نبيع باع imp 1 plur
يبيعون باع imp 3 masc plur
تبيعون باع imp 2 masc plur
خاف خاف perf 3 masc sing
خافت خاف perf 3 fem sing
خافوا خاف perf 3 masc plur
خفنا خاف perf 1 plur
خفتم خاف perf 2 masc plur
خفن خاف perf 3 fem plur
يخاف خاف imp 3 masc sing
تخاف خاف imp 3 fem sing
أخاف خاف imp 1 sing
نخاف خاف imp 1 plur
يخافون خاف imp 3 masc plur
تخافون خاف imp 2 masc plur
أقام أَقام perf 3 masc sing
أقامت أَقام perf 3 fem sing
أقاموا أَقام perf 3 masc plur
أقمنا أَقام perf 1 plur
أقمتم أَقام perf 2 masc plur
أقمن أَقام perf 3 fem plur
يقيم أَقام imp 3 masc sing
تقيم أَقام imp 3 fem sing
أقيم أَقام imp 1 sing
نقيم أَقام imp 1 plur
يقيمون أَقام imp 3 masc plur
تقيمون أَقام imp 2 masc plur
استفاد اِستَفاد perf 3 masc sing
استفادت اِستَفاد perf 3 fem sing
استفادوا اِستَفاد perf 3 masc plur
استفدنا اِستَفاد perf 1 plur
استفدتم اِستَفاد perf 2 masc plur
استفدن اِستَفاد perf 3 fem plur
يستفيد اِستَفاد imp 3 masc sing
تستفيد اِستَفاد imp 3 fem sing
أستفيد اِستَفاد imp 1 sing
نستفيد اِستَفاد imp 1 plur
يستفيدون اِستَفاد imp 3 masc plur
تستفيدون اِستَفاد imp 2 masc plur
اختار اِختار perf 3 masc sing
اختارت اِختار perf 3 fem sing
اختاروا اِختار perf 3 masc plur
اخترنا اِختار perf 1 plur
اخترتم اِختار perf 2 masc plur
اخترن اِختار perf 3 fem plur
يختار اِختار imp 3 masc sing
تختار اِختار imp 3 fem sing
أختار اِختار imp 1 sing
نختار اِختار imp 1 plur
يختارون اِختار imp 3 masc plur
تختارون اِختار imp 2 masc plur
رمى رَمَى perf 3 masc sing
رمت رَمَى perf 3 fem sing
رموا رَمَى perf 3 masc plur
رمينا رَمَى perf 1 plur
رميتم رَمَى perf 2 masc plur
رمين رَمَى perf 3 fem plur
يرمي رَمَى imp 3 masc sing
ترمي رَمَى imp 3 fem sing
أرمي رَمَى imp 1 sing
نرمي رَمَى imp 1 plur
يرمون رَمَى imp 3 masc plur
ترمون رَمَى imp 2 masc plur
دعا دَعا perf 3 masc sing
دعت دَعا perf 3 fem sing
دعوا دَعا perf 3 masc plur
دعونا دَعا perf 1 plur
دعوتم دَعا perf 2 masc plur
دعون دَعا perf 3 fem plur
يدعو دَعا imp 3 masc sing
تدعو دَعا imp 3 fem sing
أدعو دَعا imp 1 sing
ندعو دَعا imp 1 plur
يدعون دَعا imp 3 masc plur
تدعون دَعا imp 2 masc plur
نسي نَسِي perf 3 masc sing
نسيت نَسِي perf 3 fem sing
نسوا نَسِي perf 3 masc plur
نسينا نَسِي perf 1 plur
نسيتم نَسِي perf 2 masc plur
نسين نَسِي perf 3 fem plur
ينسى نَسِي imp 3 masc sing
تنسى نَسِي imp 3 fem sing
أنسى نَسِي imp 1 sing
ننسى نَسِي imp 1 plur
ينسون نَسِي imp 3 masc plur
تنسون نَسِي imp 2 masc plur
التقى اِلتَقَى perf 3 masc sing
التقت اِلتَقَى perf 3 fem sing
التقوا اِلتَقَى perf 3 masc plur
التقينا اِلتَقَى perf 1 plur
التقيتم اِلتَقَى perf 2 masc plur
التقين اِلتَقَى perf 3 fem plur
يلتقي اِلتَقَى imp 3 masc sing
تلتقي اِلتَقَى imp 3 fem sing
ألتقي اِلتَقَى imp 1 sing
نلتقي اِلتَقَى imp 1 plur
يلتقون اِلتَقَى imp 3 masc plur
تلتقون اِلتَقَى imp 2 masc plur
أعطى أَعطَى perf 3 masc sing
أعطت أَعطَى perf 3 fem sing
أعطوا أَعطَى perf 3 masc plur
أعطينا أَعطَى perf 1 plur
أعطيتم أَعطَى perf 2 masc plur
أعطين أَعطَى perf 3 fem plur
يعطي أَعطَى imp 3 masc sing
تعطي أَعطَى imp 3 fem sing
أعطي أَعطَى imp 1 sing
نعطي أَعطَى imp 1 plur
يعطون أَعطَى imp 3 masc plur
تعطون أَعطَى imp 2 masc plur
استولى اِستَولَى perf 3 masc sing
استولت اِستَولَى perf 3 fem sing
استولوا اِستَولَى perf 3 masc plur
استولينا اِستَولَى perf 1 plur
استوليتم اِستَولَى perf 2 masc plur
استولين اِستَولَى perf 3 fem plur
يستولي اِستَولَى imp 3 masc sing
تستولي اِستَولَى imp 3 fem sing
أستولي اِستَولَى imp 1 sing
نستولي اِستَولَى imp 1 plur
يستولون اِستَولَى imp 3 masc plur
تستولون اِستَولَى imp 2 masc plur
مد مَدّ perf 3 masc sing
مدت مَدّ perf 3 fem sing
مدوا مَدّ perf 3 masc plur
مددنا مَدّ perf 1 plur
مددتم مَدّ perf 2 masc plur
مددن مَدّ perf 3 fem plur
يمد مَدّ imp 3 masc sing
تمد مَدّ imp 3 fem sing
أمد مَدّ imp 1 sing
نمد مَدّ imp 1 plur
يمدون مَدّ imp 3 masc plur
تمدون مَدّ imp 2 masc plur
استمر اِستَمَرّ perf 3 masc sing
استمرت اِستَمَرّ perf 3 fem sing
استمروا اِستَمَرّ perf 3 masc plur
استمررنا اِستَمَرّ perf 1 plur
استمررتم اِستَمَرّ perf 2 masc plur
استمررن اِستَمَرّ perf 3 fem plur
يستمر اِستَمَرّ imp 3 masc sing
تستمر اِستَمَرّ imp 3 fem sing
أستمر اِستَمَرّ imp 1 sing
نستمر اِستَمَرّ imp 1 plur
يستمرون اِستَمَرّ imp 3 masc plur
تستمرون اِستَمَرّ imp 2 masc plur
وصل وَصَل perf 3 masc sing
وصلت وَصَل perf 3 fem sing
وصلوا وَصَل perf 3 masc plur
وصلنا وَصَل perf 1 plur
وصلتم وَصَل perf 2 masc plur
وصلن وَصَل perf 3 fem plur
يصل وَصَل imp 3 masc sing
تصل وَصَل imp 3 fem sing
أصل وَصَل imp 1 sing
نصل وَصَل imp 1 plur
يصلون وَصَل imp 3 masc plur
تصلون وَصَل imp 2 masc plur
اتفق اِتَّفَق perf 3 masc sing
اتفقت اِتَّفَق perf 3 fem sing
اتفقوا اِتَّفَق perf 3 masc plur
اتفقنا اِتَّفَق perf 1 plur
اتفقتم اِتَّفَق perf 2 masc plur
اتفقن اِتَّفَق perf 3 fem plur
يتفق اِتَّفَق imp 3 masc sing
تتفق اِتَّفَق imp 3 fem sing
أتفق اِتَّفَق imp 1 sing
نتفق اِتَّفَق imp 1 plur
يتفقون اِتَّفَق imp 3 masc plur
تتفقون اِتَّفَق imp 2 masc plur
أخذ أَخَذ perf 3 masc sing
أخذت أَخَذ perf 3 fem sing
أخذوا أَخَذ perf 3 masc plur
أخذنا أَخَذ perf 1 plur
أخذتم أَخَذ perf 2 masc plur
أخذن أَخَذ perf 3 fem plur
يأخذ أَخَذ imp 3 masc sing
تأخذ أَخَذ imp 3 fem sing
آخذ أَخَذ imp 1 sing
نأخذ أَخَذ imp 1 plur
يأخذون أَخَذ imp 3 masc plur
تأخذون أَخَذ imp 2 masc plur
سأل سَأَل perf 3 masc sing
سألت سَأَل perf 3 fem sing
سألوا سَأَل perf 3 masc plur
سألنا سَأَل perf 1 plur
سألتم سَأَل perf 2 masc plur
سألن سَأَل perf 3 fem plur
يسأل سَأَل imp 3 masc sing
تسأل سَأَل imp 3 fem sing
أسأل سَأَل imp 1 sing
نسأل سَأَل imp 1 plur
يسألون سَأَل imp 3 masc plur
تسألون سَأَل imp 2 masc plur
قرأ قَرَأ perf 3 masc sing
قرأت قَرَأ perf 3 fem sing
قرؤوا قَرَأ perf 3 masc plur
قرأنا قَرَأ perf 1 plur
قرأتم قَرَأ perf 2 masc plur
قرأن قَرَأ perf 3 fem plur
يقرأ قَرَأ imp 3 masc sing
تقرأ قَرَأ imp 3 fem sing
أقرأ قَرَأ imp 1 sing
نقرأ قَرَأ imp 1 plur
يقرؤون قَرَأ imp 3 masc plur
تقرؤون قَرَأ imp 2 masc plur
رأى رَأَى perf 3 masc sing
رأت رَأَى perf 3 fem sing
رأوا رَأَى perf 3 masc plur
رأينا رَأَى perf 1 plur
رأيتم رَأَى perf 2 masc plur
رأين رَأَى perf 3 fem plur
يرى رَأَى imp 3 masc sing
ترى رَأَى imp 3 fem sing
أرى رَأَى imp 1 sing
نرى رَأَى imp 1 plur
يرون رَأَى imp 3 masc plur
ترون رَأَى imp 2 masc plur
جاء جاء perf 3 masc sing
جاءت جاء perf 3 fem sing
جاؤوا جاء perf 3 masc plur
جئنا جاء perf 1 plur
جئتم جاء perf 2 masc plur
جئن جاء perf 3 fem plur
يجيء جاء imp 3 masc sing
تجيء جاء imp 3 fem sing
أجيء جاء imp 1 sing
نجيء جاء imp 1 plur
يجيئون جاء imp 3 masc plur
تجيئون جاء imp 2 masc plur
وعد وَعَد perf 3 masc sing
وعدت وَعَد perf 3 fem sing
وعدوا وَعَد perf 3 masc plur
وعدنا وَعَد perf 1 plur
وعدتم وَعَد perf 2 masc plur
وعدن وَعَد perf 3 fem plur
يعد وَعَد imp 3 masc sing
تعد وَعَد imp 3 fem sing
أعد وَعَد imp 1 sing
نعد وَعَد imp 1 plur
يعدون وَعَد imp 3 masc plur
تعدون وَعَد imp 2 masc plur
ترجم تَرجَم perf 3 masc sing
ترجمت تَرجَم perf 3 fem sing
ترجموا تَرجَم perf 3 masc plur
ترجمنا تَرجَم perf 1 plur
ترجمتم تَرجَم perf 2 masc plur
ترجمن تَرجَم perf 3 fem plur
يترجم تَرجَم imp 3 masc sing
تترجم تَرجَم imp 3 fem sing
أترجم تَرجَم imp 1 sing
نترجم تَرجَم imp 1 plur
يترجمون تَرجَم imp 3 masc plur
تترجمون تَرجَم imp 2 masc plur
اطمأن اِطمَأَنّ perf 3 masc sing
اطمأنت اِطمَأَنّ perf 3 fem sing
اطمأنوا اِطمَأَنّ perf 3 masc plur
اطمأننا اِطمَأَنّ perf 1 plur
اطمأننتم اِطمَأَنّ perf 2 masc plur
اطمأنن اِطمَأَنّ perf 3 fem plur
يطمئن اِطمَأَنّ imp 3 masc sing
تطمئن اِطمَأَنّ imp 3 fem sing
أطمئن اِطمَأَنّ imp 1 sing
نطمئن اِطمَأَنّ imp 1 plur
يطمئنون اِطمَأَنّ imp 3 masc plur
تطمئنون اِطمَأَنّ imp 2 masc plur
`;

test("every form of sound, hollow, weak, doubled and hamzated verbs has its reading", () => {
  const missing = rowsOf(CONJUGATIONS).filter(([form = "", lemma = "", ...wanted]) => {
    const [token] = morphAnswer(morphology, { text: form, all: true });
    return !(token?.analyses ?? []).some(({ pos, lemma: own, features }) => {
      const told = Object.values(features);
      return pos === "VERB" && vowelForm(own) === vowelForm(lemma) && wanted.every((feature) => told.includes(feature));
    });
  });
  expect(missing).toEqual([]);
});

/** Broken and sound plurals with their singular. */
const PLURALS = `
كتب كتاب
أقلام قلم
رجال رجل
مدن مدينة
قرى قرية
دول دولة
وزراء وزير
رؤساء رئيس
ملوك ملك
أمراء أمير
شهداء شهيد
جرحى جريح
قتلى قتيل
أسرى أسير
مرضى مريض
جنود جندي
ضباط ضابط
طلاب طالب
عمال عامل
تجار تاجر
حكام حاكم
دعاة داعية
أولاد ولد
أبناء ابن
بنات بنت
إخوة أخ
آباء أب
أمهات أم
أجداد جد
شيوخ شيخ
أطفال طفل
شعوب شعب
حروب حرب
جيوش جيش
قوانين قانون
قوائم قائمة
مدارس مدرسة
مساجد مسجد
مكاتب مكتب
مصانع مصنع
مطاعم مطعم
ملاعب ملعب
مباني مبنى
مقاه مقهى
معان معنى
جوائز جائزة
نتائج نتيجة
خسائر خسارة
رسائل رسالة
وسائل وسيلة
حقائق حقيقة
حدائق حديقة
وثائق وثيقة
قذائف قذيفة
صواريخ صاروخ
طوابير طابور
تماثيل تمثال
مفاتيح مفتاح
مشاريع مشروع
مواضيع موضوع
تقارير تقرير
تصاريح تصريح
أساليب أسلوب
أحاديث حديث
أكاذيب أكذوبة
أقاليم إقليم
أسابيع أسبوع
أصابع إصبع
أماكن مكان
أسلحة سلاح
أدوية دواء
أغذية غذاء
أنظمة نظام
أجهزة جهاز
أسئلة سؤال
أجوبة جواب
أدلة دليل
أئمة إمام
أطباء طبيب
أصدقاء صديق
أقرباء قريب
أغنياء غني
أنبياء نبي
أبرياء بريء
فقراء فقير
علماء عالم
شعراء شاعر
سفراء سفير
خبراء خبير
زعماء زعيم
رواد رائد
سكان ساكن
نواب نائب
أحزاب حزب
أهداف هدف
أسعار سعر
أسواق سوق
أموال مال
أعوام عام
أيام يوم
أشهر شهر
سنوات سنة
ليالي ليلة
قرون قرن
عقود عقد
حدود حد
حقوق حق
شروط شرط
بحوث بحث
دروس درس
نصوص نص
صفوف صف
خيوط خيط
عيون عين
أعين عين
أيدي يد
رؤوس رأس
قلوب قلب
وجوه وجه
أرجل رجل
أنهار نهر
بحار بحر
جبال جبل
رمال رمل
ثلوج ثلج
رياح ريح
أمطار مطر
طرق طريق
جسور جسر
أنفاق نفق
سفن سفينة
قوارب قارب
قطارات قطار
مطارات مطار
حوادث حادث
كوارث كارثة
حرائق حريق
أخبار خبر
صحف صحيفة
مجلات مجلة
أفلام فيلم
فنون فن
ألوان لون
صور صورة
غرف غرفة
فرق فرقة
نسخ نسخة
قصص قصة
لجان لجنة
نقاط نقطة
قيم قيمة
تهم تهمة
مهام مهمة
أزمات أزمة
ثورات ثورة
صفقات صفقة
عواصم عاصمة
شوارع شارع
سواحل ساحل
جوانب جانب
عوامل عامل
مواقع موقع
مناطق منطقة
مراحل مرحلة
محاكم محكمة
مجالس مجلس
مراكز مركز
مصادر مصدر
مشاكل مشكلة
تجارب تجربة
هجمات هجمة
غارات غارة
قضاة قاضي
غزاة غازي
رماة رامي
أخوات أخت
`;

test("plurals are read as such, under their singular", () => {
  const wrong = rowsOf(PLURALS).flatMap(([form = "", singular = ""]) => {
    const token = morphAnswer(morphology, { text: `هذه ${form}`, all: false })[1];
    const isRight = bareForm(token?.lemma ?? "") === bareForm(singular) && token?.features.number === "plur";
    return isRight ? [] : [`${form}: ${token?.lemma} ${token?.features.number}`];
  });
  expect(wrong).toEqual([]);
});

/** Sentences: a sentence with `_` for spaces, the word asked for, its lemma and part of speech, its clitics. */
const IN_SENTENCES = `
أحب_مدينتي_كثيرا مدينتي مدينة NOUN - ي
نسيت_حقيبتي_في_المكتب حقيبتي حقيبة NOUN - ي
هذه_قصتي_معكم قصتي قصة NOUN - ي
أعيش_مع_عائلتي_في_القاهرة عائلتي عائلة NOUN - ي
فقدت_هويتي_في_المطار هويتي هوية NOUN - ي
لن_أنسى_تجربتي_في_الحرب تجربتي تجربة NOUN - ي
كانت_والدتي_معلمة والدتي والدة NOUN - ي
أنهيت_رسالتي_الجامعية رسالتي رسالة NOUN - ي
حياتي_تغيرت_بعد_الحادث حياتي حياة NOUN - ي
غادرت_شقتي_في_الصباح شقتي شقة NOUN - ي
سافرت_مع_زوجتي_وابنتي زوجتي زوجة NOUN - ي
سافرت_مع_زوجتي_وابنتي وابنتي ابنة NOUN و ي
قال_لي_صديقي_إنه_سيأتي صديقي صديق NOUN - ي
هذا_كتابي_الأول كتابي كتاب NOUN - ي
أولادي_يدرسون_في_الخارج أولادي ولد NOUN - ي
لغتي_العربية_هويتي لغتي لغة NOUN - ي
خسرت_وظيفتي_بسبب_الأزمة وظيفتي وظيفة NOUN - ي
زار_أخوه_القرية أخوه أخ NOUN - ه
سلم_على_أبيه أبيه أب NOUN - ه
جاء_حموها_متأخرا حموها حم NOUN - ها
رأيت_أباها_في_السوق أباها أب NOUN - ها
تكلم_أبوهم_عن_السفر أبوهم أب NOUN - هم
ورث_المال_من_أخيها أخيها أخ NOUN - ها
قابلت_أخاك_أمس أخاك أخ NOUN - ك
فتح_فاه_من_الدهشة فاه فم NOUN - ه
وأبوك_رجل_كريم وأبوك أب NOUN و ك
ذهب_مع_أخي_إلى_المدرسة أخي أخ NOUN - ي
كان_أبونا_فلاحا أبونا أب NOUN - نا
سافر_أخواي_إلى_كندا أخواي أخ NOUN - ي
مات_أبواه_في_الحرب أبواه أب NOUN - ه
لأبيهم_مزرعة_كبيرة لأبيهم أب NOUN ل هم
وألحق_الجيش_خسائر_بالعدو وألحق ألحق VERB و -
وألغى_الرئيس_القرار وألغى ألغى VERB و -
وألقت_الشرطة_القبض_عليه وألقت ألقى VERB و -
وألزمت_المحكمة_الشركة وألزمت ألزم VERB و -
فألهب_حماس_الجماهير فألهب ألهب VERB ف -
وألم_به_مرض وألم ألم VERB و -
وألف_كتابا_عن_الحرب وألف ألف VERB و -
وألمانيا_أكبر_الدول وألمانيا ألمانيا PROPN و -
وألوان_العلم_ثلاثة وألوان لون NOUN و -
بألسنة_كثيرة بألسنة لسان NOUN ب -
وألبسه_ثوبا وألبسه ألبس VERB و ه
سأبقى_معكم_وسأساعدكم سأبقى بقي VERB س -
سأبقى_معكم_وسأساعدكم وسأساعدكم ساعد VERB و+س كم
فسيكتبونها_غدا فسيكتبونها كتب VERB ف+س ها
وسنواجههم_بقوة وسنواجههم واجه VERB و+س هم
أفلا_تعقلون تعقلون عقل VERB - -
وبمساعدتكم_ننجح وبمساعدتكم مساعدة NOUN و+ب كم
فلنتعاون_جميعا فلنتعاون تعاون VERB ف+ل -
وليعلم_الجميع وليعلم علم VERB و+ل -
سيستجوبونه_اليوم سيستجوبونه استجوب VERB س ه
كأصدقائنا كأصدقائنا صديق NOUN ك نا
وبأيديهم_السلاح وبأيديهم يد NOUN و+ب هم
ولمدارسهم_ملاعب ولمدارسهم مدرسة NOUN و+ل هم
فأخبرتهن_بالأمر فأخبرتهن أخبر VERB ف هن
تراجعت_العملة_المحلية العملة عملة NOUN ال -
دفن_في_مقبرة_القرية مقبرة مقبرة NOUN - -
زارت_المكتبة_العامة المكتبة مكتبة NOUN ال -
أقلعت_الطائرة_صباحا الطائرة طائرة NOUN ال -
اندلعت_حرب_جديدة_في_المنطقة المنطقة منطقة NOUN ال -
عقدت_الجلسة_أمس الجلسة جلسة NOUN ال -
أصدرت_المحكمة_حكمها المحكمة محكمة NOUN ال -
انطلقت_القافلة_فجرا القافلة قافلة NOUN ال -
أطلقت_قذيفة_على_الحي قذيفة قذيفة NOUN - -
تسلم_جائزة_أدبية جائزة جائزة NOUN - -
وقع_الهجوم_قرب_مزرعة مزرعة مزرعة NOUN - -
غرقت_السفينة السفينة سفينة NOUN ال -
كشفت_الدراسة الدراسة دراسة NOUN ال -
في_الضاحية_الجنوبية الضاحية ضاحية NOUN ال -
فتحت_نافذة_الغرفة نافذة نافذة NOUN - -
جمييييل_جدا جمييييل جميل ADJ - -
شكراااا_لكم شكراااا شكر * - -
لاااا لاااا لا * - -
مبرووووك مبرووووك مبروك * - -
كبيـــر كبيـــر كبير ADJ - -
قدييييم قدييييم قديم ADJ - -
ياااا_رب ياااا يا * - -
ياأخي_اسمعني ياأخي أخ NOUN يا ي
لايمكن_ذلك لايمكن أمكن VERB لا -
ماحدث_أمس_خطير ماحدث حدث VERB ما -
ياجماعة_الخير ياجماعة جماعة NOUN يا -
لابد_من_الحل لابد بد NOUN لا -
مازال_يعمل مازال زال VERB ما -
لايعرف_الحقيقة لايعرف عرف VERB لا -
ياصديقي_العزيز ياصديقي صديق NOUN يا ي
إنشاء_الله إنشاء شاء VERB إن -
مادام_حيا مادام دام VERB ما -
آلمته_قَدَم_الطفل قَدَم قدم NOUN - -
قَدَّم_الوزير_استقالته قَدَّم قدم VERB - -
قَدِم_من_بعيد قَدِم قدم VERB - -
مَلِك_البلاد مَلِك ملك NOUN - -
مُلْك_آبائه مُلْك ملك NOUN - -
مَلَكَ_بيتا مَلَكَ ملك VERB - -
رِجْل_الكرسي رِجْل رجل NOUN - -
كُتُب_المدرسة كُتُب كتاب NOUN - -
كُتِب_الكتاب كُتِب كتب VERB - -
دَرَّس_الطلاب دَرَّس درس VERB - -
حُكِم_عليه_بالسجن حُكِم حكم VERB - -
العٰلمين العٰلمين عالم NOUN ال -
هٰذا_الكتٰب الكتٰب كتاب NOUN ال -
السمٰوات_والأرض السمٰوات سماء NOUN ال -
مٰلك_يوم_الدين مٰلك مالك * - -
الإنسٰن الإنسٰن إنسان NOUN ال -
الحيوٰة_الدنيا الحيوٰة حياة NOUN ال -
لٰكن_الأمر لٰكن لكن * - -
إلٰه إلٰه إله NOUN - -
`;

test("words with clitics, of kin, drawn out, grown together and with vowels are read in their sentences", () => {
  const clitics = (list: readonly { form: string }[]): string =>
    list.map(({ form }) => bareForm(form)).join("+") || "-";
  const wrong = rowsOf(IN_SENTENCES).flatMap(
    ([sentence = "", word = "", lemma = "", pos = "", before = "", behind]) => {
      const tokens = morphAnswer(morphology, { text: sentence.replaceAll("_", " "), all: false });
      const token: MorphToken | undefined = tokens.find((each) => each.token === word);
      const told = [bareForm(token?.lemma ?? ""), clitics(token?.proclitics ?? []), clitics(token?.enclitics ?? [])];
      const expected = [bareForm(lemma), before.split("+").map(bareForm).join("+"), bareForm(behind ?? "")];
      const isRight = String(told) === String(expected) && (pos === "*" || pos === token?.pos);
      return isRight ? [] : [`${word}: ${told.join(" ")} ${token?.pos}`];
    },
  );
  expect(wrong).toEqual([]);
});

/** Nouns with weak, doubled or hamzated roots, and the letters of these. */
const ROOTS = `
سياسة س و س
زيارة ز و ر
قيادة ق و د
ماء م و ه
دولة د و ل
صيام ص و م
قيام ق و م
إقامة ق و م
استقالة ق ي ل
إدارة د و ر
إثارة ث و ر
صيانة ص و ن
رئاسة ر ء س
ريادة ر و د
سيادة س و د
عيد ع و د
ريح ر و ح
ميزان و ز ن
ميناء و ن ي
إيجار ء ج ر
إيقاف و ق ف
صفة و ص ف
ثقة و ث ق
هبة و ه ب
سنة س ن و
لغة ل غ و
أخ ء خ و
أب ء ب و
ابن ب ن و
اسم س م و
يد ي د ي
شفة ش ف ه
بيع ب ي ع
دار د و ر
باب ب و ب
نار ن و ر
حال ح و ل
مدينة م د ن
مكان ك و ن
مقام ق و م
مطار ط ي ر
مجال ج و ل
مزار ز و ر
ميدان م ي د
خيار خ ي ر
طريق ط ر ق
طاقة ط و ق
ساعة س و ع
غاية غ ي ي
آية ء ي ي
رأي ر ء ي
مرآة ر ء ي
اتصال و ص ل
اتفاق و ف ق
اتهام و ه م
اتجاه و ج ه
تراث و ر ث
تجاه و ج ه
دعاء د ع و
بناء ب ن ي
قضاء ق ض ي
سماء س م و
هواء ه و ي
دواء د و ي
لقاء ل ق ي
غذاء غ ذ و
رجاء ر ج و
حياة ح ي ي
صلاة ص ل و
زكاة ز ك و
وفاة و ف ي
قناة ق ن و
فتاة ف ت ي
قضية ق ض ي
عملية ع م ل
استفادة ف ي د
استعادة ع و د
إعادة ع و د
إفادة ف ي د
إجازة ج و ز
إشارة ش و ر
استشارة ش و ر
إضافة ض ي ف
إزالة ز و ل
مسافة س و ف
منطقة ن ط ق
مصيبة ص و ب
إصابة ص و ب
مستقيم ق و م
معين ع ي ن
سيارة س ي ر
طيار ط ي ر
بيان ب ي ن
ديوان د و ن
دين د ي ن
ديون د ي ن
غياب غ ي ب
حياد ح ي د
خيانة خ و ن
حيازة ح و ز
عيادة ع و د
نيابة ن و ب
كيان ك و ن
رياح ر و ح
رياضة ر و ض
ثياب ث و ب
ديار د و ر
مياه م و ه
شهيد ش ه د
`;

test("the roots of weak nouns are those of dictionaries", () => {
  const wrong = rowsOf(ROOTS).flatMap(([word = "", ...letters]) => {
    const [token] = morphAnswer(morphology, { text: word, all: false });
    return token?.root === letters.join(" ") ? [] : [`${word}: ${token?.root}`];
  });
  expect(wrong).toEqual([]);
});
