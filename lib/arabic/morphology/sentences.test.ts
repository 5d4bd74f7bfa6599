import { expect, setDefaultTimeout, test } from "bun:test";
import { at } from "../../std/mod.ts";
import { type MorphToken, morphAnswer } from "./answer.ts";
import type { Clitic } from "./clitics.ts";
import { openMorphology } from "./model.ts";

const morphology = await openMorphology();

setDefaultTimeout(300_000);

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
سألتها أمها عن سبب غيابها فأجابتها بصراحة.
  سألتها سَأَلَتهَا سَأَل VERB س ء ل fem.sing.3.perf.act  _+هَا فَعَل
  أمها أُمّهَا أُمّ NOUN ء م م fem.sing const _+هَا -
  عن عَن عَن ADP -   _ -
  سبب سَبَبِ سَبَب NOUN س ب ب masc.sing gen.const _ فَعَل
  غيابها غِيابِهَا غِياب NOUN غ ي ب masc.sing gen.const _+هَا فِعال
  فأجابتها فَأَجَابَتهَا أَجَاب NOUN ج و ب fem.sing.3.perf.act  فَ+_+هَا -
  بصراحة بِصَراحَةٍ صَراحَة NOUN ص ر ح fem.sing gen.indef بِ+_ فَعالَة
أعطيتهم مفاتيحهم وودعتهم عند الباب.
  مفاتيحهم مَفاتِيحهُم مِفتاح NOUN ف ت ح masc.plur const _+هُم مِفعال
  عند عِندَ عِند ADP ع ن د masc.sing acc.const _ فِعل
  الباب البابِ باب NOUN ب و ب masc.sing gen.def ال+_ -
كتبنا رسالتين إلى مديرنا ولم يجبنا.
  كتبنا كَتَبنَا كَتَب VERB ك ت ب plur.1.perf.act  _ فَعَل
  رسالتين رِسالَتَينِ رِسالَة NOUN ر س ل fem.dual acc.indef _ فِعالَة
  إلى إِلَى إِلَى ADP -   _ -
  مديرنا مُدِيرِنَا مُدِير NOUN د و ر masc.sing gen.const _+نَا -
  ولم وَلَم لَم PART -   وَ+_ -
  يجبنا يُجِبنَا أَجَاب VERB ج و ب masc.sing.3.imp.act jus _+نَا -
سيستقبلكم مندوبنا في المطار غدا.
  سيستقبلكم سَيَستَقبِلُكُم اِستَقبَل VERB ق ب ل masc.sing.3.imp.act ind سَ+_+كُم اِستَفعَل
  مندوبنا مَندُوبنَا مَندُوب NOUN ن د ب masc.sing const _+نَا مَفعُول
  في فِي فِي ADP -   _ -
  المطار المَطارِ مَطار NOUN ط ي ر masc.sing gen.def ال+_ -
  غدا غَداً غَد NOUN غ د و masc.sing acc.indef _ -
وجدوا أنفسهم أمام خيارين صعبين.
  وجدوا وَجَدُوا وَجَد VERB و ج د masc.plur.3.perf.act  _ فَعَل
  أنفسهم أَنفُسَهُم نَفس NOUN ن ف س masc.plur acc.const _+هُم فَعل
  أمام أَمامَ أَمام ADP ء م م masc.sing acc.const _ فَعال
  خيارين خِيارَينِ خِيار NOUN خ ي ر masc.dual gen.indef _ فِعال
  صعبين صَعبَينِ صَعب ADJ ص ع ب masc.dual gen.indef _ فَعل
