import { decodeHTML } from "entities/decode";
import { isObject } from "../../std/mod.ts";
import { withoutInvisible } from "../../text/mod.ts";
import { type HtmlDocument, oneLine, taggedIn } from "./dom.ts";
import { readLooseJson } from "./loose-json.ts";

/**
 * The `<meta>` elements of a page: lower-case `name`, `property`, `itemprop` or `http-equiv` to their contents in order
 * (`value` where somebody wrote that).
 */
export type MetaTags = ReadonlyMap<string, readonly string[]>;

const MAX_TAGS = 500;

/** Reads the `<meta>` elements of a page, empty ones left out. */
export function readMeta(document: HtmlDocument): MetaTags {
  const tags = new Map<string, string[]>();
  let seen = 0;
  for (const element of taggedIn(document, "meta")) {
    if (++seen > MAX_TAGS) break;
    const content = withoutInvisible(element.getAttribute("content") ?? element.getAttribute("value") ?? "")
      .replace(/\s+/g, " ")
      .trim();
    if (content === "") continue;
    for (const attribute of ["property", "name", "itemprop", "http-equiv"]) {
      for (const name of (element.getAttribute(attribute) ?? "").toLowerCase().split(/\s+/)) {
        if (name === "") continue;
        const list = tags.get(name);
        if (list === undefined) tags.set(name, [content]);
        else list.push(content);
      }
    }
  }
  return tags;
}

/** Returns the first content among the names, in the order of the names; empty when there is none. */
export function firstMeta(tags: MetaTags, names: readonly string[]): string {
  for (const name of names) {
    const value = tags.get(name)?.[0];
    if (value !== undefined) return value;
  }
  return "";
}

/** Returns the title that a page gives itself: `og:title`, else `<title>`. */
export function statedTitle(document: HtmlDocument): string {
  const property = taggedIn(document, "meta")
    .find((meta) => meta.getAttribute("property") === "og:title")
    ?.getAttribute("content");
  return oneLine(property) || oneLine(taggedIn(document, "title")[0]?.textContent);
}

/** Holds what a page says of its article in JSON-LD (schema.org); empty where it says nothing. */
export interface LinkedData {
  readonly types: readonly string[];
  readonly headline: string;
  readonly published: string;
  readonly modified: string;
  readonly authors: readonly string[];
  /** Those among the authors that it calls organisations. */
  readonly organisations: readonly string[];
  readonly image: string;
  readonly body: string;
  /** True where the body holds the updates of a live blog. */
  readonly isLive: boolean;
  readonly section: string;
  readonly language: string;
  readonly publisher: string;
  readonly url: string;
  /** False when the article, the page or a part of them is not free to read; null when nothing is said of it. */
  readonly isFree: boolean | null;
  /** Holds what the page checked: its ClaimReviews as JSON, without what else they say. */
  readonly claimReviews: readonly string[];
}

type Json = { readonly [key: string]: unknown };

const ARTICLE = /(?:Article|BlogPosting|Posting|Report|Review|Recipe|HowTo|NewsItem|Column)$/;
const PAGE = /(?:WebPage|ItemPage|VideoObject|Product|Course|CreativeWork|LearningResource)$/;
const MAX_NODES = 2000;
/** UTF-16 units of JSON-LD that are read of a page. */
const MAX_SCRIPTS = 4_000_000;

