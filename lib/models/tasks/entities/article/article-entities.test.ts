import { expect, test } from "bun:test";
import type { Entity } from "../aliases.ts";
import { articleEntities, knownOrganisations, wholeNames } from "./article-entities.ts";
import { mentionsIn, shown } from "./testing.ts";

test("what names nobody is no entity: offices, groups by what they do, institutions without a name", () => {
  const content =
    "قال المتحدث إن الشركة الصينية ومنظمة حقوقية والسلطات الأمنية والباحثين والفلسطينيين في السلطات الصينية";
  expect(
    shown(content, [
      ["المتحدث", "OCC"],
      ["الشركة الصينية", "ORG"],
      ["منظمة حقوقية", "ORG"],
      ["السلطات الأمنية", "ORG"],
      ["الباحثين", "NORP"],
      ["الفلسطينيين", "NORP"],
      ["السلطات الصينية", "ORG"],
    ]),
  ).toEqual(["الفلسطينيين NORP", "السلطات الصينية ORG"]);
});

test("a name of the table is one, whatever its words", () => {
  expect(shown("الاتحاد الأوروبي", [["الاتحاد الأوروبي", "ORG"]])).toEqual(["الاتحاد الأوروبي ORG"]);
});

test("a nationality does not belong to a person's name, nor a day or what it is for to a place's", () => {
  expect(
    shown("الروسي أوليغ أرتيمييف في عفرين للقتال وبطولة كأس آسيا السبت وجزيرة سنتوسا والبريطانية", [
      ["الروسي أوليغ أرتيمييف", "PERS"],
      ["عفرين للقتال", "GPE"],
      ["بطولة كأس آسيا السبت", "EVENT"],
      ["جزيرة سنتوسا", "FAC"],
      ["البريطانية", "ORG"],
    ]),
  ).toEqual(["أوليغ أرتيمييف PERS", "عفرين GPE", "بطولة كأس آسيا EVENT", "جزيرة سنتوسا LOC"]);
});

test("words that an article has in small letters, titles, months and forms of companies are no names", () => {
  const content =
    "The Exchange said the exchange will close in May, Mr Smith and a bank, northern pumpkin Ltd, AA-minus.";
  expect(
    shown(content, [
      ["Exchange", "ORG"],
      ["May", "PER"],
      ["Mr", "PER"],
      ["northern", "LOC"],
      ["pumpkin", "MISC"],
      ["Ltd", "ORG"],
      ["AA-minus", "ORG"],
    ]),
  ).toEqual([]);
});

test("nationalities are MISC, what stands behind a hyphen is cut off, and the offsets with it", () => {
  const content = "The Kuwaiti-born man met a London-based Syrian at the U.S. Embassy, and U.S. Dlrs fell.";
  const found = articleEntities(
    { title: "", content },
    {
      title: [],
      content: mentionsIn(content, [
        ["Kuwaiti-born", "LOC"],
        ["London-based", "LOC"],
        ["Syrian", "LOC"],
        ["U.S. Embassy", "ORG"],
        ["U.S. Dlrs", "ORG"],
      ]),
    },
  );
  expect(found.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "Kuwaiti MISC",
    "London LOC",
    "Syrian MISC",
    "U.S. Embassy ORG",
    "U.S. LOC",
  ]);
  for (const { name, spans } of found) expect(content.slice(spans[0], spans[1])).toBe(name);
});

test("a title in capitals counts only for what the content names", () => {
  const title = "TURKISH BANK SEEKS LOAN FROM ACME";
  const content = "Acme Corp said it would lend money.";
  const found = articleEntities(
    { title, content },
    {
      title: mentionsIn(title, [
        ["TURKISH BANK", "ORG"],
        ["ACME", "PER"],
      ]),
      content: mentionsIn(content, [["Acme Corp", "ORG"]]),
    },
  );
  expect(found).toMatchObject([{ name: "Acme Corp", type: "ORG", mentions: 2, spans: [0, 9] }]);
});

test("an initial makes a person, a stadium is a place and a cup is neither", () => {
  const content = "A Craig and D dal Maso met at Millennium Stadium for the Champions Cup.";
  expect(
    shown(content, [
      ["A Craig", "ORG"],
      ["D dal Maso", "LOC"],
      ["Millennium Stadium", "ORG"],
      ["Champions Cup", "ORG"],
    ]),
  ).toEqual(["A Craig PER", "D dal Maso PER", "Millennium Stadium LOC", "Champions Cup MISC"]);
});