يدرس طلابنا اللغات في معهدين كبيرين.
  يدرس يَدرُسُ دَرَس VERB د ر س masc.sing.3.imp.act ind _ فَعَل
  طلابنا طُلّابُنَا طالِب NOUN ط ل ب masc.plur nom.const _+نَا فاعِل
  اللغات اللُغات لُغَة NOUN ل غ و fem.plur def ال+_ -
  في فِي فِي ADP -   _ -
  معهدين مَعهَدَينِ مَعهَد NOUN ع ه د masc.dual gen.indef _ مَفعَل
  كبيرين كَبِيرَينِ كَبِير ADJ ك ب ر masc.dual gen.indef _ فَعِيل
طالب النواب بمحاسبة المسؤولين عن الحادث.
  طالب طَالَبَ طَالَب VERB ط ل ب masc.sing.3.perf.act  _ فَاعَل
  النواب النُوّابُ نائِب NOUN ن و ب masc.plur nom.def ال+_ -
  بمحاسبة بِمُحاسَبَةِ مُحاسَبَة NOUN ح س ب fem.sing gen.const بِ+_ مُفاعَلَة
  المسؤولين المَسؤُولِينَ مَسؤُول NOUN س ء ل masc.plur gen.def ال+_ مَفعُول
  عن عَن عَن ADP -   _ -
  الحادث الحادِثِ حادِث NOUN ح د ث masc.sing gen.def ال+_ فاعِل
بدأت الشركات توظف مهندسات ومبرمجين شبابا.
  بدأت بَدَأَت بَدَأ VERB ب د ء fem.sing.3.perf.act  _ فَعَل
  الشركات الشَرِكَاتُ شَرِكَة NOUN ش ر ك fem.plur nom.def ال+_ فَعِلَة
  توظف تُوَظِّفُ وَظَّف VERB و ظ ف fem.sing.3.imp.act ind _ فَعَّل
أصيب ثلاثة جنود بجروح طفيفة.
  أصيب أُصِيبَ أَصَاب VERB ص و ب masc.sing.3.perf.pass  _ -
  ثلاثة ثَلاثَةُ ثَلاث NUM ث ل ث fem.sing nom.const _ فَعال
  جنود جُنُودٍ جُندِيّ NOUN ج ن د masc.plur gen.indef _ فُعلِيّ
  بجروح بِجُرُوحٍ جُرح NOUN ج ر ح masc.plur gen.indef بِ+_ فُعل
  طفيفة طَفِيفَةٍ طَفِيف ADJ ط ف ف fem.sing gen.indef _ فَعِيل
تم افتتاح الجسر بعد تأخير دام سنتين.
  تم تَمَّ تَمّ VERB ت م م masc.sing.3.perf.act  _ -
  افتتاح اِفتِتاحُ اِفتِتاح NOUN ف ت ح masc.sing nom.const _ اِفعِتال
  الجسر الجِسرِ جِسر NOUN ج س ر masc.sing gen.def ال+_ فِعل
  بعد بَعدَ بَعد ADP ب ع د masc.sing acc.const _ فَعل
  تأخير تَأخِيرٍ تَأخِير NOUN ء خ ر masc.sing gen.indef _ تَفعِيل
لم تكن النتائج مرضية للجمهور.
  لم لَم لَم PART -   _ -
  تكن تَكُن كَان AUX ك و ن fem.sing.3.imp.act jus _ -
  النتائج النَتائِج نَتِيجَة NOUN ن ت ج fem.plur def ال+_ فَعِيلَة
  للجمهور لِلجُمهُورِ جُمهُور NOUN ج م ه ر masc.sing gen.def لِ+ال+_ فُعلُول
لن ننسى ما فعلتموه من أجلنا.
  لن لَن لَن PART -   _ -
  ننسى نَنسَى نَسِي VERB ن س ي plur.1.imp.act sub _ فَعِل
  فعلتموه فَعَلتُمُوهُ فَعَل VERB ف ع ل masc.plur.2.perf.act  _+هُ فَعَل
  من مِن مِن ADP -   _ -
  أجلنا أَجلِنَا أَجل NOUN ء ج ل masc.sing gen.const _+نَا فَعل