/** Reads the JSON-LD of a page and returns its article node, or its page node, with references by `@id` followed. */
export function readLinkedData(document: HtmlDocument): LinkedData | null {
  const nodes: Json[] = [];
  let left = MAX_SCRIPTS;
  for (const script of taggedIn(document, "script")) {
    if (!(script.getAttribute("type") ?? "").toLowerCase().includes("ld+json")) continue;
    const source = script.textContent ?? "";
    left -= source.length;
    if (left < 0) break;
    for (const value of readLooseJson(isEscaped(source) ? decodeHTML(source) : source)) collect(value, nodes, 0);
  }
  const byId = new Map<string, Json>();
  for (const node of nodes) {
    const id = node["@id"];
    if (typeof id === "string" && Object.keys(node).length > 1 && !byId.has(id)) byId.set(id, node);
  }
  const article = best(nodes, ARTICLE);
  const page = best(nodes, PAGE);
  const chosen = article ?? page;
  if (chosen === undefined) return null;
  const live = nodes.find((node) => node.liveBlogUpdate !== undefined);
  const surroundings = { page: article === undefined ? undefined : page, live, byId };
  return { ...describe(chosen, surroundings), claimReviews: claimReviewsOf(nodes, byId) };
}

/** ClaimReviews of a page, and UTF-16 units of one as JSON. */
const MAX_REVIEWS = 10;
const MAX_REVIEW = 8_000;

const REVIEW_KEYS = [
  "claimReviewed",
  "url",
  "author",
  "publisher",
  "datePublished",
  "inLanguage",
  "reviewRating",
  "itemReviewed",
];

/** Returns what the ClaimReviews of a page say, with what they refer to by `@id`; one that is too large is left out. */
function claimReviewsOf(nodes: readonly Json[], byId: ReadonlyMap<string, Json>): string[] {
  const follow = (value: unknown): unknown => {
    const id = isObject(value) && Object.keys(value).length === 1 ? value["@id"] : undefined;
    return typeof id === "string" ? (byId.get(id) ?? value) : value;
  };
  return nodes
    .filter((node) => typesOf(node).includes("ClaimReview"))
    .slice(0, MAX_REVIEWS)
    .map((node) => {
      const said = REVIEW_KEYS.filter((key) => node[key] !== undefined).map((key) => [key, follow(node[key])]);
      return JSON.stringify({ "@type": "ClaimReview", ...Object.fromEntries(said) });
    })
    .filter((review) => review.length <= MAX_REVIEW);
}

/** Returns true for JSON whose quotes are character references. */
function isEscaped(source: string): boolean {
  return source.includes("&quot;") && !source.includes('"');
}

/** Returns the article or page that carries most of the wanted keys; the first of equals. */
function best(nodes: readonly Json[], type: RegExp): Json | undefined {
  const keys = ["headline", "datePublished", "author", "articleBody", "mainEntityOfPage"];
  let top: Json | undefined;
  let most = -1;
  for (const node of nodes) {
    if (!typesOf(node).some((name) => type.test(name))) continue;
    const score = keys.filter((key) => node[key] !== undefined).length;
    if (score > most) {
      most = score;
      top = node;
    }
  }
  return top;
}

interface Surroundings {
  readonly page: Json | undefined;
  /** The node with the updates of a live blog. */
  readonly live: Json | undefined;
  readonly byId: ReadonlyMap<string, Json>;
}