test("an unsure name needs a second mention, one of the table does not; a city in a club's name is none", () => {
  expect(
    shown("Zorro, Reuters", [
      ["Zorro", "PER", 0.55],
      ["Reuters", "ORG", 0.45],
    ]),
  ).toEqual(["Reuters ORG"]);
  expect(
    shown("Zorro, Zorro", [
      ["Zorro", "PER", 0.55],
      ["Zorro", "PER", 0.55],
    ]),
  ).toEqual(["Zorro PER"]);
  const names: [string, string][] = [
    ["ريال مدريد", "ORG"],
    ["مدريد", "GPE"],
    ["بلدية نابلس", "ORG"],
    ["نابلس", "GPE"],
  ];
  expect(shown("ريال مدريد وبلدية نابلس", names)).toEqual(["ريال مدريد ORG", "بلدية نابلس ORG", "نابلس GPE"]);
});

test("a preposition before a common noun or a known place is cut off, and a country that says where; buildings are FAC", () => {
  expect(
    shown("بجامعة ويسكونسن بلندن، ملعب سان باولو بإيطاليا، برج ترامب", [
      ["بجامعة ويسكونسن", "ORG"],
      ["بلندن", "GPE"],
      ["ملعب سان باولو بإيطاليا", "FAC"],
      ["برج ترامب", "PERS"],
    ]),
  ).toEqual(["جامعة ويسكونسن ORG", "لندن GPE", "ملعب سان باولو FAC", "برج ترامب FAC"]);
});

test("numbers pass as they are", () => {
  expect(shown("في 2018 مبلغ", [["2018", "DATE", 0.55]])).toEqual(["2018 DATE"]);
});

test("a place in a contest's name is none, nor is an organisation's adjective a language; an event of many is no name", () => {
  const content = "في دوري أبطال أوروبا قالت وزارة الشؤون الدينية الإندونيسية إن الدوري بدأ";
  expect(
    shown(content, [
      ["دوري أبطال أوروبا", "EVENT"],
      ["أوروبا", "LOC"],
      ["وزارة الشؤون الدينية الإندونيسية", "ORG"],
      ["الإندونيسية", "LANGUAGE"],
      ["الدوري", "EVENT"],
    ]),
  ).toEqual(["دوري أبطال أوروبا EVENT", "وزارة الشؤون الدينية الإندونيسية ORG"]);
});

test("a newspaper keeps its day, a person a first name that is a nationality, a national team needs no second article", () => {
  const content = "المصري اليوم وتركي آل الشيخ ومنتخب عربي للقوات المسلحة الليبية";
  expect(
    shown(content, [
      ["المصري اليوم", "ORG"],
      ["تركي آل الشيخ", "PERS"],
      ["منتخب عربي", "ORG"],
      ["للقوات المسلحة الليبية", "ORG"],
    ]),
  ).toEqual(["المصري اليوم ORG", "تركي آل الشيخ PERS", "القوات المسلحة الليبية ORG"]);
});

test("an unsure organisation counts where a noun calls it one or begins its name, and is one everywhere", () => {
  const content = 'وفق صحيفة "زمرد" فإن زهرة هيئة السدود ومحكمة أجنبية في نادي باوك قرب باوك';
  expect(
    shown(content, [
      ["زمرد", "ORG", 0.45],
      ["زهرة", "ORG", 0.45],
      ["هيئة السدود", "ORG", 0.45],
      ["محكمة أجنبية", "ORG", 0.45],
      ["باوك", "GPE", 0.9],
      ["باوك", "GPE", 0.9],
    ]),
  ).toEqual(["باوك ORG", "زمرد ORG", "هيئة السدود ORG"]);
});

test("a name in brackets behind another one is its short form, unless the table knows both as two", () => {
  const content = "قالت منظمة الزراعة المستدامة (مزد) إن مكتب بيانات الاتحاد الأوروبي (يوروستات) ومزد";
  const found = shown(content, [
    ["منظمة الزراعة المستدامة", "ORG"],
    ["مزد", "ORG"],
    ["الاتحاد الأوروبي", "ORG"],
    ["يوروستات", "ORG"],
    ["مزد", "ORG"],
  ]);
  expect(found).toEqual(["منظمة الزراعة المستدامة ORG", "الاتحاد الأوروبي ORG", "يوروستات ORG"]);
  expect(
    shown("Haitian Sugar Company (HASCO) and HASCO", [
      ["Haitian Sugar Company", "ORG"],
      ["HASCO", "ORG"],
      ["HASCO", "ORG"],
    ]),
  ).toEqual(["Haitian Sugar Company ORG"]);
});