استعادت القوات السيطرة على التلال المجاورة.
  استعادت اِستَعَادَت اِستَعَاد VERB ع و د fem.sing.3.perf.act  _ -
  القوات القُوَّاتُ قُوَّة NOUN ق و ي fem.plur nom.def ال+_ -
  السيطرة السَيطَرة سَيطَرَة NOUN س ط ر fem.sing def ال+_ فَيعَلَة
  على عَلَى عَلَى ADP -   _ -
  التلال التِلالِ تَلّ NOUN ت ل ل masc.plur gen.def ال+_ -
  المجاورة المُجَاوِرَةِ مُجَاوِر ADJ ج و ر fem.sing gen.def ال+_ مُفَاعِل
يرى الخبراء أن الأسعار ستنخفض قريبا.
  يرى يَرَى رَأَى VERB ر ء ي masc.sing.3.imp.act ind _ -
  الخبراء الخُبَراءُ خَبِير NOUN خ ب ر masc.plur nom.def ال+_ فَعِيل
  أن أَنَّ أَنَّ SCONJ -   _ -
  الأسعار الأَسعار سِعر NOUN س ع ر masc.plur def ال+_ فِعل
  ستنخفض سَتَنخَفِضُ اِنخَفَض VERB خ ف ض fem.sing.3.imp.act ind سَ+_ اِنفَعَل
  قريبا قَرِيباً قَرِيب ADV ق ر ب masc.sing acc.indef _ فَعِيل
خرجت الطالبات من القاعة مسرعات.
  خرجت خَرَجَت خَرَج VERB خ ر ج fem.sing.3.perf.act  _ فَعَل
  الطالبات الطالِبَاتُ طالِب NOUN ط ل ب fem.plur nom.def ال+_ فاعِل
  من مِن مِن ADP -   _ -
  القاعة القاعَةِ قاعَة NOUN ق و ع fem.sing gen.def ال+_ -
قرأت الكتاب الذي أهداني إياه صديقي.
  قرأت قَرَأتُ قَرَأ VERB ق ر ء sing.1.perf.act  _ فَعَل
  الكتاب الكِتابَ كِتاب NOUN ك ت ب masc.sing acc.def ال+_ فِعال
  أهداني أَهدَانِي أَهدَى VERB ه د ي masc.sing.3.perf.act  _+نِي -
  صديقي صَدِيقِي صَدِيق NOUN ص د ق masc.sing const _+ِي فَعِيل
تباع هذه الأقمشة في أسواق شعبية.
  تباع تُبَاعُ بَاع VERB ب ي ع fem.sing.3.imp.pass ind _ -
  الأقمشة الأَقمِشة قُماش NOUN ق م ش masc.plur def ال+_ فُعال
  في فِي فِي ADP -   _ -
  أسواق أَسواقٍ سُوق NOUN س و ق masc.plur gen.indef _ فُعل
  شعبية شَعبِيَّةٍ شَعبِيّ ADJ ش ع ب fem.sing gen.indef _ فَعلِيّ
سمعت صوتا غريبا قرب النافذة.
  صوتا صَوتاً صَوت NOUN ص و ت masc.sing acc.indef _ فَعل
  غريبا غَرِيباً غَرِيب ADJ غ ر ب masc.sing acc.indef _ فَعِيل
  قرب قُربَ قُرب NOUN ق ر ب masc.sing acc.const _ فُعل
  النافذة النافِذَةِ نافِذَة NOUN ن ف ذ fem.sing gen.def ال+_ فاعِلَة
كان الحراس نائمين حين وقعت السرقة.
  كان كَانَ كَان AUX ك و ن masc.sing.3.perf.act  _ -
  الحراس الحُرّاس حارِس NOUN ح ر س masc.plur def ال+_ فاعِل
  حين حِين حِين ADP ح ي ن masc.sing indef _ فِعل
  السرقة السَرِقَةُ سَرِقَة NOUN س ر ق fem.sing nom.def ال+_ فَعِلَة
