"""Pushes articles: `INGEST_TOKEN=… python3 examples/push-articles/main.py FILE.jsonl`, one article a line.

Needs Python 3.9 and nothing else. Exits with 1 where an article was refused."""

import json
import os
import sys
import time
import urllib.error
import urllib.request

API_URL = os.environ.get("API_URL", "http://127.0.0.1:8080")
HEADERS = {"Authorization": "Bearer " + os.environ.get("INGEST_TOKEN", ""), "Content-Type": "application/json"}
BATCH = 100  # Most articles that the api takes in one request (its INGEST_MAX_BATCH).


def push(articles):
    """Posts one batch, again while the api is busy (429, 503), and returns what became of each article."""
    data = json.dumps({"articles": articles}).encode()
    while True:
        try:
            request = urllib.request.Request(API_URL + "/v1/ingest/articles", data, HEADERS)
            with urllib.request.urlopen(request) as response:
                return json.load(response)["results"]
        except urllib.error.HTTPError as error:
            if error.code in (429, 503):
                time.sleep(float(error.headers.get("Retry-After", 1)))
                continue
            body = json.load(error)
            if "results" not in body:  # 409 has them: an article is known with another text, and nothing was stored.
                sys.exit(f"{error.code}: {body.get('detail')}")
            return body["results"]
        except urllib.error.URLError as error:
            sys.exit(f"{API_URL} does not answer: {error.reason}")


with open(sys.argv[1] if len(sys.argv) > 1 else "/dev/stdin", encoding="utf-8") as file:
    articles = [json.loads(line) for line in file if line.strip()]
results = [result for at in range(0, len(articles), BATCH) for result in push(articles[at : at + BATCH])]
for result in results:
    print(result["external_id"], result["status"], result.get("article_id", result.get("error", {}).get("detail", "")))
sys.exit(any(result["status"] in ("failed", "conflict") for result in results))
