import { analyse, queryWords } from "@isnad/lib/text";

/**
 * A filter by keywords: a text passes when it has every word of the query, in whatever form. Words are compared as
 * searches compare them: Arabic letters folded, without clitics, by stem. A query without a word lets everything pass.
 */
export function keywordFilter(query: string): (title: string, content: string) => boolean {
  const required = queryWords(query).map(({ terms }) => terms.stems);
  if (required.length === 0) return () => true;
  return (title, content) => {
    const stems = new Set(analyse(`${title}\n${content}`).flatMap(({ terms }) => terms.stems));
    return required.every((forms) => forms.every((stem) => stems.has(stem)));
  };
}
