import { StoryList } from "@isnad/lib/contract";
import type { Desk } from "../desk.tsx";
import { Bdi, Dotted, Time } from "../ui/text.tsx";
import type { PageBody, View } from "../view.ts";

/** Adds the front page. */
export function addToday(desk: Desk): void {
  desk.page("/", today, { section: "today" });
}

async function today(view: View): Promise<PageBody> {
  const { t } = view;
  const { stories } = await view.ask(StoryList, "/v1/stories", { query: { sort: "growth", limit: 10 } });
  const body = (
    <>
      <h1>{t.common.nav.today}</h1>
      <ol class="plain">
        {stories.map((story) => (
          <li class="entry">
            <h2>
              <a href={`/stories/${story.story_id}`}>
                <Bdi>{story.title}</Bdi>
              </a>
            </h2>
            <p class="muted">
              <Dotted parts={[t.common.articles(story.size), <Time view={view} at={story.last_seen} />]} />
            </p>
          </li>
        ))}
      </ol>
    </>
  );
  return { title: t.common.nav.today, body };
}