function describe(node: Json, { page, live, byId }: Surroundings): Omit<LinkedData, "claimReviews"> {
  const follow = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const id = value["@id"];
    return typeof id === "string" && value.name === undefined && value.url === undefined
      ? (byId.get(id) ?? value)
      : value;
  };
  const first = (value: unknown): unknown => follow(Array.isArray(value) ? value[0] : value);
  const namesUnder = (value: unknown, depth = 0): string[] => {
    const item = follow(value);
    if (depth > MAX_NAME_DEPTH) return [];
    if (Array.isArray(item)) return item.flatMap((each) => namesUnder(each, depth + 1));
    if (!isObject(item) || item["@value"] !== undefined) return [text(item)];
    const inner = item.name ?? item["@list"] ?? item["@set"] ?? item.author;
    if (inner !== undefined) return namesUnder(inner, depth + 1);
    return [[item.givenName, item.familyName].map(text).join(" ").trim() || text(item.legalName ?? item.alternateName)];
  };
  const address = (value: unknown): string => {
    const item = first(value);
    return isObject(item) ? text(item.url ?? item.contentUrl ?? item["@id"]) : text(item);
  };
  const authors = [node.author ?? node.creator ?? live?.author].flat().map(follow);
  const namesOf = (items: readonly unknown[]) => [
    ...new Set(items.flatMap((item) => namesUnder(item)).filter((name) => name !== "")),
  ];
  const isOrganisation = (item: unknown) => isObject(item) && typesOf(item).some((type) => /Organization$/.test(type));
  const updates = updatesOf(live);
  const body = textsOf(node.articleBody) || text(node.text);
  return {
    types: typesOf(node),
    headline: text(node.headline) || text(node.name),
    published: text(first(node.datePublished)) || text(first(page?.datePublished)),
    modified: text(first(node.dateModified)) || text(first(page?.dateModified)),
    authors: namesOf(authors),
    organisations: namesOf(authors.filter(isOrganisation)),
    image: address(node.image ?? node.thumbnailUrl ?? page?.image),
    body: [body, ...updates].filter((part) => part !== "").join("\n\n"),
    isLive: updates.length > 0,
    section: text(first(node.articleSection)),
    language: text(first(node.inLanguage ?? page?.inLanguage)),
    publisher: namesUnder(first(node.publisher))[0] ?? "",
    url: address(node.mainEntityOfPage) || address(node.url),
    isFree: isFree([node, page].flatMap((item) => [item, follow(item?.hasPart)].flat())),
  };
}

const MAX_NAME_DEPTH = 5;
const MAX_UPDATES = 500;

/** Returns the updates of a live blog as the page orders them, each a headline and its text. */
function updatesOf(live: Json | undefined): string[] {
  const updates = [live?.liveBlogUpdate].flat().filter(isObject).slice(0, MAX_UPDATES);
  return updates.map((update) => {
    const body = textsOf(update.articleBody) || text(update.text) || text(update.description);
    const headline = text(update.headline) || text(update.name);
    return headline === "" || body.startsWith(headline) ? body : `${headline}\n\n${body}`.trim();
  });
}

/** Returns a text, or several as paragraphs. */
function textsOf(value: unknown): string {
  return Array.isArray(value) ? value.map(text).join("\n\n") : text(value);
}

/** Values as sites write them: booleans, "True", "http://schema.org/False". */
function isFree(items: readonly unknown[]): boolean | null {
  const stated = items
    .filter(isObject)
    .map((item) => /(true|false)$/i.exec(String(item.isAccessibleForFree ?? ""))?.[1]?.toLowerCase());
  if (stated.includes("false")) return false;
  return stated.includes("true") ? true : null;
}

function typesOf(node: Json): string[] {
  return [node["@type"]].flat().filter((type) => typeof type === "string");
}

function collect(value: unknown, into: Json[], depth: number): void {
  if (into.length >= MAX_NODES || depth > 6) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, into, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  const node = unprefixed(value);
  if (node["@type"] !== undefined) into.push(node);
  for (const key of [
    "@graph",
    "mainEntity",
    "mainEntityOfPage",
    "author",
    "publisher",
    "image",
    "itemListElement",
    "hasPart",
  ]) {
    const inner = node[key];
    if (typeof inner === "object") collect(inner, into, depth + 1);
  }
}

const PREFIX = /^(?:schema:|https?:\/\/schema\.org\/)/;

/** Returns a node with the plain names of schema.org, where it spells them out. */
function unprefixed(node: Json): Json {
  const keys = Object.keys(node);
  if (!keys.some((key) => PREFIX.test(key))) return node;
  return Object.fromEntries(keys.map((key) => [key.replace(PREFIX, ""), node[key]]));
}

function text(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (isObject(value)) return typeof value["@value"] === "object" ? "" : text(value["@value"]);
  return typeof value === "string" ? decodeHTML(value).trim() : "";
}