أعرب السفير عن قلقه إزاء التطورات.
  أعرب أَعرَبَ أَعرَب VERB ع ر ب masc.sing.3.perf.act  _ أَفعَل
  السفير السَفِيرُ سَفِير NOUN س ف ر masc.sing nom.def ال+_ فَعِيل
  عن عَن عَن ADP -   _ -
  قلقه قَلَقِهِ قَلَق NOUN ق ل ق masc.sing gen.const _+هُ فَعَل
  إزاء إِزاءَ إِزاء NOUN ء ز ي masc.sing acc.const _ -
  التطورات التَطَوُّرَاتِ تَطَوُّر NOUN ط و ر fem.plur gen.def ال+_ تَفَعُّل
توصل الباحثون إلى نتائج مشجعة.
  توصل تَوَصَّلَ تَوَصَّل VERB و ص ل masc.sing.3.perf.act  _ تَفَعَّل
  الباحثون الباحِثُونَ باحِث NOUN ب ح ث masc.plur nom.def ال+_ فاعِل
  إلى إِلَى إِلَى ADP -   _ -
  نتائج نَتائِجَ نَتِيجَة NOUN ن ت ج fem.plur gen.indef _ فَعِيلَة
  مشجعة مُشَجِّعَةٍ مُشَجِّع ADJ ش ج ع fem.sing gen.indef _ مُفَعِّل
انهار سقف المدرسة بسبب الأمطار الغزيرة.
  انهار اِنهَارَ اِنهَار VERB ه و ر masc.sing.3.perf.act  _ -
  سقف سَقفُ سَقف NOUN س ق ف masc.sing nom.const _ فَعل
  المدرسة المَدرَسَةِ مَدرَسَة NOUN د ر س fem.sing gen.def ال+_ مَفعَلَة
  بسبب بِسَبَبِ سَبَب NOUN س ب ب masc.sing gen.const بِ+_ فَعَل
  الأمطار الأَمطارِ مَطَر NOUN م ط ر masc.plur gen.def ال+_ فَعَل
عثر الغواصون على حطام سفينة قديمة.
  عثر عَثَرَ عَثَر VERB ع ث ر masc.sing.3.perf.act  _ فَعَل
  الغواصون الغَوّاصُونَ غَوّاص NOUN غ و ص masc.plur nom.def ال+_ فَعّال
  على عَلَى عَلَى ADP -   _ -
  حطام حُطامِ حُطام NOUN ح ط م masc.sing gen.const _ فُعال
  سفينة سَفِينَةٍ سَفِينَة NOUN س ف ن fem.sing gen.indef _ فَعِيلَة
  قديمة قَدِيمَةٍ قَدِيم ADJ ق د م fem.sing gen.indef _ فَعِيل
ينتظر الآلاف خارج الملعب منذ الصباح.
  ينتظر يَنتَظِرُ اِنتَظَر VERB ن ظ ر masc.sing.3.imp.act ind _ اِفتَعَل
  الآلاف الآلافُ أَلف NOUN ء ل ف masc.plur nom.def ال+_ فَعل
  خارج خارِجَ خارِج NOUN خ ر ج masc.sing acc.const _ فاعِل
  الملعب المَلعَبِ مَلعَب NOUN ل ع ب masc.sing gen.def ال+_ مَفعَل
  منذ مُنذُ مُنذُ ADP -   _ -
  الصباح الصَباحِ صَباح NOUN ص ب ح masc.sing gen.def ال+_ فَعال
احتفل الجيران بعودة ابنتهم سالمة.
  احتفل اِحتَفَلَ اِحتَفَل VERB ح ف ل masc.sing.3.perf.act  _ اِفتَعَل
  الجيران الجِيرانُ جار NOUN ج و ر masc.plur nom.def ال+_ -
  بعودة بِعَودَةِ عَودَة NOUN ع و د fem.sing gen.const بِ+_ فَعلَة
  ابنتهم اِبنَتِهِم اِبنَة NOUN ب ن و fem.sing gen.const _+هُم -
  سالمة سَالِمة سَالِم ADJ س ل م fem.sing indef _ فَاعِل
