"""Ten articles, a search, a chain and an answer, by the Python client: API_URL, and INGEST_TOKEN or a key in ISNAD_KEY."""

import os

from isnad import Isnad

key = os.environ.get("ISNAD_KEY") or os.environ.get("INGEST_TOKEN")
articles = [
    {
        "source_id": "newcomer-py",
        "external_id": f"lock-{i}",
        "url": f"https://newcomer.example/lock/{i}",
        "title": f"Lock number {i} opens again",
        "published_at": f"2026-01-0{i % 9 + 1}T08:00:00Z",
        "content": f"Lock number {i} opens again after the repair of the week, said the canal office. "
        + "The boats had waited for days. " * 5,
    }
    for i in range(10)
]
with Isnad(os.environ.get("API_URL", "http://127.0.0.1:8080"), key=key) as isnad:
    results = isnad.ingest_articles(body={"articles": articles})["results"]
    print(*[result["status"] for result in results])
    print("chain of", len(isnad.get_chain(article_id=results[0]["article_id"])["links"]))
    print(isnad.search_articles(q="lock", mode="bm25")["total"], "hits")
    watch = isnad.create_saved_search(name="locks", query={"q": "lock"})
    print("watched:", watch["feeds"] is not None)
    question = [{"role": "user", "content": "Who said that the lock opens again?"}]
    print(*[event["event"] for event in isnad.create_chat_completion_events(messages=question)])
