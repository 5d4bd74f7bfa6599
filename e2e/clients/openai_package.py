"""Speaks to a platform by OpenAI's own package, and prints what came, a line of JSON a call. Exit code 3: there is none."""

import json
import sys
from collections.abc import Callable
from typing import Any

try:
    from openai import AuthenticationError, NotFoundError, OpenAI
except ImportError:
    sys.exit(3)


def show(call: Callable[[], Any]) -> None:
    try:
        print(json.dumps(call(), ensure_ascii=False))
    except (AuthenticationError, NotFoundError) as error:
        print(json.dumps({"error": type(error).__name__, "status": error.status_code}))


def main(base_url: str, key: str) -> None:
    client = OpenAI(base_url=base_url, api_key=key, max_retries=0)
    messages: Any = [{"role": "user", "content": "سؤال"}]

    def answer() -> Any:
        completion = client.chat.completions.create(model="isnad", messages=messages)
        return {
            "text": completion.choices[0].message.content,
            "usage": completion.usage and completion.usage.total_tokens,
        }

    def stream() -> Any:
        chunks = client.chat.completions.create(model="isnad", messages=messages, stream=True)
        parts = [chunk.choices[0] for chunk in chunks if chunk.choices]
        return {"text": "".join(part.delta.content or "" for part in parts), "end": parts[-1].finish_reason}

    show(answer)
    show(stream)
    show(lambda: sorted(model.id for model in client.models.list()))
    show(lambda: client.models.retrieve("isnad").id)
    show(lambda: client.models.retrieve("nothing").id)
    show(lambda: [each.embedding for each in client.embeddings.create(model="small@1", input=["a", "b"]).data])
    stranger = OpenAI(base_url=base_url, api_key="wrong", max_retries=0)
    show(lambda: [model.id for model in stranger.models.list()])


main(sys.argv[1], sys.argv[2])