ألف الكاتب ثلاث روايات عن مدينته.
  ألف أَلَّفَ أَلَّف VERB ء ل ف masc.sing.3.perf.act  _ فَعَّل
  الكاتب الكاتِبُ كاتِب NOUN ك ت ب masc.sing nom.def ال+_ فاعِل
  ثلاث ثَلاث ثَلاث NUM ث ل ث masc.sing const _ فَعال
  روايات رِوايَاتٍ رِوايَة NOUN ر و ي fem.plur gen.indef _ فِعالَة
  عن عَن عَن ADP -   _ -
  مدينته مَدِينَتِهِ مَدِينَة NOUN م د ن fem.sing gen.const _+هُ فَعِيلَة
أخبرني الطبيب بأن حالتها تحسنت.
  أخبرني أَخبَرَنِي أَخبَر VERB خ ب ر masc.sing.3.perf.act  _+نِي أَفعَل
  الطبيب الطَبِيبُ طَبِيب NOUN ط ب ب masc.sing nom.def ال+_ فَعِيل
  بأن بِأَنَّ أَنَّ SCONJ -   بِ+_ -
  حالتها حالتُهَا حالَة NOUN ح و ل fem.sing const _+هَا -
  تحسنت تَحَسَّنَت تَحَسَّن VERB ح س ن fem.sing.3.perf.act  _ تَفَعَّل
ادخر الفلاح نقودا ليشتري جرارا.
  ادخر اِدَّخَرَ اِدَّخَر VERB د خ ر masc.sing.3.perf.act  _ اِفَّعَل
  الفلاح الفَلّاحُ فَلّاح NOUN ف ل ح masc.sing nom.def ال+_ فَعّال
  نقودا نُقُوداً نَقد NOUN ن ق د masc.plur acc.indef _ فَعل
  ليشتري لِيَشتَرِيَ اِشتَرَى VERB ش ر ي masc.sing.3.imp.act sub لِ+_ -
اضطر السكان إلى مغادرة بيوتهم ليلا.
  اضطر اِضطَرَّ اِضطَرّ VERB ض ر ر masc.sing.3.perf.act  _ -
  السكان السُكّانُ ساكِن NOUN س ك ن masc.plur nom.def ال+_ فاعِل
  إلى إِلَى إِلَى ADP -   _ -
  مغادرة مُغادَرَةِ مُغادَرَة NOUN غ د ر fem.sing gen.const _ مُفاعَلَة
  بيوتهم بُيُوتِهِم بَيت NOUN ب ي ت masc.plur gen.const _+هُم فَعل
يزداد عدد المرضى كل شتاء.
  يزداد يَزدَادُ اِزدَاد VERB ز ي د masc.sing.3.imp.act ind _ -
  عدد عَدَدُ عَدَد NOUN ع د د masc.sing nom.const _ فَعَل
  المرضى المَرضَى مَرِيض NOUN م ر ض masc.plur gen.def ال+_ فَعِيل
  كل كُلّ كُلّ DET ك ل ل masc.sing const _ -
  شتاء شِتاءٍ شِتاء NOUN ش ت و masc.sing gen.indef _ -
استمعوا إلى نصيحة المعلمة ولا تتأخروا.
  إلى إِلَى إِلَى ADP -   _ -
  نصيحة نَصِيحَةِ نَصِيحَة NOUN ن ص ح fem.sing gen.const _ فَعِيلَة
  المعلمة المُعَلِّمَةِ مُعَلِّم NOUN ع ل م fem.sing gen.def ال+_ مُفَعِّل
  ولا وَلَا لَا PART -   وَ+_ -
  تتأخروا تَتَأَخَّرُوا تَأَخَّر VERB ء خ ر masc.plur.2.imp.act jus _ تَفَعَّل
