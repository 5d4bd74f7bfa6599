import { expect, test } from "bun:test";
import { englishStem } from "./english-stem.ts";

/** Words with the stems that the reference implementation (snowballstemmer 3, PyPI) gives. */
const REFERENCE: Record<string, string> = {
  caresses: "caress",
  ponies: "poni",
  ties: "tie",
  cats: "cat",
  feed: "feed",
  agreed: "agre",
  plastered: "plaster",
  motoring: "motor",
  conflated: "conflat",
  hopping: "hop",
  hoping: "hope",
  falling: "fall",
  failing: "fail",
  filing: "file",
  happy: "happi",
  sky: "sky",
  dying: "die",
  skies: "sky",
  relational: "relat",
  conditional: "condit",
  rational: "ration",
  valency: "valenc",
  digitizer: "digit",
  conformably: "conform",
  radically: "radic",
  differently: "differ",
  vilely: "vile",
  analogously: "analog",
  vietnamization: "vietnam",
  predication: "predic",
  operator: "oper",
  feudalism: "feudal",
  decisiveness: "decis",
  hopefulness: "hope",
  callousness: "callous",
  formality: "formal",
  sensitivity: "sensit",
  sensibility: "sensibl",
  triplicate: "triplic",
  formative: "format",
  formalize: "formal",
  electricity: "electr",
  electrical: "electr",
  hopeful: "hope",
  goodness: "good",
  revival: "reviv",
  allowance: "allow",
  inference: "infer",
  airliner: "airlin",
  gyroscopic: "gyroscop",
  adjustable: "adjust",
  defensible: "defens",
  irritant: "irrit",
  replacement: "replac",
  adjustment: "adjust",
  dependent: "depend",
  adoption: "adopt",
  communism: "communism",
  activate: "activ",
  angularity: "angular",
  homologous: "homolog",
  effective: "effect",
  bowdlerize: "bowdler",
  probate: "probat",
  rate: "rate",
  cease: "ceas",
  controlling: "control",
  rolling: "roll",
  consisting: "consist",
  generously: "generous",
  communication: "communic",
  arsenic: "arsenic",
  evening: "evening",
  inning: "inning",
  proceeded: "proceed",
  exceeding: "exceed",
  yellow: "yellow",
  boyish: "boyish",
  say: "say",
  employment: "employ",
  knightly: "knight",
  geologist: "geolog",
  added: "add",
  egg: "egg",
  vying: "vie",
  pasted: "paste",
  paste: "paste",
  early: "earli",
  ugly: "ugli",
  gently: "gentl",
  youth: "youth",
  international: "internat",
  organized: "organiz",
  organic: "organic",
  university: "universiti",
  universe: "univers",
  emergency: "emergenc",
  later: "later",
  interval: "interval",
  fishing: "fish",
  gas: "gas",
  this: "this",
  kiwis: "kiwi",
  disabled: "disabl",
};

test("stems are those of the reference implementation", () => {
  for (const [word, stem] of Object.entries(REFERENCE)) expect([word, englishStem(word)]).toEqual([word, stem]);
});

test("forms of one word have one stem", () => {
  expect(
    new Set(["connect", "connects", "connected", "connecting", "connection", "connections"].map(englishStem)).size,
  ).toBe(1);
  expect(englishStem("elections")).toBe(englishStem("election"));
  expect(englishStem("countries")).toBe(englishStem("country"));
});

test("words that look alike and mean other things keep their own", () => {
  expect(englishStem("news")).not.toBe(englishStem("new"));
  expect(englishStem("university")).not.toBe(englishStem("universe"));
});

test("short words, numbers and other scripts stay", () => {
  for (const word of ["is", "us", "a", "2018", "g20", "covid19", "مراكش", ""]) expect(englishStem(word)).toBe(word);
});