test("a person's name in brackets, or by a son, behind the name is that person", () => {
  const content = "الرئيس محمود عباس، أبو مازن، ومحمود آغا كاظم (باقري) وأبو علي";
  const names = ["محمود عباس", "أبو مازن", "محمود آغا كاظم", "باقري", "أبو علي"];
  expect(
    shown(
      content,
      names.slice(0, 2).map((name): [string, string] => [name, "PERS"]),
    ),
  ).toHaveLength(1);
  expect(
    shown(
      content,
      names.map((name): [string, string] => [name, "PERS"]),
    ),
  ).toHaveLength(3);
});

test("a longer name of the table is taken whole, where the tagger has only a part of it", () => {
  const content = "بين روما الإيطالي وضيفه";
  expect(shown(content, [["روما", "ORG", 0.6]])).toEqual(["روما الإيطالي ORG"]);
});

test("epithets of clubs and events of many are no names; a bare form of one in the table is that one", () => {
  const content = "النادي الملكي في معركة ضد كتائب القسام ثم القسام والليغا الإسباني والليغا";
  expect(
    shown(content, [
      ["النادي الملكي", "ORG"],
      ["معركة", "EVENT"],
      ["كتائب القسام", "ORG"],
      ["القسام", "ORG"],
      ["الليغا الإسباني", "EVENT"],
      ["الليغا", "EVENT"],
    ]),
  ).toEqual(["كتائب القسام ORG", "الليغا الإسباني EVENT"]);
});

test("a ministry of finance is no adjective of Mali, and a contest holds no organisation", () => {
  const content = "وزارة المالية في كأس الاتحاد الإنجليزي";
  const names: [string, string][] = [
    ["وزارة المالية", "ORG"],
    ["كأس الاتحاد الإنجليزي", "EVENT"],
    ["الاتحاد الإنجليزي", "ORG"],
  ];
  expect(shown(content, names)).toEqual(["وزارة المالية ORG", "كأس الاتحاد الإنجليزي EVENT"]);
});

const whole = (text: string, ...names: [name: string, type: string][]): string[] => {
  const mentions = names.map(([name, type]): Entity => {
    const start = text.indexOf(name);
    return { type, text: name, name, start, end: start + name.length, confidence: 0.9 };
  });
  return wholeNames(text, mentions).map(({ name, start, end }) => {
    expect(text.slice(start, end)).toBe(name);
    return name;
  });
};

test("two persons between whom nothing stands are one, with a conjunction they are two", () => {
  const text = "لعب ترينت ألكسندر أرنولد وساديو ماني";
  expect(whole(text, ["ترينت", "PERS"], ["ألكسندر أرنولد", "PERS"], ["ساديو ماني", "PERS"])).toEqual([
    "ترينت ألكسندر أرنولد",
    "ساديو ماني",
  ]);
});

test("an organisation's name in quotation marks ends with them", () => {
  expect(whole('قالت صحيفة "دياريو قول" أمس', ["دياريو", "ORG"])).toEqual(["دياريو قول"]);
  expect(whole("قالت صحيفة دياريو قول أمس", ["دياريو", "ORG"])).toEqual(["دياريو"]);
});

test("an institution has the adjective of its country, where it is the institution's", () => {
  expect(whole("نقلته وكالة الأنباء السودانية", ["وكالة الأنباء", "ORG"])).toEqual(["وكالة الأنباء السودانية"]);
  expect(whole("وكالة الأنباء السوداني", ["وكالة الأنباء", "ORG"])).toEqual(["وكالة الأنباء"]);
  expect(whole("بنك مصر المصري", ["بنك مصر", "ORG"])).toEqual(["بنك مصر"]);
});