ما رأيك في هذه الفكرة يا صديقي؟
  رأيك رَأيُك رَأي NOUN ر ء ي masc.sing const _+كَ فَعل
  في فِي فِي ADP -   _ -
  الفكرة الفِكرة فِكرَة NOUN ف ك ر fem.sing def ال+_ فِعلَة
  يا يَا يَا PART -   _ -
  صديقي صَدِيقِي صَدِيق NOUN ص د ق masc.sing const _+ِي فَعِيل
أسقطت المحكمة التهم عن المتهمين.
  أسقطت أَسقَطَت أَسقَط VERB س ق ط fem.sing.3.perf.act  _ أَفعَل
  المحكمة المَحكَمَةُ مَحكَمَة NOUN ح ك م fem.sing nom.def ال+_ مَفعَلَة
  التهم التُهَم تُهمَة NOUN ت ه م fem.plur def ال+_ فُعلَة
  عن عَن عَن ADP -   _ -
  المتهمين المُتَّهَمِينَ مُتَّهَم NOUN و ه م masc.plur gen.def ال+_ -
سقى البستاني الأشجار والأزهار.
  سقى سَقَى سَقَى VERB س ق ي masc.sing.3.perf.act  _ -
  الأشجار الأَشجار شَجَرَة NOUN ش ج ر fem.plur def ال+_ فَعَلَة
باعوا أراضيهم واشتروا سيارات فاخرة.
  باعوا بَاعُوا بَاع VERB ب ي ع masc.plur.3.perf.act  _ -
  أراضيهم أَراضِيَهُم أَرض NOUN ء ر ض masc.plur acc.const _+هُم فَعل
  واشتروا وَاِشتَرَوا اِشتَرَى VERB ش ر ي masc.plur.3.perf.act  وَ+_ -
  سيارات سَيّارَاتٍ سَيّارَة NOUN س ي ر fem.plur acc.indef _ فَعّالَة
  فاخرة فَاخِرَةً فَاخِر ADJ ف خ ر fem.sing acc.indef _ فَاعِل
نفت الوزارة الأنباء المتداولة جملة وتفصيلا.
  نفت نَفَت نَفَى VERB ن ف ي fem.sing.3.perf.act  _ -
  الوزارة الوِزارَةُ وِزارَة NOUN و ز ر fem.sing nom.def ال+_ فِعالَة
  الأنباء الأَنباء نَبَأ NOUN ن ب ء masc.plur def ال+_ فَعَل
  المتداولة المُتَدَاوَلة مُتَدَاوَل ADJ د و ل fem.sing def ال+_ مُتَفَاعَل
  جملة جُملة جُملَة NOUN ج م ل fem.sing indef _ فُعلَة
  وتفصيلا وَتَفصِيلاً تَفصِيل ADV ف ص ل masc.sing acc.indef وَ+_ تَفعِيل
تراوحت درجات الحرارة بين عشر وعشرين درجة.
  تراوحت تَرَاوَحَت تَرَاوَح VERB ر و ح fem.sing.3.perf.act  _ تَفَاعَل
  درجات دَرَجَاتُ دَرَجَة NOUN د ر ج fem.plur nom.const _ فَعَلَة
  الحرارة الحَرارَةِ حَرارَة NOUN ح ر ر fem.sing gen.def ال+_ فَعالَة
دعت النقابة أعضاءها إلى الإضراب العام.
  دعت دَعَت دَعَا VERB د ع و fem.sing.3.perf.act  _ -
  النقابة النِقابَةُ نِقابَة NOUN ن ق ب fem.sing nom.def ال+_ فِعالَة
  أعضاءها أَعضاءَهَا عُضو NOUN ع ض و masc.plur acc.const _+هَا فُعل
  إلى إِلَى إِلَى ADP -   _ -
  الإضراب الإِضرابِ إِضراب NOUN ض ر ب masc.sing gen.def ال+_ إِفعال
  العام العَامِّ عَامّ ADJ ع م م masc.sing gen.def ال+_ -
