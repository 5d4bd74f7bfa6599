import { isObject, parseJson } from "../../std/mod.ts";
import { decodeHTML } from "entities/decode";
import type { HtmlDocument } from "./dom.ts";
import { taggedIn } from "./elements.ts";

/** What a page says of its article in JSON-LD (schema.org); empty where it says nothing. */
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
  readonly section: string;
  readonly language: string;
  readonly publisher: string;
  readonly url: string;
  /** False when the article, the page or a part of them is not free to read; null when nothing is said of it. */
  readonly isFree: boolean | null;
}

type Json = { readonly [key: string]: unknown };

const ARTICLE = /(?:Article|BlogPosting|Posting|Report|Review|Recipe|HowTo|NewsItem|Column)$/;
const PAGE = /(?:WebPage|ItemPage|VideoObject|Product|Course|CreativeWork|LearningResource)$/;
const MAX_NODES = 2000;
const MAX_SCRIPT = 2_000_000;

/** Reads the JSON-LD of a page and returns its article node, or its page node, with references by `@id` followed. */
export function readLinkedData(document: HtmlDocument): LinkedData | null {
  const nodes: Json[] = [];
  for (const script of taggedIn(document, "script")) {
    if (!(script.getAttribute("type") ?? "").includes("ld+json")) continue;
    const value = parseLoosely(script.textContent ?? "");
    if (value !== undefined) collect(value, nodes, 0);
  }
  const byId = new Map<string, Json>();
  for (const node of nodes) {
    const id = node["@id"];
    if (typeof id === "string" && Object.keys(node).length > 1 && !byId.has(id)) byId.set(id, node);
  }
  const article = best(nodes, ARTICLE);
  const page = best(nodes, PAGE);
  const chosen = article ?? page;
  return chosen === undefined ? null : describe(chosen, article === undefined ? undefined : page, byId);
}

/** The article or page that carries most of the wanted keys; the first of equals. */
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

function describe(node: Json, page: Json | undefined, byId: ReadonlyMap<string, Json>): LinkedData {
  const follow = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const id = value["@id"];
    return typeof id === "string" && value.name === undefined && value.url === undefined
      ? (byId.get(id) ?? value)
      : value;
  };
  const first = (value: unknown): unknown => follow(Array.isArray(value) ? value[0] : value);
  const named = (value: unknown): string => {
    const item = follow(value);
    return isObject(item) ? text(Array.isArray(item.name) ? item.name[0] : item.name) : text(item);
  };
  const address = (value: unknown): string => {
    const item = first(value);
    return isObject(item) ? text(item.url ?? item.contentUrl ?? item["@id"]) : text(item);
  };
  const authors = [node.author ?? node.creator].flat().map(follow);
  const namesOf = (items: readonly unknown[]) => [...new Set(items.map(named).filter((name) => name !== ""))];
  const isOrganisation = (item: unknown) => isObject(item) && typesOf(item).some((type) => /Organization$/.test(type));
  return {
    types: typesOf(node),
    headline: text(node.headline) || text(node.name),
    published: text(first(node.datePublished)) || text(first(page?.datePublished)),
    modified: text(first(node.dateModified)) || text(first(page?.dateModified)),
    authors: namesOf(authors),
    organisations: namesOf(authors.filter(isOrganisation)),
    image: address(node.image ?? node.thumbnailUrl ?? page?.image),
    body: text(node.articleBody) || text(node.text),
    section: text(first(node.articleSection)),
    language: text(first(node.inLanguage ?? page?.inLanguage)),
    publisher: named(first(node.publisher)),
    url: address(node.mainEntityOfPage) || address(node.url),
    isFree: isFree([node, page].flatMap((item) => [item, follow(item?.hasPart)].flat())),
  };
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
  if (value["@type"] !== undefined) into.push(value);
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
    const inner = value[key];
    if (typeof inner === "object") collect(inner, into, depth + 1);
  }
}

function text(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? decodeHTML(value).trim() : "";
}

/** JSON as sites really write it: in a comment or CDATA, with raw line breaks in strings or a comma too many. */
function parseLoosely(source: string): unknown {
  if (source.length > MAX_SCRIPT) return undefined;
  const bare = source
    .trim()
    .replace(/^(?:<!--|\/\*<!\[CDATA\[\*\/|<!\[CDATA\[)|(?:-->|\/\*\]\]>\*\/|\]\]>)(?:\s{0,9};)?$/g, "")
    .trim();
  return parseJson(bare) ?? parseJson(mend(bare));
}

function mend(source: string): string {
  return source
    .replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g, (string) =>
      string.replace(/\p{Cc}/gu, " ").replace(/\\(?!["\\/bfnrtu])/g, "\\\\"),
    )
    .replace(/,\s*(?=[}\]])/g, "")
    .replace(/;\s*$/, "");
}