test("a name does not end within what an institution is for", () => {
  const text = "الهيئة الوطنية لسلامة وسائل النقل في الحادث";
  expect(whole(text, ["الهيئة الوطنية لسلامة وسائل", "ORG"])).toEqual(["الهيئة الوطنية لسلامة وسائل النقل"]);
  const water = "المؤسسة العامة لتحلية المياه المالحة والشركة السعودية للمنتجات المتخصصة";
  expect(whole(water, ["المؤسسة العامة لتحلية المياه", "ORG"], ["الشركة السعودية للمنتجات", "ORG"])).toEqual([
    "المؤسسة العامة لتحلية المياه المالحة",
    "الشركة السعودية للمنتجات المتخصصة",
  ]);
});

test("a company of partners is one, and no person", () => {
  const text = "Smith Barney, Harris Upham and Co Inc and Paul Volcker and Congress";
  expect(whole(text, ["Smith Barney", "PER"], ["Harris Upham", "PER"], ["Paul Volcker", "PER"])).toEqual([
    "Smith Barney, Harris Upham and Co Inc",
    "Paul Volcker",
  ]);
});

const names = (text: string, found: Parameters<typeof knownOrganisations>[1] = []) =>
  knownOrganisations(text, found).map(({ name }) => name);

test("names of several words that the table has are found, with proclitics and without", () => {
  const text = "أعلن البيت الأبيض خروجها من الاتحاد الأوروبي وقمة لحلف شمال الأطلسي، وقال للأمم المتحدة";
  expect(names(text)).toEqual(["البيت الأبيض", "الاتحاد الأوروبي", "حلف شمال الأطلسي", "الأمم المتحدة"]);
  const [first] = knownOrganisations(text, []);
  expect(text.slice(first?.start, first?.end)).toBe("البيت الأبيض");
  expect(names("في #الأمم_المتحدة والحزب الشيوعي الحاكم في #الصين")).toEqual([
    "الأمم المتحدة",
    "الحزب الشيوعي الحاكم في الصين",
  ]);
});

test("the longest name counts, a word alone does not, and what the tagger found stands", () => {
  expect(names("الاتحاد الأوروبي لكرة القدم")).toEqual(["الاتحاد الأوروبي لكرة القدم"]);
  expect(names("فتح الباب على القاعدة في البيت الكبير")).toEqual([]);
  const longer = { type: "ORG", text: "", name: "مجلس الأمن القومي", start: 0, end: 17, confidence: 0.8 };
  expect(names("مجلس الأمن القومي", [longer])).toEqual([]);
});

test("a single name behind a title is a person's, whatever it was taken for; one of several words may be a body's", () => {
  expect(
    shown("The plan of President Reagan and of Mr. Clark Industries, and Intel.", [
      ["Reagan", "ORG"],
      ["Clark Industries", "ORG"],
      ["Intel", "ORG"],
    ]),
  ).toEqual(["Reagan PER", "Clark Industries ORG", "Intel ORG"]);
});

test("no name ends with a particle", () => {
  expect(
    shown("قالت لجنة المخابرات والأمن في لندن إن مجلس الأمن القومي التركي وافق", [
      ["لجنة المخابرات والأمن في", "ORG"],
      ["مجلس الأمن القومي التركي", "ORG"],
    ]),
  ).toEqual(["لجنة المخابرات والأمن ORG", "مجلس الأمن القومي التركي ORG"]);
});

test("what is called a club anywhere and was taken for a person elsewhere is the club, behind a preposition too", () => {
  expect(
    shown("وقع اللاعب لنادي نيس وقال إنه سعيد في نيس بعد أن عاد إلى نيس", [
      ["نيس", "GPE"],
      ["نيس", "PERS"],
      ["نيس", "PERS"],
    ]),
  ).toEqual(["نيس ORG"]);
});

test("names between which a line ends are one, and companies that are never named apart", () => {
  const names: [string, string][] = [
    ["Bausch", "ORG"],
    ["Lomb", "ORG"],
    ["San", "LOC"],
    ["Salvador", "LOC"],
    ["Bausch", "ORG"],
    ["Lomb", "ORG"],
    ["Ford", "ORG"],
    ["Shell", "ORG"],
    ["Ford", "ORG"],
    ["Shell", "ORG"],
    ["Shell", "ORG"],
  ];
  const content =
    "Bausch and Lomb opened in San\nSalvador. Bausch and Lomb grew. Ford and Shell fell, Ford and Shell rose, Shell won.";
  expect(shown(content, names).toSorted()).toEqual([
    "Bausch and Lomb ORG",
    "Ford ORG",
    "San Salvador LOC",
    "Shell ORG",
  ]);
});