يقطف العمال الزيتون في الخريف.
  يقطف يَقطِفُ قَطَف VERB ق ط ف masc.sing.3.imp.act ind _ فَعَل
  العمال العُمّالُ عامِل NOUN ع م ل masc.plur nom.def ال+_ فاعِل
  الزيتون الزَيتُون زَيتُون NOUN ز ي ت masc.sing def ال+_ فَعلُون
  في فِي فِي ADP -   _ -
  الخريف الخَرِيفِ خَرِيف NOUN خ ر ف masc.sing gen.def ال+_ فَعِيل
تعاني المستشفيات نقصا حادا في الأدوية.
  تعاني تُعَانِي عَانَى VERB ع ن ي fem.sing.3.imp.act ind _ -
  المستشفيات المُستَشفَيَاتُ مُستَشفَى NOUN ش ف ي fem.plur nom.def ال+_ -
  نقصا نَقصاً نَقص NOUN ن ق ص masc.sing acc.indef _ فَعل
  حادا حَادّاً حَادّ ADJ ح د د masc.sing acc.indef _ -
  في فِي فِي ADP -   _ -
  الأدوية الأَدوِيَةِ دَواء NOUN د و ي masc.plur gen.def ال+_ -
استخدم اللصوص سلما للدخول من الشرفة.
  استخدم اِستَخدَمَ اِستَخدَم VERB خ د م masc.sing.3.perf.act  _ اِستَفعَل
  اللصوص اللُصُوصُ لِصّ NOUN ل ص ص masc.plur nom.def ال+_ -
  للدخول لِلدُخُولِ دُخُول NOUN د خ ل masc.sing gen.def لِ+ال+_ فُعُول
  من مِن مِن ADP -   _ -
  الشرفة الشُرفَةِ شُرفَة NOUN ش ر ف fem.sing gen.def ال+_ فُعلَة
أكلت القطة السمكتين وشربت الحليب.
  أكلت أَكَلَت أَكَل VERB ء ك ل fem.sing.3.perf.act  _ فَعَل
  القطة القِطَّةُ قِطَّة NOUN ق ط ط fem.sing nom.def ال+_ -
  السمكتين السَمَكتَين سَمَكَة NOUN س م ك fem.dual def ال+_ فَعَلَة
  وشربت وَشَرِبَت شَرِب VERB ش ر ب fem.sing.3.perf.act  وَ+_ فَعِل
  الحليب الحَلِيب حَلِيب NOUN ح ل ب masc.sing def ال+_ فَعِيل
مد رجال الإطفاء خراطيمهم نحو المبنى.
  مد مَدَّ مَدّ VERB م د د masc.sing.3.perf.act  _ -
  رجال رِجالُ رَجُل NOUN ر ج ل masc.plur nom.const _ فَعُل
  الإطفاء الإِطفاءِ إِطفاء NOUN ط ف ي masc.sing gen.def ال+_ -
  خراطيمهم خَراطِيمهُم خُرطُوم NOUN خ ر ط م masc.plur const _+هُم فُعلُول
  نحو نَحوَ نَحو ADP ن ح و masc.sing acc.const _ فَعل
  المبنى المَبنَى مَبنَى NOUN ب ن ي masc.sing gen.def ال+_ -
تنافست المدارس على كأس الرياضيات.
  تنافست تَنَافَسَت تَنَافَس VERB ن ف س fem.sing.3.perf.act  _ تَفَاعَل
  المدارس المَدارِسُ مَدرَسَة NOUN د ر س fem.plur nom.def ال+_ مَفعَلَة
  على عَلَى عَلَى ADP -   _ -
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
