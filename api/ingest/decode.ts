import { AppError, invalidFields } from "@isnad/lib/service/http";
import { isObject } from "@isnad/lib/std";

/**
 * The items of a request: the entries of `articles`, or the body itself as one item. Throws an {@link AppError}: 400
 * for malformed JSON, 422 for another shape or an empty batch, 413 for more than `maxBatch` items.
 */
export function itemsOf(text: string, maxBatch: number): unknown[] {
  const body = parse(text);
  if (!isObject(body)) throw invalidFields({ body: ["must be an article or an object with `articles`"] });
  if (!Object.hasOwn(body, "articles")) return [body];
  const { articles } = body;
  if (!Array.isArray(articles)) throw invalidFields({ articles: ["must be an array"] });
  if (articles.length === 0) throw invalidFields({ articles: ["must hold at least one article"] });
  if (articles.length > maxBatch) {
    const detail = `The batch has ${articles.length} articles; at most ${maxBatch} are allowed.`;
    throw new AppError("batch-too-large", detail);
  }
  return articles;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("malformed-json", "The body is not valid JSON.", { cause });
  }
}
