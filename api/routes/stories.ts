import {
  StoriesQuery,
  storyCursor,
  StoryList,
  StoryParams,
  type StoryView,
  storyWindow,
  WholeStoryView,
} from "@isnad/lib/contract";
import {
  type Access,
  answer,
  AppError,
  createRoute,
  type HttpEnv,
  type Limiter,
  type OpenAPIHono,
  problems,
} from "@isnad/lib/service/http";
import type { Story, StoryArticle } from "@isnad/lib/store";
import { queryStems } from "@isnad/lib/stories";
import { nameKey } from "@isnad/lib/text";
import type { ApiDeps } from "../deps.ts";

/** GET /v1/stories and /v1/stories/{story_id}: events, each with the articles that tell of it. */
export function addStories(
  app: OpenAPIHono<HttpEnv>,
  { access, store, limiter }: Pick<ApiDeps, "store"> & { access: Access; limiter: Limiter },
): void {
  const read = access.read();

  app.openapi({ ...list, middleware: [read] }, async (c) => {
    const { q, entity, min_size: minSize, cursor, from, to, ...query } = c.req.valid("query");
    const window = storyWindow({ cursor, from, to });
    const words = q === undefined ? undefined : queryStems(q);
    // What has no words is in no headline.
    if (words?.length === 0) return c.json({ stories: [], next_cursor: null }, 200);
    const ask = () =>
      store.stories.list({
        ...query,
        ...window,
        minSize,
        words,
        entity: entity === undefined ? undefined : { id: numberOf(entity), key: nameKey(entity) },
        after: cursor && { value: cursor.value, storyId: cursor.storyId },
      });
    const { stories, next } = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
    const next_cursor = next && storyCursor({ ...next, ...window, sort: query.sort });
    return c.json({ stories: stories.map(storyView), next_cursor }, 200);
  });

  app.openapi({ ...show, middleware: [read] }, async (c) => {
    const { story_id } = c.req.valid("param");
    const ask = () => store.stories.get(story_id, c.req.valid("query"));
    const story = await limiter.run(ask, { signal: c.req.raw.signal, client: c.var.client });
    if (story === undefined) throw new AppError("not-found", `There is no story ${story_id}.`);
    const { mergedInto, articles } = story;
    return c.json({ ...storyView(story), merged_into: mergedInto, articles: articles.map(articleView) }, 200);
  });
}

const numberOf = (entity: string): number | undefined => (/^[1-9]\d{0,14}$/.test(entity) ? Number(entity) : undefined);

function storyView(story: Story): StoryView {
  return {
    story_id: story.storyId,
    title: story.title,
    languages: story.languages,
    first_seen: story.firstSeen,
    last_seen: story.lastSeen,
    size: story.size,
    sources: story.sources.map(({ sourceId, sourceName, count, firstAt }) => ({
      source_id: sourceId,
      source_name: sourceName,
      count,
      first_at: firstAt,
    })),
    entities: story.entities.map(({ entityId, name, articles }) => ({ entity_id: entityId, name, articles })),
    article_ids: story.articleIds,
    growth: story.growth,
  };
}

const articleView = ({ articleId, sourceId, sourceName, title, url, lang, publishedAt }: StoryArticle) => ({
  article_id: articleId,
  source_id: sourceId,
  source_name: sourceName,
  title,
  url,
  lang,
  published_at: publishedAt,
});

const list = createRoute({
  method: "get",
  path: "/v1/stories",
  operationId: "listStories",
  tags: ["stories"],
  summary: "List events with the articles that tell of them, in both languages",
  description:
    "A story is one concrete event with its direct follow-ups, not a topic: reports of it follow each other within two days. " +
    "It is listed when one of its articles meets all conditions; what is shown of it counts all its articles. An article is " +
    "put into its story within a minute after it can be searched; a late one may join or part stories.",
  security: [{}, { publicKey: [] }],
  request: { query: StoriesQuery },
  responses: {
    200: answer("Stories in the asked order.", StoryList),
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});

const show = createRoute({
  method: "get",
  path: "/v1/stories/{story_id}",
  operationId: "getStory",
  tags: ["stories"],
  summary: "Show a story with all its articles",
  description: "A story keeps its number. One that was merged into another answers with that one, and says so.",
  security: [{}, { publicKey: [] }],
  request: { params: StoryParams.path, query: StoryParams.query },
  responses: {
    200: answer("The story.", WholeStoryView),
    ...problems("unauthorized", "not-found", "validation-error", "overloaded", "service-unavailable"),
  },
});
