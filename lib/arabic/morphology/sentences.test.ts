import { expect, setDefaultTimeout, test } from "bun:test";
import { at } from "../../std/mod.ts";
import { type MorphToken, morphAnswer } from "./answer.ts";
import type { Clitic } from "./affixes.ts";
import { openMorphology } from "./model.ts";

const morphology = await openMorphology();

setDefaultTimeout(60_000);

/**
 * Sentences, and words in them as they are to be read: with vowels, lemma, part of speech, root (`-`: none), features,
 * case and state or mood, clitics around `_`, pattern.
 */
const SENTENCES = `
عاد المهندسون إلى مصنعهم القديم بعد أسبوعين من الإضراب.
  عاد عَادَ عَاد VERB ع و د masc.sing.3.perf.act  _ -
  المهندسون المُهَندِسُونَ مُهَندِس NOUN ه ن د س masc.plur nom.def ال+_ مُفَعلِل
  إلى إِلَى إِلَى ADP -   _ -
  مصنعهم مَصنَعِهِم مَصنَع NOUN ص ن ع masc.sing gen.const _+هُم مَفعَل
  القديم القَدِيمِ قَدِيم ADJ ق د م masc.sing gen.def ال+_ فَعِيل
  بعد بَعدَ بَعد ADP ب ع د masc.sing acc.const _ فَعل
  أسبوعين أُسبُوعَينِ أُسبُوع NOUN س ب ع masc.dual gen.indef _ أُفعُول
  من مِن مِن ADP -   _ -
  الإضراب الإِضرابِ إِضراب NOUN ض ر ب masc.sing gen.def ال+_ إِفعال
لم ينم الأطفال تلك الليلة لأن القصف لم يتوقف.
  لم لَم لَم PART -   _ -
  ينم يَنَم نَام VERB ن و م masc.sing.3.imp.act jus _ -
  الأطفال الأَطفالُ طِفل NOUN ط ف ل masc.plur nom.def ال+_ فِعل
  الليلة اللَيلة لَيلَة NOUN ل ي ل fem.sing def ال+_ فَعلَة
  لأن لِأَنَّ أَنَّ SCONJ -   لِ+_ -
  القصف القَصف قَصف NOUN ق ص ف masc.sing def ال+_ فَعل
  لم لَم لَم PART -   _ -
  يتوقف يَتَوَقَّف تَوَقَّف VERB و ق ف masc.sing.3.imp.act jus _ تَفَعَّل
سيدعو الوزراء إلى إنهاء القتال وحماية المدنيين.
  سيدعو سَيَدعُو دَعَا VERB د ع و masc.sing.3.imp.act ind سَ+_ -
  الوزراء الوُزَراءُ وَزِير NOUN و ز ر masc.plur nom.def ال+_ فَعِيل
  إلى إِلَى إِلَى ADP -   _ -
  إنهاء إِنهاءِ إِنهاء NOUN ن ه ي masc.sing gen.const _ -
  القتال القِتالِ قِتال NOUN ق ت ل masc.sing gen.def ال+_ فِعال
  وحماية وَحِمايَةِ حِمايَة NOUN ح م ي fem.sing gen.const وَ+_ فِعالَة
  المدنيين المَدَنِيِّينَ مَدَنِيّ NOUN م د ن masc.plur gen.def ال+_ فَعَلِيّ
باعت الشركتان أسهمهما بثلاثة ملايين دولار.
  باعت بَاعَت بَاع VERB ب ي ع fem.sing.3.perf.act  _ -
  الشركتان الشَرِكَتَانِ شَرِكَة NOUN ش ر ك fem.dual nom.def ال+_ فَعِلَة
  أسهمهما أَسهُمهُمَا سَهم NOUN س ه م masc.plur const _+هُمَا فَعل
  ملايين مَلايِين مِليُون NUM م ل ي ن masc.plur const _ فِعلُول
  دولار دُولارٍ دُولار NOUN - masc.sing gen.indef _ -
رأيت أخاك وأباه في سوق المدينة أمس.
  أخاك أَخَاكَ أَخ NOUN ء خ و masc.sing acc.const _+كَ -
  وأباه وَأَبَاهُ أَب NOUN ء ب و masc.sing acc.const وَ+_+هُ -
  في فِي فِي ADP -   _ -
  سوق سُوقِ سُوق NOUN س و ق masc.sing gen.const _ فُعل
  المدينة المَدِينَةِ مَدِينَة NOUN م د ن fem.sing gen.def ال+_ فَعِيلَة
  أمس أَمس أَمس NOUN ء م س masc.sing indef _ فَعل
استقال المدير لأنه رفض أن يوقع العقود.
  استقال اِستَقَالَ اِستَقَال VERB ق ي ل masc.sing.3.perf.act  _ -
  المدير المُدِيرُ مُدِير NOUN د و ر masc.sing nom.def ال+_ -
  لأنه لِأَنَّهُ أَنَّ SCONJ -   لِ+_+هُ -
  رفض رَفَضَ رَفَض VERB ر ف ض masc.sing.3.perf.act  _ فَعَل
  يوقع يُوَقِّعَ وَقَّع VERB و ق ع masc.sing.3.imp.act sub _ فَعَّل
  العقود العُقُودُ عَقد NOUN ع ق د masc.plur nom.def ال+_ فَعل
ستقام المباراة في ملاعب جديدة قرب الساحل.
  ستقام سَتُقَامُ أَقَام VERB ق و م fem.sing.3.imp.pass ind سَ+_ -
  المباراة المُبارَاةُ مُباراة NOUN ب ر ي fem.sing nom.def ال+_ -
  في فِي فِي ADP -   _ -
  ملاعب مَلاعِبَ مَلعَب NOUN ل ع ب masc.plur gen.indef _ مَفعَل
  جديدة جَدِيدَةٍ جَدِيد ADJ ج د د fem.sing gen.indef _ فَعِيل
  قرب قُربَ قُرب NOUN ق ر ب masc.sing acc.const _ فُعل
  الساحل الساحِلِ ساحِل NOUN س ح ل masc.sing gen.def ال+_ فاعِل
أعدت الطالبة بحوثا عن أمراض القلب والكلى.
  أعدت أَعَدَّت أَعَدّ VERB ع د د fem.sing.3.perf.act  _ -
  الطالبة الطالِبَةُ طالِب NOUN ط ل ب fem.sing nom.def ال+_ فاعِل
  بحوثا بُحُوثاً بَحث NOUN ب ح ث masc.plur acc.indef _ فَعل
  عن عَن عَن ADP -   _ -
  أمراض أَمراضِ مَرَض NOUN م ر ض masc.plur gen.const _ فَعَل
  القلب القَلبِ قَلب NOUN ق ل ب masc.sing gen.def ال+_ فَعل
لن يقضي القاضي بحبس المتهمين الثلاثة.
  لن لَن لَن PART -   _ -
  يقضي يَقضِيَ قَضَى VERB ق ض ي masc.sing.3.imp.act sub _ -
  القاضي القاضِي قاضِي NOUN ق ض ي masc.sing nom.def ال+_ فاعِل
  بحبس بِحَبسِ حَبس NOUN ح ب س masc.sing gen.const بِ+_ فَعل
  المتهمين المُتَّهَمِينَ مُتَّهَم NOUN و ه م masc.plur gen.def ال+_ -
مدت الدولة خطوط المياه إلى قرى بعيدة.
  مدت مَدَّت مَدّ VERB م د د fem.sing.3.perf.act  _ -
  الدولة الدَولَةُ دَولَة NOUN د و ل fem.sing nom.def ال+_ فَعلَة
  خطوط خُطُوط خَطّ NOUN خ ط ط masc.plur const _ -
  المياه المِياهِ ماء NOUN م و ه masc.plur gen.def ال+_ -
  إلى إِلَى إِلَى ADP -   _ -
  قرى قُرَى قَريَة NOUN ق ر ي fem.plur gen.indef _ فَعلَة
  بعيدة بَعِيدَةٍ بَعِيد ADJ ب ع د fem.sing gen.indef _ فَعِيل
قيل إن الرئيس سيزور الجرحى في المستشفيات.
  قيل قِيلَ قَال VERB ق و ل masc.sing.3.perf.pass  _ -
  إن إِنَّ إِنَّ PART -   _ -
  الرئيس الرَئِيسَ رَئِيس NOUN ر ء س masc.sing acc.def ال+_ فَعِيل
  سيزور سَيَزُورُ زَار VERB ز و ر masc.sing.3.imp.act ind سَ+_ -
  الجرحى الجَرحَى جَرِيح NOUN ج ر ح masc.plur nom.def ال+_ فَعِيل
  في فِي فِي ADP -   _ -
  المستشفيات المُستَشفَيَاتِ مُستَشفَى NOUN ش ف ي fem.plur gen.def ال+_ -
كان المعلمون يطالبون بزيادة رواتبهم منذ سنوات.
  كان كَانَ كَان AUX ك و ن masc.sing.3.perf.act  _ -
  المعلمون المُعَلِّمُونَ مُعَلِّم NOUN ع ل م masc.plur nom.def ال+_ مُفَعِّل
  يطالبون يُطَالِبُونَ طَالَب VERB ط ل ب masc.plur.3.imp.act ind _ فَاعَل
  بزيادة بِزِيادَةِ زِيادَة NOUN ز ي د fem.sing gen.const بِ+_ فِعالَة
  رواتبهم رَواتِبِهِم راتِب NOUN ر ت ب masc.plur gen.const _+هُم فاعِل
  منذ مُنذُ مُنذُ ADP -   _ -
  سنوات سَنَوَاتٍ سَنَة NOUN س ن و fem.plur gen.indef _ -
يخشى الصيادون أن تغرق قواربهم الصغيرة.
  يخشى يَخشَى خَشِي VERB خ ش ي masc.sing.3.imp.act ind _ فَعِل
  الصيادون الصَيّادُونَ صَيّاد NOUN ص ي د masc.plur nom.def ال+_ فَعّال
  تغرق تَغرَقَ غَرِق VERB غ ر ق fem.sing.3.imp.act sub _ فَعِل
  قواربهم قَوارِبهُم قارِب NOUN ق ر ب masc.plur const _+هُم فاعِل
  الصغيرة الصَغِيرة صَغِير ADJ ص غ ر fem.sing def ال+_ فَعِيل
وصلت خمس سفن محملة بالقمح إلى الميناء.
  وصلت وَصَلَت وَصَل VERB و ص ل fem.sing.3.perf.act  _ فَعَل
  خمس خَمس خَمس NUM خ م س masc.sing const _ فَعل
  سفن سُفُنٍ سَفِينَة NOUN س ف ن fem.plur gen.indef _ فَعِيلَة
  محملة مُحَمَّلَةٍ مُحَمَّل ADJ ح م ل fem.sing gen.indef _ مُفَعَّل
  بالقمح بِالقَمحِ قَمح NOUN ق م ح masc.sing gen.def بِ+ال+_ فَعل
  إلى إِلَى إِلَى ADP -   _ -
  الميناء المِيناءِ مِيناء NOUN و ن ي masc.sing gen.def ال+_ -
اشترى التاجران بيوتا وأراضي في ضواحي العاصمة.
  اشترى اِشتَرَى اِشتَرَى VERB ش ر ي masc.sing.3.perf.act  _ -
  التاجران التاجِرَانِ تاجِر NOUN ت ج ر masc.dual nom.def ال+_ فاعِل
  بيوتا بُيُوتاً بَيت NOUN ب ي ت masc.plur acc.indef _ فَعل
  وأراضي وَأَراضِيَ أَرض NOUN ء ر ض masc.plur acc.indef وَ+_ فَعل
  في فِي فِي ADP -   _ -
  العاصمة العاصِمَةِ عاصِمَة NOUN ع ص م fem.sing gen.def ال+_ فاعِلَة
ألقت الشرطة القبض على لصوص سرقوا متاجر.
  ألقت أَلقَت أَلقَى VERB ل ق ي fem.sing.3.perf.act  _ -
  الشرطة الشُرطَةُ شُرطَة NOUN ش ر ط fem.sing nom.def ال+_ فُعلَة
  القبض القَبض قَبض NOUN ق ب ض masc.sing def ال+_ فَعل
  على عَلَى عَلَى ADP -   _ -
  لصوص لُصُوصٍ لِصّ NOUN ل ص ص masc.plur gen.indef _ -
  سرقوا سَرَقُوا سَرَق VERB س ر ق masc.plur.3.perf.act  _ فَعَل
  متاجر مَتاجِرَ مَتجَر NOUN ت ج ر masc.plur acc.indef _ مَفعَل
وهب الأغنياء الفقراء مساعدات كثيرة.
  وهب وَهَبَ وَهَب VERB و ه ب masc.sing.3.perf.act  _ فَعَل
  الأغنياء الأَغنِيَاءُ غَنِيّ NOUN غ ن ي masc.plur nom.def ال+_ فَعِلّ
  مساعدات مُساعَدات مُساعَدَة NOUN س ع د fem.plur indef _ مُفاعَلَة
  كثيرة كَثِيرة كَثِير ADJ ك ث ر fem.sing indef _ فَعِيل
لا تنس أن تغلق الأبواب والنوافذ قبل خروجك.
  لا لَا لَا PART -   _ -
  تنس تَنسَ نَسِي VERB ن س ي masc.sing.2.imp.act jus _ فَعِل
  الأبواب الأَبواب باب NOUN ب و ب masc.plur def ال+_ -
  والنوافذ وَالنَوافِذ نافِذَة NOUN ن ف ذ fem.plur def وَ+ال+_ فاعِلَة
  قبل قَبلَ قَبل ADP ق ب ل masc.sing acc.const _ فَعل
  خروجك خُرُوجِكَ خُرُوج NOUN خ ر ج masc.sing gen.const _+كَ فُعُول
أوصى الأطباء مرضاهم بألا يأكلوا السكريات.
  أوصى أَوصَى أَوصَى VERB و ص ي masc.sing.3.perf.act  _ -
  الأطباء الأَطِبّاءُ طَبِيب NOUN ط ب ب masc.plur nom.def ال+_ فَعِيل
  مرضاهم مَرضَاهُم مَرِيض NOUN م ر ض masc.plur const _+هُم فَعِيل
  السكريات السُكَّرِيَّاتِ سُكَّرِيَّة NOUN س ك ر fem.plur acc.def ال+_ فُعَّلِيَّة
فليذهب كل منكم إلى عمله ولنبق متحدين.
  منكم مِنكُم مِن ADP -   _+كُم -
  إلى إِلَى إِلَى ADP -   _ -
  عمله عَمَلِهِ عَمَل NOUN ع م ل masc.sing gen.const _+هُ فَعَل
إن القضاة العادلين يحترمون حقوق الناس.
  إن إِنَّ إِنَّ PART -   _ -
  القضاة القُضاةَ قاضِي NOUN ق ض ي masc.plur acc.def ال+_ فاعِل
  العادلين العَادِلِينَ عَادِل ADJ ع د ل masc.plur acc.def ال+_ فَاعِل
  يحترمون يَحتَرِمُونَ اِحتَرَم VERB ح ر م masc.plur.3.imp.act ind _ اِفتَعَل
  حقوق حُقُوقَ حَقّ NOUN ح ق ق masc.plur acc.const _ -
  الناس الناسِ ناس NOUN ء ن س masc.plur gen.def ال+_ -
ليس في القرية ماء ولا كهرباء.
  ليس لَيسَ لَيسَ VERB ل ي س masc.sing.3.perf.act  _ فَعلَ
  في فِي فِي ADP -   _ -
  القرية القَريَةِ قَريَة NOUN ق ر ي fem.sing gen.def ال+_ فَعلَة
  ماء ماء ماء NOUN م و ه masc.sing indef _ -
  ولا وَلَا لَا PART -   وَ+_ -
  كهرباء كَهرَباء كَهرَباء NOUN ك ه ر ب fem.sing indef _ فَعلَلاء
زار وفد من رجال الأعمال الكويتيين معرضا دوليا.
  زار زَارَ زَار VERB ز و ر masc.sing.3.perf.act  _ -
  وفد وَفدٌ وَفد NOUN و ف د masc.sing nom.indef _ فَعل
  من مِن مِن ADP -   _ -
  رجال رِجالِ رَجُل NOUN ر ج ل masc.plur gen.const _ فَعُل
  الأعمال الأَعمالِ عَمَل NOUN ع م ل masc.plur gen.def ال+_ فَعَل
  الكويتيين الكُوَيتِيِّينَ كُوَيتِيّ ADJ ك و ت masc.plur gen.def ال+_ فُعَيلِيّ
  معرضا مَعرِضاً مَعرِض NOUN ع ر ض masc.sing acc.indef _ مَفعِل
  دوليا دُوَلِيّاً دُوَلِيّ ADJ د و ل masc.sing acc.indef _ فُعَلِيّ
أضاء العمال شوارع الحي بمصابيح حديثة.
  أضاء أَضَاءَ أَضَاء VERB ض و ء masc.sing.3.perf.act  _ -
  العمال العُمّالُ عامِل NOUN ع م ل masc.plur nom.def ال+_ فاعِل
  شوارع شَوارِع شارِع NOUN ش ر ع masc.plur const _ فاعِل
  الحي الحَيِّ حَيّ NOUN ح ي ي masc.sing gen.def ال+_ -
  بمصابيح بِمَصابِيحَ مِصباح NOUN ص ب ح masc.plur gen.indef بِ+_ مِفعال
  حديثة حَدِيثَةٍ حَدِيث ADJ ح د ث fem.sing gen.indef _ فَعِيل
يسعى الباحثون إلى إيجاد حلول لمشكلات البيئة.
  يسعى يَسعَى سَعَى VERB س ع ي masc.sing.3.imp.act ind _ -
  الباحثون الباحِثُونَ باحِث NOUN ب ح ث masc.plur nom.def ال+_ فاعِل
  إلى إِلَى إِلَى ADP -   _ -
  إيجاد إِيجادِ إِيجاد NOUN و ج د masc.sing gen.const _ -
  حلول حُلُولٍ حَلّ NOUN ح ل ل masc.plur gen.indef _ -
  لمشكلات لِمُشكِلَاتِ مُشكِلَة NOUN ش ك ل fem.plur gen.const لِ+_ مُفعِلَة
  البيئة البِيئَةِ بِيئَة NOUN ب و ء fem.sing gen.def ال+_ -
`;

const formsOf = (clitics: readonly Clitic[]): string[] => clitics.map(({ form }) => form);

/** Returns a reading as a row of the table has it. */
function rowOf({ token, diac, lemma, pos, root, features, pattern, ...read }: MorphToken): string {
  const inflection = [read.case, read.state, read.mood].filter((each) => each).join(".");
  const clitics = [...formsOf(read.proclitics), "_", ...formsOf(read.enclitics)].join("+");
  return [
    token,
    diac,
    lemma,
    pos,
    root ?? "-",
    Object.values(features).join("."),
    inflection,
    clitics,
    pattern ?? "-",
  ].join(" ");
}

test("words of sentences have their vowels, lemma, root, features, case, state, mood, clitics and pattern", () => {
  const lines = SENTENCES.trim().split("\n");
  let readings: ReadonlyMap<string, string> = new Map();
  for (const line of lines) {
    if (!line.startsWith("  ")) {
      const tokens = morphAnswer(morphology, { text: line, all: false, inflected: true });
      readings = new Map(tokens.map((token) => [token.token, rowOf(token)]));
    } else {
      const row = line.trim();
      expect(readings.get(at(row.split(" "), 0))).toBe(row);
    }
  }
});
