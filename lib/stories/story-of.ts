/** Names the story of an article, and its other articles. */
export type ArticleStory = {
  storyId: number | null;
  reports: {
    articleId: number;
    sourceId: string;
    sourceName: string;
    title: string;
    url: string;
    publishedAt: string | null;
  }[];
};

/** Returns the story of an article; none while stories are not told apart. */
export async function storyOf(_articleId: number): Promise<ArticleStory> {
  return { storyId: null, reports: [] };
}
