/** An article with its language, its true story and the one that it was put into. Each alone has a story of its own. */
export type Told = { lang: string; story: string | number; told: string | number };

/** F1 of a precision and a recall. */
export type F1 = { f1: number; precision: number; recall: number };

/** Returns B³: precision and recall of each article's story, averaged over articles (Bagga and Baldwin 1998). */
export function bCubed(articles: readonly Told[]): F1 {
  const told = Map.groupBy(articles, (article) => article.told);
  const stories = Map.groupBy(articles, (article) => article.story);
  let precision = 0;
  let recall = 0;
  for (const { story, told: into } of articles) {
    const group = told.get(into) ?? [];
    const right = group.filter((other) => other.story === story).length;
    precision += right / group.length;
    recall += right / (stories.get(story)?.length ?? 1);
  }
  return f1(precision / articles.length, recall / articles.length);
}

/** Returns the scores over pairs of articles in one story: those of one language, or those of two. */
export function pairScores(articles: readonly Told[], { across }: { across: boolean }): F1 {
  let right = 0;
  let told = 0;
  let true_ = 0;
  for (const [i, a] of articles.entries()) {
    for (const b of articles.slice(i + 1)) {
      if ((a.lang !== b.lang) !== across) continue;
      const isTold = a.told === b.told;
      const isTrue = a.story === b.story;
      told += Number(isTold);
      true_ += Number(isTrue);
      right += Number(isTold && isTrue);
    }
  }
  return f1(told === 0 ? 1 : right / told, true_ === 0 ? 1 : right / true_);
}

/** Returns the share of pairs in one story that two tellings do not have in common. */
export function changedPairs(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  let either = 0;
  let both = 0;
  for (let i = 0; i < a.length; i++) {
    for (let j = i + 1; j < a.length; j++) {
      const inA = a[i] === a[j];
      const inB = b[i] === b[j];
      either += Number(inA || inB);
      both += Number(inA && inB);
    }
  }
  return either === 0 ? 0 : (either - both) / either;
}

function f1(precision: number, recall: number): F1 {
  const sum = precision + recall;
  return { f1: sum === 0 ? 0 : (2 * precision * recall) / sum, precision, recall };
}
