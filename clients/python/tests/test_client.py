"""How the Python client sends, tries again, and reads."""

from __future__ import annotations

import asyncio
import json
import unittest
from collections.abc import Callable
from typing import Any

import httpx

from isnad import AsyncIsnad, Isnad, IsnadError

Answer = Callable[[httpx.Request], httpx.Response]


def problem(status: int, slug: str, errors: Any = None, **headers: str) -> httpx.Response:
    body = {"type": f"/errors/{slug}", "title": "T", "status": status, "detail": "No.", "errors": errors}
    return httpx.Response(status, json=body, headers=headers)


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.seen: list[httpx.Request] = []

    def client(self, answer: Answer) -> Isnad:
        def hear(request: httpx.Request) -> httpx.Response:
            self.seen.append(request)
            return answer(request)

        return Isnad("http://isnad.test", key="k-1", transport=httpx.MockTransport(hear))

    def test_puts_path_query_and_body_where_the_document_says(self) -> None:
        isnad = self.client(lambda _: httpx.Response(200, json={"total": 1}))
        self.assertEqual(isnad.search_articles(q="ميناء", limit=3, rerank=True), {"total": 1})
        isnad.update_source(key="a/b", active=False)
        search, update = self.seen
        self.assertEqual(dict(search.url.params), {"q": "ميناء", "limit": "3", "rerank": "true"})
        self.assertEqual(search.headers["authorization"], "Bearer k-1")
        self.assertEqual(update.url.raw_path, b"/v1/sources/a%2Fb")
        self.assertEqual(json.loads(update.content), {"active": False})

    def test_an_error_names_the_fields_and_is_not_tried_again(self) -> None:
        isnad = self.client(lambda _: problem(422, "validation-error", {"limit": ["must be at most 100"]}))
        with self.assertRaises(IsnadError) as caught:
            isnad.search_articles(q="a", limit=500)
        self.assertEqual((caught.exception.status, caught.exception.slug), (422, "validation-error"))
        self.assertIn("limit must be at most 100", str(caught.exception))
        self.assertEqual(len(self.seen), 1)

    def test_articles_are_admitted_under_one_key_however_often_they_are_sent(self) -> None:
        answers = iter([problem(503, "service-unavailable", **{"retry-after": "0"}), httpx.Response(202, json={})])
        self.client(lambda _: next(answers)).ingest_articles(body={"articles": []})
        first, second = (request.headers["idempotency-key"] for request in self.seen)
        self.assertEqual(first, second)

    def test_what_may_have_done_something_is_not_tried_again(self) -> None:
        isnad = self.client(lambda _: problem(503, "service-unavailable", **{"retry-after": "0"}))
        with self.assertRaises(IsnadError):
            isnad.summarize_text(text="a")
        self.assertEqual(len(self.seen), 1)

    def test_where_nobody_answers(self) -> None:
        def refuse(request: httpx.Request) -> httpx.Response:
            raise httpx.ConnectError("refused", request=request)

        isnad = Isnad("http://isnad.test", retries=0, transport=httpx.MockTransport(refuse))
        with self.assertRaises(IsnadError) as caught:
            isnad.get_article(article_id=1)
        self.assertEqual((caught.exception.status, caught.exception.slug), (0, "no-answer"))

    def test_pages_to_the_end(self) -> None:
        def page(request: httpx.Request) -> httpx.Response:
            return httpx.Response(
                200, json={"sources": [], "next_cursor": None if "cursor" in request.url.params else "c"}
            )

        self.assertEqual(len(list(self.client(page).list_sources_pages(limit=2))), 2)

    def test_events_to_the_end_or_the_error(self) -> None:
        text = 'event: meta\ndata: {"sources": []}\n\n: keep-alive\n\nevent: delta\ndata: {"text": "مر"}\n\n'
        isnad = self.client(lambda _: httpx.Response(200, text=text + "data: [DONE]\n\n"))
        events = list(isnad.create_chat_completion_events(messages=[{"role": "user", "content": "سؤال"}]))
        self.assertEqual([event["event"] for event in events], ["meta", "delta"])
        broken = self.client(lambda _: httpx.Response(200, text=text + 'event: error\ndata: {"detail": "Off."}\n\n'))
        with self.assertRaises(IsnadError):
            list(broken.create_chat_completion_events(messages=[{"role": "user", "content": "سؤال"}]))

    def test_the_asynchronous_client_does_the_same(self) -> None:
        async def run() -> list[Any]:
            answer = httpx.MockTransport(lambda _: httpx.Response(200, json={"sources": [], "next_cursor": None}))
            async with AsyncIsnad("http://isnad.test", transport=answer) as isnad:
                return [page async for page in isnad.list_sources_pages()]

        self.assertEqual(asyncio.run(run()), [{"sources": [], "next_cursor": None}])


if __name__ == "__main__":
    unittest.main()
