# Made by `bun run clients` from the OpenAPI documents of the services: do not edit.
"""Shapes of the platform's requests and answers, and a method for each operation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Literal, TypeAlias, TypedDict, cast
from urllib.parse import quote

from typing_extensions import NotRequired


def _part(value: object) -> str:
    return quote(str(value), safe="")


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


WebhookEvent: TypeAlias = "WebhookEventValue1 | WebhookEventValue2 | WebhookEventValue3 | WebhookEventValue4 | WebhookEventValue5 | WebhookEventValue6 | WebhookEventValue7 | WebhookEventValue8 | WebhookEventValue9 | WebhookEventValue10 | WebhookEventValue11 | WebhookEventValue12"


class WebhookEventValue1(TypedDict):
    id: int
    type: Literal["article.upserted"]
    occurred_at: str
    article: EventArticle


class WebhookEventValue2(TypedDict):
    id: int
    type: Literal["article.deleted"]
    occurred_at: str
    article: EventArticle


class WebhookEventValue3(TypedDict):
    id: int
    type: Literal["article.revised"]
    occurred_at: str
    article: EventArticle
    revision: EventRevision


class WebhookEventValue4(TypedDict):
    id: int
    type: Literal["story.created"]
    occurred_at: str
    story: EventStory


class WebhookEventValue5(TypedDict):
    id: int
    type: Literal["story.updated"]
    occurred_at: str
    story: EventStory


class WebhookEventValue6(TypedDict):
    id: int
    type: Literal["story.merged"]
    occurred_at: str
    story_id: int
    merged_into: int


class WebhookEventValue7(TypedDict):
    id: int
    type: Literal["claim.repeated"]
    occurred_at: str
    article: EventArticle
    claim: EventClaim
    reviews: list[EventReview]


class WebhookEventValue8(TypedDict):
    id: int
    type: Literal["source.quiet"]
    occurred_at: str
    source: EventSource


class WebhookEventValue9(TypedDict):
    id: int
    type: Literal["source.doubled"]
    occurred_at: str
    source: EventSource


class WebhookEventValue10(TypedDict):
    id: int
    type: Literal["source.usual"]
    occurred_at: str
    source: EventSource


class WebhookEventValue11(TypedDict):
    id: int
    type: Literal["search.matched"]
    occurred_at: str
    article: EventArticle
    search_id: int
    name: str
    repeated: NotRequired[bool]


class WebhookEventValue12(TypedDict):
    id: int
    type: Literal["search.digest"]
    occurred_at: str
    search_id: int
    name: str
    repeated: NotRequired[bool]
    matches: list[EventMatch]


class EventArticle(TypedDict):
    article_id: int
    doc_id: str
    source_id: str
    url: str
    title: str
    lang: str | None
    published_at: str | None
    content_hash: str


class EventRevision(TypedDict):
    revision: int
    kind: Literal["changed", "deleted_at_source"]
    title: NotRequired[str]
    content_hash: NotRequired[str]
    reported_by: EventRevisionReportedBy


class EventRevisionReportedBy(TypedDict):
    source_id: str
    external_id: str


class EventStory(TypedDict):
    story_id: int
    title: str | None
    size: int
    languages: list[str]


class EventClaim(TypedDict):
    claim_id: int
    text: str
    lang: str
    offsets: EventClaimOffsets
    articles: int


class EventClaimOffsets(TypedDict):
    start: int
    end: int


class EventReview(TypedDict):
    review_id: int
    rating: int | None
    publisher: str
    url: str | None


class EventSource(TypedDict):
    key: str
    name: str
    last_day: int
    usual: float | None


class EventMatch(TypedDict):
    id: int
    matched_at: str
    article: EventArticle


class TextDifference(TypedDict):
    title: TextDifferenceTitle | None
    sentences: list[TextDifferenceSentencesItem]
    unchanged: int


class TextDifferenceTitle(TypedDict):
    before: str
    after: str


class TextDifferenceSentencesItem(TypedDict):
    change: Literal["removed", "added"]
    text: str


class NewReview(TypedDict):
    claim_id: NotRequired[int | None]
    claim_text: NotRequired[str]
    lang: NotRequired[Literal["ar", "en"]]
    rating: int | None
    rating_text: NotRequired[str | None]
    url: NotRequired[str | None]
    publisher: str
    published_at: NotRequired[str | None]
    claimant: NotRequired[str | None]
    claimed_at: NotRequired[str | None]
    appearances: NotRequired[list[str]]


class NewReviews(TypedDict):
    reviews: list[NewReview]


class SearchNotify(TypedDict):
    webhook: NotRequired[str | None]
    digest: NotRequired[Literal["none", "hourly", "daily"]]


class ChatUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Health(TypedDict):
    status: Literal["ok", "degraded"]
    service: str
    version: str
    uptime_s: float
    deps: dict[str, Literal["ok", "fail"] | dict[str, Literal["ok", "fail"]]]
    reasons: NotRequired[dict[str, str]]
    components: NotRequired[dict[str, HealthComponentsValue]]


class HealthComponentsValue(TypedDict):
    kind: Literal["model", "lexicon"]
    version: str
    licence: str


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: NotRequired[dict[str, list[str]]]
    error: NotRequired[ProblemError]
    closest: NotRequired[ProblemClosest]
    reason: NotRequired[str]


class ProblemError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str


class ProblemClosest(TypedDict):
    sentence_id: int
    text: str
    match_score: float


class IngestResponse(TypedDict):
    schema: Literal["ingest.v1"]
    summary: IngestResponseSummary
    results: list[IngestResult]


class IngestResponseSummary(TypedDict):
    request_id: str
    received: int
    accepted: int
    failed: int
    conflicts: int


class IngestResult(TypedDict):
    external_id: str | None
    status: Literal["accepted", "duplicate", "conflict", "failed"]
    article_id: NotRequired[int]
    error: NotRequired[IngestResultError]


class IngestResultError(TypedDict):
    type: str
    title: Literal["Invalid Payload"]
    detail: str
    errors: NotRequired[dict[str, list[str]]]


IngestConflict: TypeAlias = "dict[str, Any]"


class IngestItem(TypedDict):
    source_id: str
    external_id: str
    url: str
    title: str
    content: str
    canonical_url: NotRequired[str | None]
    lang: NotRequired[Literal["ar", "en", None]]
    published_at: NotRequired[str]
    authors: NotRequired[list[str]]
    images: NotRequired[list[str]]
    raw: NotRequired[dict[str, Any]]
    category_label: NotRequired[str]
    provider: NotRequired[str]
    category_confidence: NotRequired[float]


class RelationsReceipt(TypedDict):
    doc_id: str
    article_id: int
    stored: int
    entities: int
    enrichment_status: Literal["ok", "cached", "timeout", "error", "skipped"]
    request_id: str


class RelationsPackage(TypedDict):
    doc_id: str | int
    lang: NotRequired[str]
    task_version: NotRequired[str]
    nlp_lab_version: NotRequired[str]
    enrichment_status: Literal["ok", "cached", "timeout", "error", "skipped"]
    relations: NotRequired[list[RelationOfPackage]]
    enrich_ms: NotRequired[int]


class RelationOfPackage(TypedDict):
    type: str
    args: dict[str, str]
    confidence: float
    offsets: RelationOfPackageOffsets


class RelationOfPackageOffsets(TypedDict):
    start: int
    end: int


class RevisionResponse(TypedDict):
    schema: Literal["revisions.v1"]
    summary: RevisionResponseSummary
    results: list[RevisionResult]


class RevisionResponseSummary(TypedDict):
    request_id: str
    received: int
    recorded: int
    known: int
    failed: int


class RevisionResult(TypedDict):
    external_id: str | None
    status: Literal["recorded", "known", "failed"]
    article_id: NotRequired[int]
    revision: NotRequired[int]
    error: NotRequired[RevisionResultError]


class RevisionResultError(TypedDict):
    type: str
    title: Literal["Invalid Payload"]
    detail: str
    errors: NotRequired[dict[str, list[str]]]


class DeletionReport(TypedDict):
    kind: Literal["deleted_at_source"]
    source_id: str
    external_id: str
    url: NotRequired[str | None]


ChangeReport: TypeAlias = "dict[str, Any]"


class Revisions(TypedDict):
    article_id: int
    doc_id: str
    gone_at: str | None
    sources: list[RevisionsSourcesItem]
    revisions: list[Revision]
    next_cursor: str | None


class RevisionsSourcesItem(TypedDict):
    source_id: str
    external_id: str
    url: str
    revision: int
    gone_at: str | None


class Revision(TypedDict):
    revision: int
    kind: Literal["stored", "changed", "deleted_at_source"]
    at: str
    title: str | None
    content: str | None
    content_hash: str | None
    url: str | None
    reported_by: RevisionReportedBy
    difference: TextDifference | None


class RevisionReportedBy(TypedDict):
    source_id: str
    external_id: str
    request_id: str | None


class Article(TypedDict):
    article_id: int
    doc_id: str
    source_id: str
    external_id: str
    url: str
    canonical_url: str
    title: str
    content: str
    summary: str | None
    lang: str | None
    published_at: str | None
    authors: list[str]
    images: list[str]
    category_label: str | None
    provider: str | None
    category_id: str | None
    category_source: str | None
    category_confidence: float | None
    taxonomy_version: str | None
    content_hash: str
    state: Literal["accepted", "normalized", "indexed", "failed"]
    state_reason: str | None
    gone_at: str | None
    paywalled: bool
    story_id: int | None
    entities: list[ArticleEntitiesItem]
    relations: list[ArticleRelationsItem]
    near_duplicates: list[ArticleNearDuplicatesItem]
    stages: list[ArticleStagesItem]
    raw: NotRequired[dict[str, Any] | None]


class ArticleEntitiesItem(TypedDict):
    entity_id: int
    name: str
    type: str
    mentions: int
    confidence: float | None
    offsets: list[ArticleEntitiesItemOffsetsItem]


class ArticleEntitiesItemOffsetsItem(TypedDict):
    start: int
    end: int


class ArticleRelationsItem(TypedDict):
    type: str
    args: dict[str, Any]
    confidence: float
    offsets: ArticleRelationsItemOffsets
    meta: dict[str, Any]


class ArticleRelationsItemOffsets(TypedDict):
    start: int
    end: int


class ArticleNearDuplicatesItem(TypedDict):
    article_id: int
    source_id: str
    source_name: str
    title: str
    url: str
    published_at: str | None
    overlap: float


class ArticleStagesItem(TypedDict):
    name: str
    state: Literal["waiting", "running", "set-aside"]
    attempts: int
    reason: str | None


class Chain(TypedDict):
    article_id: int
    story_id: int | None
    links: list[ChainLinksItem]
    reports: list[ChainReportsItem]


ChainLinksItem = TypedDict(
    "ChainLinksItem",
    {
        "article_id": "int | None",
        "source_id": "str",
        "source_name": "str",
        "title": "str",
        "url": "str",
        "published_at": "str | None",
        "kind": "Literal['origin', 'exact', 'copy', 'partial']",
        "overlap": "float",
        "overlap_of_source": "float",
        "from": "ChainLinksItemFrom | None",
        "credits": "list[ChainLinksItemCreditsItem]",
        "confidence": "float",
    },
)


class ChainLinksItemFrom(TypedDict):
    article_id: int | None
    url: str


class ChainLinksItemCreditsItem(TypedDict):
    name: str
    text: str
    offsets: ChainLinksItemCreditsItemOffsets


class ChainLinksItemCreditsItemOffsets(TypedDict):
    start: int
    end: int


class ChainReportsItem(TypedDict):
    article_id: int
    source_id: str
    source_name: str
    title: str
    url: str
    published_at: str | None


class SearchBody(TypedDict):
    schema: Literal["search.v1"]
    query: str
    mode: Literal["bm25", "vector", "hybrid"]
    total: int
    results: list[SearchResult]
    facets: NotRequired[SearchBodyFacets]
    histogram: NotRequired[list[SearchBodyHistogramItem]]
    meta: SearchBodyMeta


class SearchBodyFacets(TypedDict):
    source: NotRequired[list[SearchBodyFacetsSourceItem]]
    category: NotRequired[list[SearchBodyFacetsCategoryItem]]
    lang: NotRequired[list[SearchBodyFacetsLangItem]]
    domain: NotRequired[list[SearchBodyFacetsDomainItem]]
    entity: NotRequired[list[SearchBodyFacetsEntityItem]]
    author: NotRequired[list[SearchBodyFacetsAuthorItem]]
    story: NotRequired[list[SearchBodyFacetsStoryItem]]


class SearchBodyFacetsSourceItem(TypedDict):
    value: str
    label: NotRequired[str]
    count: int


class SearchBodyFacetsCategoryItem(TypedDict):
    value: str
    label: NotRequired[str]
    count: int


class SearchBodyFacetsLangItem(TypedDict):
    value: str
    label: NotRequired[str]
    count: int


class SearchBodyFacetsDomainItem(TypedDict):
    value: str
    label: NotRequired[str]
    count: int


class SearchBodyFacetsEntityItem(TypedDict):
    value: str
    label: NotRequired[str]
    count: int


class SearchBodyFacetsAuthorItem(TypedDict):
    value: str
    label: NotRequired[str]
    count: int


class SearchBodyFacetsStoryItem(TypedDict):
    value: str
    label: NotRequired[str]
    count: int


SearchBodyHistogramItem = TypedDict(
    "SearchBodyHistogramItem",
    {
        "from": "str",
        "count": "int",
    },
)


class SearchBodyMeta(TypedDict):
    query: NotRequired[str]
    next_cursor: NotRequired[str | None]
    lacking: NotRequired[list[str]]
    took_ms: float
    taxonomy_version: NotRequired[str]
    degraded: bool
    corrections: list[SearchCorrection]
    diagnostics: dict[str, Any]


class SearchResult(TypedDict):
    article_id: int
    doc_id: str
    title: str
    snippet: str
    url: str
    source: str
    lang: str | None
    category: str | None
    published_at: str | None
    score: float
    bm25_rank: int | None
    knn_rank: int | None
    rrf_score: float
    rerank_score: NotRequired[float | None]
    story: NotRequired[SearchResultStory | None]
    highlights: dict[str, list[str]]


class SearchResultStory(TypedDict):
    story_id: int
    size: int
    sources: list[SearchResultStorySourcesItem]


class SearchResultStorySourcesItem(TypedDict):
    source_id: str
    source_name: str
    count: int
    first_at: str


class SearchCorrection(TypedDict):
    word: str
    read_as: list[str]


class ArticleList(TypedDict):
    articles: list[ListedArticle]
    total: int
    next_cursor: str | None


class ListedArticle(TypedDict):
    article_id: int
    doc_id: str
    title: str
    snippet: str
    url: str
    source: str
    lang: str | None
    category: str | None
    published_at: str | None


class SimilarArticles(TypedDict):
    article_id: int
    results: list[dict[str, Any]]


class ClaimPage(TypedDict):
    claims: list[Claim]
    next_cursor: str | None


class Claim(TypedDict):
    claim_id: int
    text: str
    lang: str
    score: float
    offsets: ClaimOffsets
    speaker: ClaimSpeaker | None
    article: ClaimArticle
    repeats: ClaimRepeats
    reviews: list[ReviewOfClaim]


class ClaimOffsets(TypedDict):
    start: int
    end: int


class ClaimSpeaker(TypedDict):
    name: str
    entity_id: int | None
    offsets: ClaimSpeakerOffsets


class ClaimSpeakerOffsets(TypedDict):
    start: int
    end: int


class ClaimArticle(TypedDict):
    article_id: int
    title: str
    url: str
    source_id: str
    published_at: str | None
    withdrawn: bool


class ClaimRepeats(TypedDict):
    count: int
    sources: int
    first_at: str


class ReviewOfClaim(TypedDict):
    review_id: int
    rating: int | None
    rating_text: str | None
    publisher: str
    url: str | None
    similarity: float


ClaimDetail: TypeAlias = "dict[str, Any]"


class ClaimMatches(TypedDict):
    results: list[ClaimMatchesResultsItem]


class ClaimMatchesResultsItem(TypedDict):
    text: str
    reviews: list[ClaimMatchesResultsItemReviewsItem]
    claims: list[ClaimMatchesResultsItemClaimsItem]


class ClaimMatchesResultsItemReviewsItem(TypedDict):
    review_id: int
    claim_text: str
    rating: int | None
    rating_text: str | None
    publisher: str
    url: str | None
    similarity: float
    same: bool


class ClaimMatchesResultsItemClaimsItem(TypedDict):
    claim_id: int
    text: str
    lang: str
    similarity: float
    same: bool


class ClaimMatchRequest(TypedDict):
    text: NotRequired[str]
    texts: NotRequired[list[str]]
    lang: NotRequired[Literal["ar", "en"]]
    k: NotRequired[int]


class Review(TypedDict):
    review_id: int
    claim_id: int | None
    claim_text: str
    lang: str
    rating: int | None
    rating_text: str | None
    url: str | None
    publisher: str
    published_at: str | None
    claimant: str | None
    claimed_at: str | None
    appearances: list[str]
    origin: Literal["desk", "import", "crawl"]
    created_at: str
    updated_at: str


class ReviewReceipts(TypedDict):
    results: list[ReviewReceiptsResultsItem]


class ReviewReceiptsResultsItem(TypedDict):
    status: Literal["created", "existing"]
    review: Review


class ReviewPage(TypedDict):
    reviews: list[Review]
    next_cursor: str | None


ClaimReview = TypedDict(
    "ClaimReview",
    {
        "@context": "Literal['https://schema.org']",
        "@type": "Literal['ClaimReview']",
        "@id": "str",
        "url": "str",
        "claimReviewed": "str",
        "inLanguage": "str",
        "datePublished": "str",
        "author": "ClaimReviewAuthor",
        "reviewRating": "ClaimReviewReviewRating",
        "itemReviewed": "ClaimReviewItemReviewed",
    },
)


ClaimReviewAuthor = TypedDict(
    "ClaimReviewAuthor",
    {
        "@type": "Literal['Organization']",
        "name": "str",
    },
)


ClaimReviewReviewRating = TypedDict(
    "ClaimReviewReviewRating",
    {
        "@type": "Literal['Rating']",
        "ratingValue": "NotRequired[int]",
        "bestRating": "NotRequired[int]",
        "worstRating": "NotRequired[int]",
        "alternateName": "str",
    },
)


ClaimReviewItemReviewed = TypedDict(
    "ClaimReviewItemReviewed",
    {
        "@type": "Literal['Claim']",
        "author": "NotRequired[ClaimReviewItemReviewedAuthor]",
        "datePublished": "NotRequired[str]",
        "appearance": "NotRequired[list[ClaimReviewItemReviewedAppearanceItem]]",
    },
)


ClaimReviewItemReviewedAuthor = TypedDict(
    "ClaimReviewItemReviewedAuthor",
    {
        "@type": "Literal['Thing']",
        "name": "str",
    },
)


ClaimReviewItemReviewedAppearanceItem = TypedDict(
    "ClaimReviewItemReviewedAppearanceItem",
    {
        "@type": "Literal['CreativeWork']",
        "url": "str",
        "name": "NotRequired[str]",
        "datePublished": "NotRequired[str]",
    },
)


class ReviewChange(TypedDict):
    claim_id: NotRequired[int | None]
    claim_text: NotRequired[str]
    lang: NotRequired[Literal["ar", "en"]]
    rating: NotRequired[int | None]
    rating_text: NotRequired[str | None]
    url: NotRequired[str | None]
    publisher: NotRequired[str]
    published_at: NotRequired[str | None]
    claimant: NotRequired[str | None]
    claimed_at: NotRequired[str | None]
    appearances: NotRequired[list[str]]


class SuggestBody(TypedDict):
    suggestions: list[Suggestion]


class Suggestion(TypedDict):
    text: str
    kind: Literal["title", "entity", "word"]
    article_id: NotRequired[int]
    entity_id: NotRequired[int]
    count: int


class SavedSearch(TypedDict):
    search_id: int
    name: str
    query: dict[str, Any]
    min_similarity: float | None
    active: bool
    notify: NotRequired[SavedSearchNotify]
    feed_key: NotRequired[str | None]
    feeds: NotRequired[SavedSearchFeeds | None]
    matches: int
    last_match_at: str | None
    created_at: str
    updated_at: str


class SavedSearchNotify(TypedDict):
    webhook: str | None
    digest: Literal["none", "hourly", "daily"]
    failures: int
    last_error: str | None
    next_at: str | None


class SavedSearchFeeds(TypedDict):
    atom: str
    json: str


class NewSearch(TypedDict):
    name: str
    query: SavedQuery
    min_similarity: NotRequired[float | None]
    active: NotRequired[bool]
    notify: NotRequired[SearchNotify | None]


SavedQuery = TypedDict(
    "SavedQuery",
    {
        "q": "NotRequired[str]",
        "mode": "NotRequired[Literal['bm25', 'vector', 'hybrid']]",
        "match": "NotRequired[Literal['any', 'all']]",
        "typos": "NotRequired[Literal['off']]",
        "prefix": "NotRequired[Literal[False]]",
        "lang": "NotRequired[Literal['ar', 'en']]",
        "source": "NotRequired[str]",
        "category": "NotRequired[str]",
        "domain": "NotRequired[str]",
        "source_tier": "NotRequired[int]",
        "from": "NotRequired[Any]",
        "to": "NotRequired[Any]",
        "entity": "NotRequired[str]",
        "claims": "NotRequired[Literal['refuted']]",
    },
)


class SavedSearchPage(TypedDict):
    searches: list[SavedSearch]
    next_cursor: str | None


class SearchChange(TypedDict):
    name: NotRequired[str]
    query: NotRequired[SavedQuery]
    min_similarity: NotRequired[float | None]
    active: NotRequired[bool]
    notify: NotRequired[SearchNotify | None]


class SearchMatchPage(TypedDict):
    matches: list[SearchMatch]
    next_cursor: str | None


class SearchMatch(TypedDict):
    article_id: int
    doc_id: str
    matched_at: str
    similarity: float | None
    title: str
    url: str
    source: str
    lang: str | None
    category: str | None
    published_at: str | None


class SourcesImported(TypedDict):
    created: list[str]
    updated: list[str]
    refused: list[SourcesImportedRefusedItem]


class SourcesImportedRefusedItem(TypedDict):
    title: str
    address: str
    reason: str


class SourcesImport(TypedDict):
    opml: str
    active: NotRequired[bool]


class SourcePage(TypedDict):
    sources: list[Source]
    next_cursor: str | None


class Source(TypedDict):
    key: str
    name: str
    provider: str | None
    feed_url: NotRequired[str | None]
    homepage: str | None
    language: str | None
    tier: int
    active: bool
    status: Literal["off", "not-pulled", "waiting", "running", "failing", "silent", "ok"]
    state: str
    last_pull: SourceLastPull | None
    next_pull: str | None
    last_article: SourceLastArticle | None
    volume: SourceVolume | None
    articles_per_day: float
    created_at: str
    updated_at: str


class SourceLastPull(TypedDict):
    run_id: str
    by: Literal["workers", "scraper"]
    status: str
    at: str
    error: str | None


class SourceLastArticle(TypedDict):
    article_id: int
    at: str


class SourceVolume(TypedDict):
    state: Literal["usual", "quiet", "doubled"]
    since: str | None
    last_day: int
    usual: float | None


class NewSource(TypedDict):
    key: str
    provider: NotRequired[Literal["rss", "newsdata", "scraper", "scraper-push"]]
    name: NotRequired[str]
    feed_url: NotRequired[str]
    homepage: NotRequired[str]
    language: NotRequired[str]
    tier: NotRequired[int]
    active: NotRequired[bool]


class SourceChange(TypedDict):
    provider: NotRequired[Literal["rss", "newsdata", "scraper", "scraper-push"]]
    name: NotRequired[str]
    feed_url: NotRequired[str]
    homepage: NotRequired[str]
    language: NotRequired[str]
    tier: NotRequired[int]
    active: NotRequired[bool]


class PullReceipt(TypedDict):
    run_id: str
    status: str
    fresh: bool


class StackState(TypedDict):
    services: list[ServiceState]
    articles: StackStateArticles
    stages: list[StackStateStagesItem]
    set_aside: list[StackStateSetAsideItem]
    indexes: list[StackStateIndexesItem]
    sources: StackStateSources
    storage: StackStateStorage
    keys: list[StackStateKeysItem]


class StackStateArticles(TypedDict):
    pending: int
    stored: int


class StackStateStagesItem(TypedDict):
    stage: str
    waiting: int
    set_aside: int


class StackStateSetAsideItem(TypedDict):
    article_id: int
    stage: str
    attempts: int
    reason: str | None
    at: str


class StackStateIndexesItem(TypedDict):
    name: str
    state: Literal["filling", "healing", "following", "failing", "silent"]
    behind: int
    reason: str | None


class StackStateSources(TypedDict):
    quiet: int
    doubled: int


class StackStateStorage(TypedDict):
    database_bytes: float
    disk_free_bytes: float | None
    disk_bytes: float | None


class StackStateKeysItem(TypedDict):
    key_id: str
    name: str
    scopes: list[Literal["read", "ingest", "desk", "admin"]]
    rate_per_min: int | None
    created_at: str
    expires_at: str | None
    last_used_at: str | None


class ServiceState(TypedDict):
    name: Literal["api", "retrieval", "nlp", "edge", "scraper"]
    status: Literal["ok", "degraded", "away"]
    version: str | None
    failing: list[ServiceStateFailingItem]
    components: list[ServiceStateComponentsItem]


class ServiceStateFailingItem(TypedDict):
    name: str
    reason: str | None


class ServiceStateComponentsItem(TypedDict):
    name: str
    kind: str
    version: str
    licence: str


class StoryList(TypedDict):
    stories: list[Story]
    next_cursor: str | None


class Story(TypedDict):
    story_id: int
    title: str
    languages: list[str]
    first_seen: str
    last_seen: str
    size: int
    sources: list[StorySourcesItem]
    entities: list[StoryEntitiesItem]
    article_ids: list[int]
    growth: int


class StorySourcesItem(TypedDict):
    source_id: str
    source_name: str
    count: int
    first_at: str


class StoryEntitiesItem(TypedDict):
    entity_id: int
    name: str
    articles: int


WholeStory: TypeAlias = "dict[str, Any]"


class Entities(TypedDict):
    entities: list[EntitiesEntitiesItem]


class EntitiesEntitiesItem(TypedDict):
    entity_id: int
    name: str
    types: list[str]
    mentions: int
    articles: int


class ChatAnswer(TypedDict):
    ok: Literal[True]
    request_id: str
    model: str
    sources: list[ChatSource]
    message: ChatAnswerMessage
    finish_reason: str
    citations: NotRequired[list[ChatCitation]]
    usage: ChatUsage | None


class ChatAnswerMessage(TypedDict):
    role: Literal["assistant"]
    content: str


class ChatSource(TypedDict):
    n: int
    article_id: int
    title: str
    url: str
    passages: NotRequired[list[ChatSourcePassagesItem]]


class ChatSourcePassagesItem(TypedDict):
    text: str
    offsets: TextOffsets


class TextOffsets(TypedDict):
    start: int
    end: int


class ChatCitation(TypedDict):
    n: int
    quote: str
    offsets: TextOffsets | None
    unsupported: NotRequired[list[str]]


class ChatCompletionRequest(TypedDict):
    messages: list[ChatMessage]
    stream: NotRequired[bool]
    max_tokens: NotRequired[int]
    temperature: NotRequired[float]
    lang: NotRequired[Literal["ar", "en"]]
    grounded: NotRequired[bool]
    filters: NotRequired[ChatFilters]
    article_id: NotRequired[int]
    story_id: NotRequired[int]


class ChatMessage(TypedDict):
    role: Literal["system", "user", "assistant"]
    content: str


ChatFilters = TypedDict(
    "ChatFilters",
    {
        "lang": "NotRequired[Literal['ar', 'en']]",
        "source": "NotRequired[str]",
        "category": "NotRequired[str]",
        "domain": "NotRequired[str]",
        "source_tier": "NotRequired[int]",
        "from": "NotRequired[Any]",
        "to": "NotRequired[Any]",
    },
)


class OpenAiCompletion(TypedDict):
    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[OpenAiCompletionChoicesItem]
    usage: NotRequired[OpenAiUsage]
    sources: list[ChatSource]
    citations: list[ChatCitation]
    answered: bool


class OpenAiCompletionChoicesItem(TypedDict):
    index: int
    message: OpenAiCompletionChoicesItemMessage
    finish_reason: str
    logprobs: None


class OpenAiCompletionChoicesItemMessage(TypedDict):
    role: Literal["assistant"]
    content: str
    refusal: None


class OpenAiUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class OpenAiChatRequest(TypedDict):
    model: str
    messages: list[OpenAiMessage]
    stream: NotRequired[bool]
    stream_options: NotRequired[OpenAiChatRequestStreamOptions | None]
    max_tokens: NotRequired[int | None]
    max_completion_tokens: NotRequired[int | None]
    temperature: NotRequired[float | None]
    n: NotRequired[Literal[1]]
    lang: NotRequired[Literal["ar", "en"]]
    grounded: NotRequired[bool]
    filters: NotRequired[ChatFilters]
    article_id: NotRequired[int]
    story_id: NotRequired[int]


class OpenAiChatRequestStreamOptions(TypedDict):
    include_usage: NotRequired[bool]


class OpenAiMessage(TypedDict):
    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[OpenAiMessageContent2Item]


class OpenAiMessageContent2Item(TypedDict):
    type: Literal["text"]
    text: str


class OpenAiModel(TypedDict):
    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class OpenAiEmbeddings(TypedDict):
    object: Literal["list"]
    data: list[OpenAiEmbeddingsDataItem]
    model: str
    usage: OpenAiEmbeddingsUsage


class OpenAiEmbeddingsDataItem(TypedDict):
    object: Literal["embedding"]
    index: int
    embedding: list[float] | str


class OpenAiEmbeddingsUsage(TypedDict):
    prompt_tokens: int
    total_tokens: int


class OpenAiEmbeddingsRequest(TypedDict):
    model: str
    input: str | list[str]
    encoding_format: NotRequired[Literal["float", "base64"]]
    dimensions: NotRequired[int]
    input_type: NotRequired[Literal["query", "passage"]]


class Summary(TypedDict):
    summary: str
    bullets: NotRequired[list[str]]
    target_lang: str
    length: Literal["short", "medium", "long"]
    format: Literal["paragraph", "bullets"]
    model: str


class SummaryRequest(TypedDict):
    text: str
    target_lang: NotRequired[Literal["ar", "en"]]
    length: NotRequired[Literal["short", "medium", "long"]]
    format: NotRequired[Literal["paragraph", "bullets"]]


class AgentMessage(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[int | str]
    method: str
    params: NotRequired[dict[str, Any]]


class Run(TypedDict):
    run_id: str
    profile_id: str
    provider: str
    status: Literal["queued", "running", "succeeded", "partial", "failed"]
    trigger: Literal["schedule", "api", "cli"]
    attempts: int
    limit: int | None
    created_at: str
    started_at: str | None
    finished_at: str | None
    counts: RunCounts
    selectors: dict[str, RunSelectorsValue]
    error: str | None


class RunCounts(TypedDict):
    discovered: int
    fetched: int
    extracted: int
    sent: int
    duplicate: int
    conflict: int
    failed: int
    skipped: int


class RunSelectorsValue(TypedDict):
    matched: int
    unmatched: int


class Profile(TypedDict):
    name: str
    provider: str
    enabled: NotRequired[bool]
    language: Literal["ar", "en"]
    schedule: str
    timezone: NotRequired[str]
    source: ProfileSource
    feeds: NotRequired[list[ProfileFeedsItem]]
    sitemaps: NotRequired[list[ProfileSitemapsItem]]
    list_pages: NotRequired[list[ProfileListPagesItem]]
    article: NotRequired[ProfileArticle]
    article_versions: NotRequired[list[ProfileArticleVersionsItem]]
    keep: NotRequired[list[str]]
    block: NotRequired[list[str]]
    full_text: NotRequired[Literal["feed", "page"]]
    auth: NotRequired[ProfileAuth]
    category_map: NotRequired[dict[str, Literal["politics", "world", "local", "economy", "sport", "culture", "entertainment", "technology", "science", "health", "environment", "education", "society", "justice", "conflict", "religion", "travel", "opinion", "miscellany"]]]
    politeness: NotRequired[ProfilePoliteness]
    limits: NotRequired[ProfileLimits]
    headers: NotRequired[dict[str, str]]
    status: ProfileStatus


class ProfileSource(TypedDict):
    id: str
    name: str
    tier: int
    homepage: str


class ProfileFeedsItem(TypedDict):
    url: str
    category: NotRequired[str]


class ProfileSitemapsItem(TypedDict):
    url: str
    category: NotRequired[str]


class ProfileListPagesItem(TypedDict):
    url: str
    link_selector: str
    next: NotRequired[str]
    max_pages: NotRequired[int]
    category: NotRequired[str]


class ProfileArticle(TypedDict):
    title: NotRequired[str]
    content: NotRequired[str]
    published_at: NotRequired[str]
    author: NotRequired[str]
    image: NotRequired[str]
    remove: NotRequired[list[str]]
    next_page: NotRequired[str]
    max_pages: NotRequired[int]


class ProfileArticleVersionsItem(TypedDict):
    until: str
    title: NotRequired[str]
    content: NotRequired[str]
    published_at: NotRequired[str]
    author: NotRequired[str]
    image: NotRequired[str]
    remove: NotRequired[list[str]]


class ProfileAuth(TypedDict):
    env: str
    header: NotRequired[str]
    hosts: NotRequired[list[str]]


class ProfilePoliteness(TypedDict):
    min_delay_ms: NotRequired[int]
    concurrency: NotRequired[int]
    user_agent: NotRequired[str]
    respect_robots: NotRequired[bool]


class ProfileLimits(TypedDict):
    max_articles: NotRequired[int]
    max_age_days: NotRequired[int]
    revisited_articles: NotRequired[int]


class ProfileStatus(TypedDict):
    last_run: Run | None
    next_run: str | None
    last_error: ProfileStatusLastError | None
    warnings: list[str]


class ProfileStatusLastError(TypedDict):
    run_id: str
    at: str
    message: str


class ProfileDraft(TypedDict):
    profile: dict[str, Any]
    url: str
    name: str
    language: Literal["ar", "en"]
    timezone: str
    feeds: list[ProfileDraftFeedsItem]
    articles: list[ProfileDraftArticlesItem]
    notes: list[str]
    requests: int


class ProfileDraftFeedsItem(TypedDict):
    url: str
    title: str
    entries: int


class ProfileDraftArticlesItem(TypedDict):
    url: str
    title: str
    words: int
    published_at: str | None
    read_well: bool
    why: str | None


class DraftRequest(TypedDict):
    url: str
    language: NotRequired[Literal["ar", "en"]]
    articles: NotRequired[int]


class NewRun(TypedDict):
    profile_id: str
    limit: NotRequired[int | None]
    trigger: NotRequired[Literal["api", "cli"]]
    force: NotRequired[bool]


class RunPage(TypedDict):
    runs: list[Run]
    next_cursor: str | None


DetailedRun: TypeAlias = "dict[str, Any]"


class RunError(TypedDict):
    url: str
    reason: str
    at: str
    retried: bool


class RunFeed(TypedDict):
    url: str
    kind: Literal["feed", "sitemap", "list"]
    status: int | None
    entries: int | None
    too_old: int
    error: str | None


class ScrapeResults(TypedDict):
    results: list[NormalizedItem]
    metadata: ScrapeMetadata
    errors: list[ScrapeError]


class NormalizedItem(TypedDict):
    id: str
    title: str
    content: str
    url: str
    published_at: str | None
    source: str
    category: str
    language: str
    canonical_url: str
    authors: list[str]
    images: list[str]
    provider: str


class ScrapeMetadata(TypedDict):
    total_articles: int
    sources_processed: list[str]
    processing_time_ms: int
    errors: NotRequired[dict[str, str]]
    delivery: NotRequired[ScrapeMetadataDelivery]


class ScrapeMetadataDelivery(TypedDict):
    accepted: int
    duplicate: int
    conflict: int
    failed: int
    pending: int


class ScrapeError(TypedDict):
    profile: str
    url: str
    reason: str
    at: str


class ScrapeFile(TypedDict):
    file: str
    lines: int
    metadata: ScrapeMetadata
    errors: list[ScrapeError]


class ScrapeRequest(TypedDict):
    sources: NotRequired[list[str]]
    query: NotRequired[str]
    categories: NotRequired[list[str]]
    limit: NotRequired[int]
    write_to_disk: NotRequired[bool]
    send_to_api: NotRequired[bool]
    force: NotRequired[bool]


class ReplayCounts(TypedDict):
    matched: int
    sent: int
    accepted: int
    duplicate: int
    conflict: int
    failed: int


class ReplayRequest(TypedDict):
    profile_id: NotRequired[str]
    run_id: NotRequired[str]
    since: NotRequired[Any]
    until: NotRequired[Any]
    limit: NotRequired[int]
    send_to_api: NotRequired[bool]


class ChunkFilters(TypedDict):
    published_at_bucket: NotRequired[int | list[int] | ChunkFiltersPublishedAtBucket3]
    lang: NotRequired[Literal["ar", "en"] | list[Literal["ar", "en"]] | ChunkFiltersLang3]
    source: NotRequired[str | list[str] | ChunkFiltersSource3]
    category: NotRequired[str | list[str] | ChunkFiltersCategory3]
    domain: NotRequired[str | list[str] | ChunkFiltersDomain3]
    article_id: NotRequired[str | int | list[str | int] | ChunkFiltersArticleId4]
    story_id: NotRequired[int | list[int]]


ChunkFiltersPublishedAtBucket3 = TypedDict(
    "ChunkFiltersPublishedAtBucket3",
    {
        "$gte": "NotRequired[int]",
        "$lte": "NotRequired[int]",
        "$gt": "NotRequired[int]",
        "$lt": "NotRequired[int]",
        "$ne": "NotRequired[int]",
        "$in": "NotRequired[list[int]]",
    },
)


ChunkFiltersLang3 = TypedDict(
    "ChunkFiltersLang3",
    {
        "$gte": "NotRequired[Literal['ar', 'en']]",
        "$lte": "NotRequired[Literal['ar', 'en']]",
        "$gt": "NotRequired[Literal['ar', 'en']]",
        "$lt": "NotRequired[Literal['ar', 'en']]",
        "$ne": "NotRequired[Literal['ar', 'en']]",
        "$in": "NotRequired[list[Literal['ar', 'en']]]",
    },
)


ChunkFiltersSource3 = TypedDict(
    "ChunkFiltersSource3",
    {
        "$gte": "NotRequired[str]",
        "$lte": "NotRequired[str]",
        "$gt": "NotRequired[str]",
        "$lt": "NotRequired[str]",
        "$ne": "NotRequired[str]",
        "$in": "NotRequired[list[str]]",
    },
)


ChunkFiltersCategory3 = TypedDict(
    "ChunkFiltersCategory3",
    {
        "$gte": "NotRequired[str]",
        "$lte": "NotRequired[str]",
        "$gt": "NotRequired[str]",
        "$lt": "NotRequired[str]",
        "$ne": "NotRequired[str]",
        "$in": "NotRequired[list[str]]",
    },
)


ChunkFiltersDomain3 = TypedDict(
    "ChunkFiltersDomain3",
    {
        "$gte": "NotRequired[str]",
        "$lte": "NotRequired[str]",
        "$gt": "NotRequired[str]",
        "$lt": "NotRequired[str]",
        "$ne": "NotRequired[str]",
        "$in": "NotRequired[list[str]]",
    },
)


ChunkFiltersArticleId4 = TypedDict(
    "ChunkFiltersArticleId4",
    {
        "$gte": "NotRequired[str | int]",
        "$lte": "NotRequired[str | int]",
        "$gt": "NotRequired[str | int]",
        "$lt": "NotRequired[str | int]",
        "$ne": "NotRequired[str | int]",
        "$in": "NotRequired[list[str | int]]",
    },
)


class RetrieveResponse(TypedDict):
    query: str
    params: RetrieveResponseParams
    results: list[RetrievalHit]
    diagnostics: RetrieveResponseDiagnostics
    degraded: bool


class RetrieveResponseParams(TypedDict):
    k_bm25: int
    k_knn: int
    k_rrf: int
    rerank: bool


class RetrieveResponseDiagnostics(TypedDict):
    bm25_ms: float
    knn_ms: float
    rrf_ms: float
    rerank_ms: float


class RetrievalHit(TypedDict):
    doc_id: NotRequired[str]
    article_id: NotRequired[int]
    title: NotRequired[str]
    passage: NotRequired[str]
    passages: NotRequired[list[RetrievalHitPassagesItem]]
    url: NotRequired[str]
    published_at: NotRequired[str | None]
    source: NotRequired[str]
    bm25_rank: NotRequired[int | None]
    knn_rank: NotRequired[int | None]
    rrf_score: NotRequired[float]
    rerank_score: NotRequired[float | None]
    final_rank: NotRequired[int]
    highlights: NotRequired[dict[str, list[str]]]


class RetrievalHitPassagesItem(TypedDict):
    text: str
    offsets: RetrievalHitPassagesItemOffsets


class RetrievalHitPassagesItemOffsets(TypedDict):
    start: int
    end: int


class RetrieveRequest(TypedDict):
    query: str
    lang: NotRequired[Literal["ar", "en", None]]
    k_bm25: NotRequired[int]
    k_knn: NotRequired[int]
    k_rrf: NotRequired[int]
    rerank: NotRequired[bool]
    fields: NotRequired[list[Literal["doc_id", "article_id", "title", "passage", "passages", "url", "published_at", "source", "bm25_rank", "knn_rank", "rrf_score", "rerank_score", "final_rank", "highlights"]] | None]
    limit: NotRequired[int]
    filters: NotRequired[RetrieveRequestFilters | None]


RetrieveRequestFilters = TypedDict(
    "RetrieveRequestFilters",
    {
        "search_fields": "NotRequired[list[str]]",
        "index": "NotRequired[str]",
        "vector_field": "NotRequired[str]",
        "term": "NotRequired[RetrieveRequestFiltersTerm]",
        "lang": "NotRequired[Literal['ar', 'en']]",
        "source": "NotRequired[str]",
        "category": "NotRequired[str]",
        "domain": "NotRequired[str]",
        "source_tier": "NotRequired[int]",
        "from": "NotRequired[Any]",
        "to": "NotRequired[Any]",
        "article_id": "NotRequired[int]",
        "story_id": "NotRequired[int]",
    },
)


class RetrieveRequestFiltersTerm(TypedDict):
    article_id: NotRequired[str | float | dict[str, Any]]
    lang: NotRequired[str | float | dict[str, Any]]
    source_id: NotRequired[str | float | dict[str, Any]]
    category: NotRequired[str | float | dict[str, Any]]
    domain: NotRequired[str | float | dict[str, Any]]
    source_tier: NotRequired[str | float | dict[str, Any]]
    title: NotRequired[str | float | dict[str, Any]]
    content: NotRequired[str | float | dict[str, Any]]


class PassagesResponse(TypedDict):
    results: list[Passage]
    diagnostics: PassagesResponseDiagnostics


class PassagesResponseDiagnostics(TypedDict):
    embed_ms: float
    search_ms: float


class Passage(TypedDict):
    doc_id: str
    article_id: int
    chunk_no: int
    title: str
    text: str
    url: str
    lang: str | None
    source: str
    published_at: str | None
    score: float
    vector: NotRequired[str]


class PassagesRequest(TypedDict):
    query: str
    k: NotRequired[int]
    filters: NotRequired[ChunkFilters | None]
    vectors_of: NotRequired[str]


class QueryVectorsResponse(TypedDict):
    vectors: list[str]


class QueryVectorsRequest(TypedDict):
    queries: list[str]


class CheckResponse(TypedDict):
    results: list[CheckResult]
    model_id: str
    threshold_used: float


class CheckResult(TypedDict):
    sentence: str
    score: float
    is_checkworthy: bool


class CheckRequest(TypedDict):
    text: NotRequired[str | None]
    sentences: NotRequired[list[str] | None]
    lang: NotRequired[Literal["ar", "en", None]]
    genre: NotRequired[Literal["debate", "news", None]]
    threshold: NotRequired[float | None]


class CapabilityState(TypedDict):
    ready: bool
    model: str | None
    provider: Literal["builtin", "upstream", None]


class ChatRequest(TypedDict):
    messages: list[ChatMessage]
    stream: NotRequired[bool]
    max_tokens: NotRequired[int]
    temperature: NotRequired[float]
    lang: NotRequired[Literal["ar", "en"]]
    grounded: NotRequired[bool]
    filters: NotRequired[ChatFilters]
    article_id: NotRequired[int]
    story_id: NotRequired[int]


class EdgeSummary(TypedDict):
    ok: Literal[True]
    model: str
    points: list[str]
    target_lang: str


class EdgeSummaryRequest(TypedDict):
    text: str
    target_lang: NotRequired[Literal["ar", "en"]]
    length: NotRequired[Literal["short", "medium", "long"]]


class EmbedAnswer(TypedDict):
    ok: Literal[True]
    model: str
    vectors: list[list[float]]


class EmbedRequest(TypedDict):
    texts: list[str]
    kind: NotRequired[Literal["query", "passage"]]


class TranslateAnswer(TypedDict):
    ok: Literal[True]
    model: str
    translated_text: str
    source_lang: str
    target_lang: str


class TranslateRequest(TypedDict):
    text: str
    target_lang: str
    source_lang: NotRequired[str]


class Transcript(TypedDict):
    ok: Literal[True]
    model: str
    text: str
    language: str | None
    duration_s: float | None
    segments: list[Segment]


class Segment(TypedDict):
    start: float
    end: float
    text: str


class RagAnswer(TypedDict):
    ok: Literal[True]
    timing_ms: RagAnswerTimingMs
    reranked: bool
    results: list[RagResult]


class RagAnswerTimingMs(TypedDict):
    embed: int
    search: int
    rerank: int
    total: int


class RagResult(TypedDict):
    id: str
    article_id: str
    chunk_no: int
    url: str
    title: str
    snippet: str
    lang: str | None
    source: str
    published_at_bucket: int | None
    vector_score: float
    rerank_pos: int


class RagQuery(TypedDict):
    query: str
    k: NotRequired[int]
    rerank_top_n: NotRequired[int]
    filters: NotRequired[ChunkFilters | None]


class EchoEmbedRequest(TypedDict):
    text: str


class SmokeRequest(TypedDict):
    text: NotRequired[str]


class UpsertBatchRequest(TypedDict):
    items: list[UpsertBatchRequestItemsItem]


class UpsertBatchRequestItemsItem(TypedDict):
    id: str
    text: str
    metadata: NotRequired[dict[str, Any]]


class Analysis(TypedDict):
    tokens: list[AnalysisTokensItem]
    entities: NotRequired[list[AnalysisEntitiesItem]]
    relations: NotRequired[list[AnalysisRelationsItem]]
    dialect: NotRequired[IdentifiedDialect]


class AnalysisTokensItem(TypedDict):
    lemma: NotRequired[str]
    lemma_id: NotRequired[int | None]
    pos: NotRequired[str]
    pos_lexicon: NotRequired[str]
    root: NotRequired[str | None]
    pattern: NotRequired[str | None]
    stem: NotRequired[str | None]
    proclitics: NotRequired[list[AnalysisTokensItemProcliticsItem]]
    enclitics: NotRequired[list[AnalysisTokensItemEncliticsItem]]
    features: NotRequired[dict[str, str]]
    diac: NotRequired[str]
    case: NotRequired[Literal["nom", "acc", "gen"]]
    state: NotRequired[Literal["def", "indef", "const"]]
    mood: NotRequired[Literal["ind", "sub", "jus"]]
    gloss: NotRequired[str | None]
    lemma_url: NotRequired[str | None]
    lemma_forms: NotRequired[list[str]]
    token: str
    start: int
    end: int
    sentence: int
    tags: NotRequired[list[str]]
    sense_id: NotRequired[str | None]
    sense_url: NotRequired[str | None]
    sense_gloss: NotRequired[str | None]


class AnalysisTokensItemProcliticsItem(TypedDict):
    form: str
    type: str


class AnalysisTokensItemEncliticsItem(TypedDict):
    form: str
    type: str


class AnalysisEntitiesItem(TypedDict):
    type: str
    text: str
    name: str
    start: int
    end: int
    level: int


class AnalysisRelationsItem(TypedDict):
    predicate: Literal["agent", "target", "place", "time", "topic", "amount", "instrument", "from", "to", "result"]
    subject: str
    object: str
    event: Literal["acquisition", "agreement", "aid", "appointment", "arrest", "attack", "award", "death", "disaster", "election", "founding", "injury", "launch", "life", "match", "meeting", "protest", "resignation", "statement", "transfer", "trial", "visit"]
    event_id: NotRequired[int]
    sentence: NotRequired[str]
    subject_type: NotRequired[str | None]
    object_type: NotRequired[str | None]
    confidence: float
    offsets: AnalysisRelationsItemOffsets


class AnalysisRelationsItemOffsets(TypedDict):
    predicate: AnalysisRelationsItemOffsetsPredicate | None
    subject: AnalysisRelationsItemOffsetsSubject
    object: AnalysisRelationsItemOffsetsObject


class AnalysisRelationsItemOffsetsPredicate(TypedDict):
    start: int
    end: int


class AnalysisRelationsItemOffsetsSubject(TypedDict):
    start: int
    end: int


class AnalysisRelationsItemOffsetsObject(TypedDict):
    start: int
    end: int


class IdentifiedDialect(TypedDict):
    dialect: Literal["msa", "levantine", "egyptian", "gulf", "maghrebi", "iraqi"]
    scores: IdentifiedDialectScores


class IdentifiedDialectScores(TypedDict):
    msa: float
    levantine: float
    egyptian: float
    gulf: float
    maghrebi: float
    iraqi: float


class AnalysisRequest(TypedDict):
    text: NotRequired[str]
    texts: NotRequired[list[str]]
    layers: NotRequired[list[Literal["morph", "ner", "wsd", "re", "dialect"]]]
    min_confidence: NotRequired[float]


class MorphAnswer(TypedDict):
    tokens: list[MorphAnswerTokensItem]


class MorphAnswerTokensItem(TypedDict):
    lemma: NotRequired[str]
    lemma_id: NotRequired[int | None]
    pos: NotRequired[str]
    pos_lexicon: NotRequired[str]
    root: NotRequired[str | None]
    pattern: NotRequired[str | None]
    stem: NotRequired[str | None]
    proclitics: NotRequired[list[MorphAnswerTokensItemProcliticsItem]]
    enclitics: NotRequired[list[MorphAnswerTokensItemEncliticsItem]]
    features: NotRequired[dict[str, str]]
    diac: NotRequired[str]
    case: NotRequired[Literal["nom", "acc", "gen"]]
    state: NotRequired[Literal["def", "indef", "const"]]
    mood: NotRequired[Literal["ind", "sub", "jus"]]
    gloss: NotRequired[str | None]
    lemma_url: NotRequired[str | None]
    lemma_forms: NotRequired[list[str]]
    token: str
    start: int
    end: int
    analyses: NotRequired[list[MorphAnswerTokensItemAnalysesItem]]


class MorphAnswerTokensItemProcliticsItem(TypedDict):
    form: str
    type: str


class MorphAnswerTokensItemEncliticsItem(TypedDict):
    form: str
    type: str


class MorphAnswerTokensItemAnalysesItem(TypedDict):
    lemma: NotRequired[str]
    lemma_id: NotRequired[int | None]
    pos: NotRequired[str]
    pos_lexicon: NotRequired[str]
    root: NotRequired[str | None]
    pattern: NotRequired[str | None]
    stem: NotRequired[str | None]
    proclitics: NotRequired[list[MorphAnswerTokensItemAnalysesItemProcliticsItem]]
    enclitics: NotRequired[list[MorphAnswerTokensItemAnalysesItemEncliticsItem]]
    features: NotRequired[dict[str, str]]
    diac: NotRequired[str]
    case: NotRequired[Literal["nom", "acc", "gen"]]
    state: NotRequired[Literal["def", "indef", "const"]]
    mood: NotRequired[Literal["ind", "sub", "jus"]]
    gloss: NotRequired[str | None]
    lemma_url: NotRequired[str | None]
    lemma_forms: NotRequired[list[str]]
    score: float


class MorphAnswerTokensItemAnalysesItemProcliticsItem(TypedDict):
    form: str
    type: str


class MorphAnswerTokensItemAnalysesItemEncliticsItem(TypedDict):
    form: str
    type: str


class MorphRequest(TypedDict):
    text: NotRequired[str]
    texts: NotRequired[list[str]]
    task: NotRequired[Literal["full", "lemmatization", "pos", "root"]]
    flag: NotRequired[Literal["1", "*"]]
    language: NotRequired[Literal["MSA"]]
    include_lemma: NotRequired[bool]


class NerAnswer(TypedDict):
    tokens: list[NerAnswerTokensItem]
    entities: list[NerAnswerEntitiesItem]


class NerAnswerTokensItem(TypedDict):
    token: str
    tags: NotRequired[list[str]]
    tag: NotRequired[str]
    start: NotRequired[int]
    end: NotRequired[int]


class NerAnswerEntitiesItem(TypedDict):
    type: str
    text: str
    name: str
    start: int
    end: int
    level: int


class NerRequest(TypedDict):
    text: NotRequired[str]
    texts: NotRequired[list[str]]
    mode: NotRequired[Literal["nested", "flat"]]
    include_offsets: NotRequired[bool]


class WsdAnswer(TypedDict):
    tokens: list[WsdAnswerTokensItem]


class WsdAnswerTokensItem(TypedDict):
    token: str
    start: NotRequired[int]
    end: NotRequired[int]
    lemma: str
    sense_id: str | None
    sense_url: str | None
    gloss: NotRequired[str | None]


class WsdRequest(TypedDict):
    text: NotRequired[str]
    texts: NotRequired[list[str]]
    include_gloss: NotRequired[bool]
    include_offsets: NotRequired[bool]


class SenseList(TypedDict):
    senses: list[Sense]


class Sense(TypedDict):
    id: str
    lemma: str
    pos: Literal["verb", "noun", "adj", "adv", "particle", "prep", "conj", "pron", "num", "mwe"]
    root: str
    gloss: str
    en: list[str]
    examples: list[str]


class TextRelations(TypedDict):
    relations: list[TextRelationsRelationsItem]


class TextRelationsRelationsItem(TypedDict):
    predicate: Literal["agent", "target", "place", "time", "topic", "amount", "instrument", "from", "to", "result"]
    subject: str
    object: str
    event: Literal["acquisition", "agreement", "aid", "appointment", "arrest", "attack", "award", "death", "disaster", "election", "founding", "injury", "launch", "life", "match", "meeting", "protest", "resignation", "statement", "transfer", "trial", "visit"]
    event_id: NotRequired[int]
    sentence: NotRequired[str]
    subject_type: NotRequired[str | None]
    object_type: NotRequired[str | None]
    confidence: float
    offsets: TextRelationsRelationsItemOffsets


class TextRelationsRelationsItemOffsets(TypedDict):
    predicate: TextRelationsRelationsItemOffsetsPredicate | None
    subject: TextRelationsRelationsItemOffsetsSubject
    object: TextRelationsRelationsItemOffsetsObject


class TextRelationsRelationsItemOffsetsPredicate(TypedDict):
    start: int
    end: int


class TextRelationsRelationsItemOffsetsSubject(TypedDict):
    start: int
    end: int


class TextRelationsRelationsItemOffsetsObject(TypedDict):
    start: int
    end: int


class RelationsRequest(TypedDict):
    text: NotRequired[str]
    texts: NotRequired[list[str]]
    min_confidence: NotRequired[float]


class DialectSentence(TypedDict):
    sentence_id: int
    text: str
    dialect: str
    source: str
    match_type: Literal["id", "exact", "substring", "fuzzy"]
    match_score: float
    tokens: list[DialectSentenceTokensItem]


class DialectSentenceTokensItem(TypedDict):
    token: str
    coda: str
    segmentation: list[str]
    lemma_msa: str
    lemma_dialect: str
    pos: str
    gloss: str


class DialectSentenceRequest(TypedDict):
    sentence_id: NotRequired[int]
    text: NotRequired[str]


class DialectGlossary(TypedDict):
    tokens: list[DialectGlossaryTokensItem]


class DialectGlossaryTokensItem(TypedDict):
    token: str
    start: NotRequired[int]
    end: NotRequired[int]
    matches: list[DialectGlossaryTokensItemMatchesItem]
    dialects: NotRequired[list[str]]


class DialectGlossaryTokensItemMatchesItem(TypedDict):
    gloss: str
    lemma_msa: str
    lemma_dialect: str
    pos: str
    score: float
    sentence_ids: list[int]


class DialectGlossaryRequest(TypedDict):
    text: str
    top_k: NotRequired[int]
    similarity_threshold: NotRequired[float]
    include_offsets: NotRequired[bool]


class IdentifyRequest(TypedDict):
    text: NotRequired[str]
    texts: NotRequired[list[str]]


class LemmaPage(TypedDict):
    lemmas: list[LemmaPageLemmasItem]
    total: int


class LemmaPageLemmasItem(TypedDict):
    lemma_id: int
    lemma: str
    pos: str
    root: str | None
    gloss: str | None


class Lemma(TypedDict):
    lemma_id: int
    lemma: str
    pos: str
    root: str | None
    gloss: str | None
    forms: list[str]


class AnalyseDialectAnswer2(TypedDict):
    results: list[IdentifiedDialect]


class AnalyseEntitiesAnswer2(TypedDict):
    results: list[NerAnswer]


class AnalyseMorphologyAnswer2(TypedDict):
    results: list[MorphAnswer]


class AnalyseRelationsAnswer2(TypedDict):
    results: list[TextRelations]


class AnalyseTextAnswer2(TypedDict):
    results: list[Analysis]


class AnalyseWordSensesAnswer2(TypedDict):
    results: list[WsdAnswer]


class CreateOpenAiCompletionStreamOptions(TypedDict):
    include_usage: NotRequired[bool]


class CreateRunAnswer(TypedDict):
    run_id: str
    profile_id: str
    status: Literal["queued", "running", "succeeded", "partial", "failed"]


class EmbedTextAnswer(TypedDict):
    ok: Literal[True]
    model: str
    dims: int
    vector: list[float]


class GetApiLivenessAnswer(TypedDict):
    status: Literal["ok"]


class GetApiReadinessAnswer(TypedDict):
    status: Literal["ready"]


class GetEdgeLivenessAnswer(TypedDict):
    status: Literal["ok"]


class GetEdgeReadinessAnswer(TypedDict):
    status: Literal["ready"]


class GetNlpLivenessAnswer(TypedDict):
    status: Literal["ok"]


class GetNlpReadinessAnswer(TypedDict):
    status: Literal["ready"]


class GetRetrievalLivenessAnswer(TypedDict):
    status: Literal["ok"]


class GetRetrievalReadinessAnswer(TypedDict):
    status: Literal["ready"]


class GetScraperLivenessAnswer(TypedDict):
    status: Literal["ok"]


class GetScraperReadinessAnswer(TypedDict):
    status: Literal["ready"]


class IngestArticlesBody1(TypedDict):
    articles: list[IngestItem]


class ListCapabilitiesAnswer(TypedDict):
    ok: bool
    capabilities: ListCapabilitiesAnswerCapabilities


class ListCapabilitiesAnswerCapabilities(TypedDict):
    chat: CapabilityState
    translate: CapabilityState
    asr: CapabilityState
    embed: CapabilityState
    rerank: CapabilityState


class ListOpenAiModelsAnswer(TypedDict):
    object: Literal["list"]
    data: list[OpenAiModel]


class ReportRevisionsBody1(TypedDict):
    articles: list[DeletionReport | ChangeReport]


RetrieveEvidenceFilters = TypedDict(
    "RetrieveEvidenceFilters",
    {
        "search_fields": "NotRequired[list[str]]",
        "index": "NotRequired[str]",
        "vector_field": "NotRequired[str]",
        "term": "NotRequired[RetrieveEvidenceFiltersTerm]",
        "lang": "NotRequired[Literal['ar', 'en']]",
        "source": "NotRequired[str]",
        "category": "NotRequired[str]",
        "domain": "NotRequired[str]",
        "source_tier": "NotRequired[int]",
        "from": "NotRequired[Any]",
        "to": "NotRequired[Any]",
        "article_id": "NotRequired[int]",
        "story_id": "NotRequired[int]",
    },
)


class RetrieveEvidenceFiltersTerm(TypedDict):
    article_id: NotRequired[str | float | dict[str, Any]]
    lang: NotRequired[str | float | dict[str, Any]]
    source_id: NotRequired[str | float | dict[str, Any]]
    category: NotRequired[str | float | dict[str, Any]]
    domain: NotRequired[str | float | dict[str, Any]]
    source_tier: NotRequired[str | float | dict[str, Any]]
    title: NotRequired[str | float | dict[str, Any]]
    content: NotRequired[str | float | dict[str, Any]]


class TestVectorsAnswer(TypedDict):
    ok: bool
    id: str
    found: bool
    timing_ms: TestVectorsAnswerTimingMs


class TestVectorsAnswerTimingMs(TypedDict):
    embed: int
    upsert: int
    query: int
    total: int


class UpsertItemsItemsItem(TypedDict):
    id: str
    text: str
    metadata: NotRequired[dict[str, Any]]


class UpsertItemsAnswer(TypedDict):
    ok: Literal[True]
    upserted: int

class Operations:
    """A method for each operation; all raise IsnadError."""

    def _call(self, method: str, path: str, query: Mapping[str, Any], body: object = None) -> Any:
        raise NotImplementedError

    def _pages(self, method: str, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        raise NotImplementedError

    def _rows(self, method: str, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        raise NotImplementedError

    def _events(self, path: str, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        raise NotImplementedError

    def analyse_dialect(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
    ) -> IdentifiedDialect | AnalyseDialectAnswer2:
        """Which Arabic a text is in: the standard language, or that of one of five regions."""
        return cast(
            IdentifiedDialect | AnalyseDialectAnswer2,
            self._call(
                "POST",
                "/nlp/dialect/identify",
                {},
                _given({"text": text, "texts": texts}),
            ),
        )

    def analyse_dialect_glossary(
        self,
        *,
        text: str,
        top_k: int | None = None,
        similarity_threshold: float | None = None,
        include_offsets: bool | None = None,
    ) -> DialectGlossary:
        """What the words of a text may mean in dialect."""
        return cast(
            DialectGlossary,
            self._call(
                "POST",
                "/nlp/dialect/nabra/glossary",
                {},
                _given({"text": text, "top_k": top_k, "similarity_threshold": similarity_threshold, "include_offsets": include_offsets}),
            ),
        )

    def analyse_dialect_sentence(
        self,
        *,
        sentence_id: int | None = None,
        text: str | None = None,
    ) -> DialectSentence:
        """A sentence in dialect, word by word."""
        return cast(
            DialectSentence,
            self._call(
                "POST",
                "/nlp/dialect/nabra",
                {},
                _given({"sentence_id": sentence_id, "text": text}),
            ),
        )

    def analyse_entities(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        mode: Literal["nested", "flat"] | None = None,
        include_offsets: bool | None = None,
    ) -> NerAnswer | AnalyseEntitiesAnswer2:
        """The entities of a text, nested or flat."""
        return cast(
            NerAnswer | AnalyseEntitiesAnswer2,
            self._call(
                "POST",
                "/nlp/ner",
                {},
                _given({"text": text, "texts": texts, "mode": mode, "include_offsets": include_offsets}),
            ),
        )

    def analyse_morphology(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        task: Literal["full", "lemmatization", "pos", "root"] | None = None,
        flag: Literal["1", "*"] | None = None,
        language: Literal["MSA"] | None = None,
        include_lemma: bool | None = None,
    ) -> MorphAnswer | AnalyseMorphologyAnswer2:
        """Lemma, part of speech, root and parts of each word."""
        return cast(
            MorphAnswer | AnalyseMorphologyAnswer2,
            self._call(
                "POST",
                "/nlp/morph",
                {},
                _given({"text": text, "texts": texts, "task": task, "flag": flag, "language": language, "include_lemma": include_lemma}),
            ),
        )

    def analyse_relations(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        min_confidence: float | None = None,
    ) -> TextRelations | AnalyseRelationsAnswer2:
        """Events and who and what takes part in them."""
        return cast(
            TextRelations | AnalyseRelationsAnswer2,
            self._call(
                "POST",
                "/nlp/re",
                {},
                _given({"text": text, "texts": texts, "min_confidence": min_confidence}),
            ),
        )

    def analyse_text(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        layers: list[Literal["morph", "ner", "wsd", "re", "dialect"]] | None = None,
        min_confidence: float | None = None,
    ) -> Analysis | AnalyseTextAnswer2:
        """All layers of a text over one cut into tokens."""
        return cast(
            Analysis | AnalyseTextAnswer2,
            self._call(
                "POST",
                "/nlp/analyse",
                {},
                _given({"text": text, "texts": texts, "layers": layers, "min_confidence": min_confidence}),
            ),
        )

    def analyse_word_senses(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        include_gloss: bool | None = None,
        include_offsets: bool | None = None,
    ) -> WsdAnswer | AnalyseWordSensesAnswer2:
        """The sense of each word in its sentence."""
        return cast(
            WsdAnswer | AnalyseWordSensesAnswer2,
            self._call(
                "POST",
                "/nlp/wsd",
                {},
                _given({"text": text, "texts": texts, "include_gloss": include_gloss, "include_offsets": include_offsets}),
            ),
        )

    def call_agent_tools(
        self,
        *,
        jsonrpc: Literal["2.0"],
        method: str,
        id: int | str | None = None,
        params: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The tools of agents, by the Model Context Protocol (Streamable HTTP, without sessions)."""
        return cast(
            dict[str, Any],
            self._call(
                "POST",
                "/mcp",
                {},
                _given({"jsonrpc": jsonrpc, "id": id, "method": method, "params": params}),
            ),
        )

    def change_review(
        self,
        *,
        review_id: int,
        claim_id: int | None = None,
        claim_text: str | None = None,
        lang: Literal["ar", "en"] | None = None,
        rating: int | None = None,
        rating_text: str | None = None,
        url: str | None = None,
        publisher: str | None = None,
        published_at: str | None = None,
        claimant: str | None = None,
        claimed_at: str | None = None,
        appearances: list[str] | None = None,
    ) -> Review:
        """Change a review."""
        return cast(
            Review,
            self._call(
                "PATCH",
                f"/v1/reviews/{_part(review_id)}",
                {},
                _given({"claim_id": claim_id, "claim_text": claim_text, "lang": lang, "rating": rating, "rating_text": rating_text, "url": url, "publisher": publisher, "published_at": published_at, "claimant": claimant, "claimed_at": claimed_at, "appearances": appearances}),
            ),
        )

    def check_api_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            self._call(
                "GET",
                "/health",
                {},
            ),
        )

    def check_nlp_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            self._call(
                "GET",
                "/nlp/healthz",
                {},
            ),
        )

    def check_sentences(
        self,
        *,
        text: str | None = None,
        sentences: list[str] | None = None,
        lang: Literal["ar", "en", None] = None,
        genre: Literal["debate", "news", None] = None,
        threshold: float | None = None,
    ) -> CheckResponse:
        """Sentence-level check-worthiness."""
        return cast(
            CheckResponse,
            self._call(
                "POST",
                "/retrieval/s1/check-worthiness",
                {},
                _given({"text": text, "sentences": sentences, "lang": lang, "genre": genre, "threshold": threshold}),
            ),
        )

    def create_chat(
        self,
        *,
        messages: list[ChatMessage],
        stream: bool | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> ChatAnswer:
        """General-purpose chat, grounded in the platform's articles unless told otherwise."""
        return cast(
            ChatAnswer,
            self._call(
                "POST",
                "/edge/llm/chat",
                {},
                _given({"messages": messages, "stream": stream, "max_tokens": max_tokens, "temperature": temperature, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id}),
            ),
        )

    def create_chat_events(
        self,
        *,
        messages: list[ChatMessage],
        stream: bool | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Events of the answer, as they come."""
        yield from self._events("/edge/llm/chat", _given({"messages": messages, "stream": stream, "max_tokens": max_tokens, "temperature": temperature, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id}))

    def create_chat_completion(
        self,
        *,
        messages: list[ChatMessage],
        stream: bool | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> ChatAnswer:
        """AI chat over the platform's articles."""
        return cast(
            ChatAnswer,
            self._call(
                "POST",
                "/chat/completions",
                {},
                _given({"messages": messages, "stream": stream, "max_tokens": max_tokens, "temperature": temperature, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id}),
            ),
        )

    def create_chat_completion_events(
        self,
        *,
        messages: list[ChatMessage],
        stream: bool | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Events of the answer, as they come."""
        yield from self._events("/chat/completions", _given({"messages": messages, "stream": stream, "max_tokens": max_tokens, "temperature": temperature, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id}))

    def create_open_ai_completion(
        self,
        *,
        model: str,
        messages: list[OpenAiMessage],
        stream: bool | None = None,
        stream_options: CreateOpenAiCompletionStreamOptions | None = None,
        max_tokens: int | None = None,
        max_completion_tokens: int | None = None,
        temperature: float | None = None,
        n: Literal[1] | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> OpenAiCompletion:
        """AI chat over the platform's articles, in OpenAI's protocol."""
        return cast(
            OpenAiCompletion,
            self._call(
                "POST",
                "/v1/chat/completions",
                {},
                _given({"model": model, "messages": messages, "stream": stream, "stream_options": stream_options, "max_tokens": max_tokens, "max_completion_tokens": max_completion_tokens, "temperature": temperature, "n": n, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id}),
            ),
        )

    def create_open_ai_completion_events(
        self,
        *,
        model: str,
        messages: list[OpenAiMessage],
        stream: bool | None = None,
        stream_options: CreateOpenAiCompletionStreamOptions | None = None,
        max_tokens: int | None = None,
        max_completion_tokens: int | None = None,
        temperature: float | None = None,
        n: Literal[1] | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Events of the answer, as they come."""
        yield from self._events("/v1/chat/completions", _given({"model": model, "messages": messages, "stream": stream, "stream_options": stream_options, "max_tokens": max_tokens, "max_completion_tokens": max_completion_tokens, "temperature": temperature, "n": n, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id}))

    def create_open_ai_embeddings(
        self,
        *,
        model: str,
        input: str | list[str],
        encoding_format: Literal["float", "base64"] | None = None,
        dimensions: int | None = None,
        input_type: Literal["query", "passage"] | None = None,
    ) -> OpenAiEmbeddings:
        """Vectors of texts, in OpenAI's protocol."""
        return cast(
            OpenAiEmbeddings,
            self._call(
                "POST",
                "/v1/embeddings",
                {},
                _given({"model": model, "input": input, "encoding_format": encoding_format, "dimensions": dimensions, "input_type": input_type}),
            ),
        )

    def create_reviews(
        self,
        *,
        body: NewReview | NewReviews,
    ) -> Review | ReviewReceipts:
        """Store one review, or up to 100."""
        return cast(
            Review | ReviewReceipts,
            self._call(
                "POST",
                "/v1/reviews",
                {},
                body,
            ),
        )

    def create_run(
        self,
        *,
        profile_id: str,
        limit: int | None = None,
        trigger: Literal["api", "cli"] | None = None,
        force: bool | None = None,
    ) -> CreateRunAnswer:
        """Queue a run of a profile."""
        return cast(
            CreateRunAnswer,
            self._call(
                "POST",
                "/scraper/runs",
                {},
                _given({"profile_id": profile_id, "limit": limit, "trigger": trigger, "force": force}),
            ),
        )

    def create_saved_search(
        self,
        *,
        name: str,
        query: SavedQuery,
        min_similarity: float | None = None,
        active: bool | None = None,
        notify: SearchNotify | None = None,
    ) -> SavedSearch:
        """Keep a search: it is matched by every article that becomes searchable from now on."""
        return cast(
            SavedSearch,
            self._call(
                "POST",
                "/v1/searches",
                {},
                _given({"name": name, "query": query, "min_similarity": min_similarity, "active": active, "notify": notify}),
            ),
        )

    def create_source(
        self,
        *,
        key: str,
        provider: Literal["rss", "newsdata", "scraper", "scraper-push"] | None = None,
        name: str | None = None,
        feed_url: str | None = None,
        homepage: str | None = None,
        language: str | None = None,
        tier: int | None = None,
        active: bool | None = None,
    ) -> Source:
        """Register a source."""
        return cast(
            Source,
            self._call(
                "POST",
                "/v1/sources",
                {},
                _given({"key": key, "provider": provider, "name": name, "feed_url": feed_url, "homepage": homepage, "language": language, "tier": tier, "active": active}),
            ),
        )

    def delete_article(
        self,
        *,
        article_id: int,
    ) -> None:
        """Remove an article everywhere."""
        self._call("DELETE", f"/v1/articles/{_part(article_id)}", {})

    def delete_review(
        self,
        *,
        review_id: int,
    ) -> None:
        """Delete a review."""
        self._call("DELETE", f"/v1/reviews/{_part(review_id)}", {})

    def delete_saved_search(
        self,
        *,
        search_id: int,
    ) -> None:
        """Delete a saved search with its matches and what is still to be delivered."""
        self._call("DELETE", f"/v1/searches/{_part(search_id)}", {})

    def delete_source(
        self,
        *,
        key: str,
    ) -> None:
        """Remove a source; its articles stay."""
        self._call("DELETE", f"/v1/sources/{_part(key)}", {})

    def draft_profile(
        self,
        *,
        url: str,
        language: Literal["ar", "en"] | None = None,
        articles: int | None = None,
    ) -> ProfileDraft:
        """Look at a site, and draft its profile."""
        return cast(
            ProfileDraft,
            self._call(
                "POST",
                "/scraper/profiles/draft",
                {},
                _given({"url": url, "language": language, "articles": articles}),
            ),
        )

    def embed_queries(
        self,
        *,
        queries: list[str],
    ) -> QueryVectorsResponse:
        """The vectors of queries, as a search by meaning compares passages with them."""
        return cast(
            QueryVectorsResponse,
            self._call(
                "POST",
                "/retrieval/query-vectors",
                {},
                _given({"queries": queries}),
            ),
        )

    def embed_text(
        self,
        *,
        text: str,
    ) -> EmbedTextAnswer:
        """The embedding vector of a text."""
        return cast(
            EmbedTextAnswer,
            self._call(
                "POST",
                "/edge/rag/dev/echo-embed",
                {},
                _given({"text": text}),
            ),
        )

    def embed_texts(
        self,
        *,
        texts: list[str],
        kind: Literal["query", "passage"] | None = None,
    ) -> EmbedAnswer:
        """Vectors of texts."""
        return cast(
            EmbedAnswer,
            self._call(
                "POST",
                "/edge/llm/embed",
                {},
                _given({"texts": texts, "kind": kind}),
            ),
        )

    def export_sources(self) -> str:
        """The sources that have a feed, as OPML."""
        return cast(
            str,
            self._call(
                "GET",
                "/v1/sources.opml",
                {},
            ),
        )

    def find_near_claims(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        lang: Literal["ar", "en"] | None = None,
        k: int | None = None,
    ) -> ClaimMatches:
        """Find the reviews and claims nearest to a text."""
        return cast(
            ClaimMatches,
            self._call(
                "POST",
                "/retrieval/claims/match",
                {},
                _given({"text": text, "texts": texts, "lang": lang, "k": k}),
            ),
        )

    def find_passages(
        self,
        *,
        query: str,
        k: int | None = None,
        filters: ChunkFilters | None = None,
        vectors_of: str | None = None,
    ) -> PassagesResponse:
        """The chunks of articles nearest in meaning."""
        return cast(
            PassagesResponse,
            self._call(
                "POST",
                "/retrieval/passages",
                {},
                _given({"query": query, "k": k, "filters": filters, "vectors_of": vectors_of}),
            ),
        )

    def get_analysis(
        self,
        *,
        text: str,
        layers: str | None = None,
        min_confidence: float | None = None,
    ) -> Analysis:
        """All layers of a text over one cut into tokens."""
        return cast(
            Analysis,
            self._call(
                "GET",
                "/nlp/analyse",
                {"text": text, "layers": layers, "min_confidence": min_confidence},
            ),
        )

    def get_api_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            self._call(
                "GET",
                "/api/v1/health",
                {},
            ),
        )

    def get_api_liveness(self) -> GetApiLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetApiLivenessAnswer,
            self._call(
                "GET",
                "/livez",
                {},
            ),
        )

    def get_api_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            self._call(
                "GET",
                "/metrics",
                {},
            ),
        )

    def get_api_readiness(self) -> GetApiReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetApiReadinessAnswer,
            self._call(
                "GET",
                "/readyz",
                {},
            ),
        )

    def get_article(
        self,
        *,
        article_id: int,
    ) -> Article:
        """Show an article with its state, entities and relations."""
        return cast(
            Article,
            self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}",
                {},
            ),
        )

    def get_chain(
        self,
        *,
        article_id: int,
    ) -> Chain:
        """Show who had a report first, who took it over, and who is credited."""
        return cast(
            Chain,
            self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}/chain",
                {},
            ),
        )

    def get_claim(
        self,
        *,
        claim_id: int,
    ) -> ClaimDetail:
        """A claim with every sentence that makes it."""
        return cast(
            ClaimDetail,
            self._call(
                "GET",
                f"/v1/claims/{_part(claim_id)}",
                {},
            ),
        )

    def get_dialect(
        self,
        *,
        text: str,
    ) -> IdentifiedDialect:
        """Which Arabic a text is in: the standard language, or that of one of five regions."""
        return cast(
            IdentifiedDialect,
            self._call(
                "GET",
                "/nlp/dialect/identify",
                {"text": text},
            ),
        )

    def get_dialect_glossary(
        self,
        *,
        text: str,
        top_k: int | None = None,
        similarity_threshold: float | None = None,
        include_offsets: bool | None = None,
    ) -> DialectGlossary:
        """What the words of a text may mean in dialect."""
        return cast(
            DialectGlossary,
            self._call(
                "GET",
                "/nlp/dialect/nabra/glossary",
                {"text": text, "top_k": top_k, "similarity_threshold": similarity_threshold, "include_offsets": include_offsets},
            ),
        )

    def get_dialect_sentence(
        self,
        *,
        sentence_id: int | None = None,
        text: str | None = None,
    ) -> DialectSentence:
        """A sentence in dialect, word by word."""
        return cast(
            DialectSentence,
            self._call(
                "GET",
                "/nlp/dialect/nabra",
                {"sentence_id": sentence_id, "text": text},
            ),
        )

    def get_edge_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            self._call(
                "GET",
                "/edge/health",
                {},
            ),
        )

    def get_edge_liveness(self) -> GetEdgeLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetEdgeLivenessAnswer,
            self._call(
                "GET",
                "/edge/livez",
                {},
            ),
        )

    def get_edge_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            self._call(
                "GET",
                "/edge/metrics",
                {},
            ),
        )

    def get_edge_readiness(self) -> GetEdgeReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetEdgeReadinessAnswer,
            self._call(
                "GET",
                "/edge/readyz",
                {},
            ),
        )

    def get_entities(
        self,
        *,
        text: str,
        mode: Literal["nested", "flat"] | None = None,
        include_offsets: bool | None = None,
    ) -> NerAnswer:
        """The entities of a text, nested or flat."""
        return cast(
            NerAnswer,
            self._call(
                "GET",
                "/nlp/ner",
                {"text": text, "mode": mode, "include_offsets": include_offsets},
            ),
        )

    def get_lemma(
        self,
        *,
        id: int,
    ) -> Lemma:
        """A word of the lexicon."""
        return cast(
            Lemma,
            self._call(
                "GET",
                f"/nlp/lemmas/{_part(id)}",
                {},
            ),
        )

    def get_morphology(
        self,
        *,
        text: str,
        task: Literal["full", "lemmatization", "pos", "root"] | None = None,
        flag: Literal["1", "*"] | None = None,
        language: Literal["MSA"] | None = None,
        include_lemma: bool | None = None,
    ) -> MorphAnswer:
        """Lemma, part of speech, root and parts of each word."""
        return cast(
            MorphAnswer,
            self._call(
                "GET",
                "/nlp/morph",
                {"text": text, "task": task, "flag": flag, "language": language, "include_lemma": include_lemma},
            ),
        )

    def get_nlp_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            self._call(
                "GET",
                "/nlp/health",
                {},
            ),
        )

    def get_nlp_liveness(self) -> GetNlpLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetNlpLivenessAnswer,
            self._call(
                "GET",
                "/nlp/livez",
                {},
            ),
        )

    def get_nlp_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            self._call(
                "GET",
                "/nlp/metrics",
                {},
            ),
        )

    def get_nlp_readiness(self) -> GetNlpReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetNlpReadinessAnswer,
            self._call(
                "GET",
                "/nlp/readyz",
                {},
            ),
        )

    def get_open_ai_model(
        self,
        *,
        model: str,
    ) -> OpenAiModel:
        """A model of this API, in OpenAI's protocol."""
        return cast(
            OpenAiModel,
            self._call(
                "GET",
                f"/v1/models/{_part(model)}",
                {},
            ),
        )

    def get_relations(
        self,
        *,
        text: str,
        min_confidence: float | None = None,
    ) -> TextRelations:
        """Events and who and what takes part in them."""
        return cast(
            TextRelations,
            self._call(
                "GET",
                "/nlp/re",
                {"text": text, "min_confidence": min_confidence},
            ),
        )

    def get_retrieval_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            self._call(
                "GET",
                "/retrieval/health",
                {},
            ),
        )

    def get_retrieval_liveness(self) -> GetRetrievalLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetRetrievalLivenessAnswer,
            self._call(
                "GET",
                "/retrieval/livez",
                {},
            ),
        )

    def get_retrieval_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            self._call(
                "GET",
                "/retrieval/metrics",
                {},
            ),
        )

    def get_retrieval_readiness(self) -> GetRetrievalReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetRetrievalReadinessAnswer,
            self._call(
                "GET",
                "/retrieval/readyz",
                {},
            ),
        )

    def get_review(
        self,
        *,
        review_id: int,
    ) -> Review:
        """Show a review; as ClaimReview where that is accepted."""
        return cast(
            Review,
            self._call(
                "GET",
                f"/v1/reviews/{_part(review_id)}",
                {},
            ),
        )

    def get_run(
        self,
        *,
        run_id: str,
    ) -> DetailedRun:
        """A run with its counts, its feeds, and why articles did not come."""
        return cast(
            DetailedRun,
            self._call(
                "GET",
                f"/scraper/runs/{_part(run_id)}",
                {},
            ),
        )

    def get_saved_search(
        self,
        *,
        search_id: int,
    ) -> SavedSearch:
        """A saved search."""
        return cast(
            SavedSearch,
            self._call(
                "GET",
                f"/v1/searches/{_part(search_id)}",
                {},
            ),
        )

    def get_scraper_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            self._call(
                "GET",
                "/scraper/health",
                {},
            ),
        )

    def get_scraper_liveness(self) -> GetScraperLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetScraperLivenessAnswer,
            self._call(
                "GET",
                "/scraper/livez",
                {},
            ),
        )

    def get_scraper_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            self._call(
                "GET",
                "/scraper/metrics",
                {},
            ),
        )

    def get_scraper_readiness(self) -> GetScraperReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetScraperReadinessAnswer,
            self._call(
                "GET",
                "/scraper/readyz",
                {},
            ),
        )

    def get_search_atom_feed(
        self,
        *,
        search_id: int,
        key: str,
    ) -> str:
        """The newest 50 matches of a saved search, as Atom."""
        return cast(
            str,
            self._call(
                "GET",
                f"/v1/searches/{_part(search_id)}/feed.atom",
                {"key": key},
            ),
        )

    def get_search_json_feed(
        self,
        *,
        search_id: int,
        key: str,
    ) -> str:
        """The newest 50 matches of a saved search, as JSON Feed."""
        return cast(
            str,
            self._call(
                "GET",
                f"/v1/searches/{_part(search_id)}/feed.json",
                {"key": key},
            ),
        )

    def get_sense(
        self,
        *,
        id: str,
    ) -> Sense:
        """A sense of the inventory."""
        return cast(
            Sense,
            self._call(
                "GET",
                f"/nlp/senses/{_part(id)}",
                {},
            ),
        )

    def get_source(
        self,
        *,
        key: str,
    ) -> Source:
        """A source, with what came of it lately."""
        return cast(
            Source,
            self._call(
                "GET",
                f"/v1/sources/{_part(key)}",
                {},
            ),
        )

    def get_state(self) -> StackState:
        """How the services, stages, indexes and the storage stand."""
        return cast(
            StackState,
            self._call(
                "GET",
                "/v1/state",
                {},
            ),
        )

    def get_story(
        self,
        *,
        story_id: int,
        lang: Literal["ar", "en"] | None = None,
    ) -> WholeStory:
        """Show a story with all its articles."""
        return cast(
            WholeStory,
            self._call(
                "GET",
                f"/v1/stories/{_part(story_id)}",
                {"lang": lang},
            ),
        )

    def get_word_senses(
        self,
        *,
        text: str,
        include_gloss: bool | None = None,
        include_offsets: bool | None = None,
    ) -> WsdAnswer:
        """The sense of each word in its sentence."""
        return cast(
            WsdAnswer,
            self._call(
                "GET",
                "/nlp/wsd",
                {"text": text, "include_gloss": include_gloss, "include_offsets": include_offsets},
            ),
        )

    def import_sources(
        self,
        *,
        opml: str,
        active: bool | None = None,
    ) -> SourcesImported:
        """Register the feeds of an OPML file."""
        return cast(
            SourcesImported,
            self._call(
                "POST",
                "/v1/sources.opml",
                {},
                _given({"opml": opml, "active": active}),
            ),
        )

    def ingest_articles(
        self,
        *,
        body: IngestArticlesBody1 | IngestItem,
    ) -> IngestResponse:
        """Submit articles."""
        return cast(
            IngestResponse,
            self._call(
                "POST",
                "/v1/ingest/articles",
                {},
                body,
            ),
        )

    def ingest_relations(
        self,
        *,
        doc_id: str | int,
        enrichment_status: Literal["ok", "cached", "timeout", "error", "skipped"],
        lang: str | None = None,
        task_version: str | None = None,
        nlp_lab_version: str | None = None,
        relations: list[RelationOfPackage] | None = None,
        enrich_ms: int | None = None,
    ) -> RelationsReceipt:
        """Report the relations in an article."""
        return cast(
            RelationsReceipt,
            self._call(
                "POST",
                "/ingest/relations",
                {},
                _given({"doc_id": doc_id, "lang": lang, "task_version": task_version, "nlp_lab_version": nlp_lab_version, "enrichment_status": enrichment_status, "relations": relations, "enrich_ms": enrich_ms}),
            ),
        )

    def list_article_claims(
        self,
        *,
        article_id: int,
    ) -> ClaimPage:
        """What an article claims."""
        return cast(
            ClaimPage,
            self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}/claims",
                {},
            ),
        )

    def list_articles(
        self,
        *,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
    ) -> ArticleList:
        """List the articles that can be searched, newest first."""
        return cast(
            ArticleList,
            self._call(
                "GET",
                "/v1/articles",
                {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "cursor": cursor, "format": format},
            ),
        )

    def list_articles_pages(
        self,
        *,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
    ) -> Iterator[ArticleList]:
        """Pages to the end."""
        yield from self._pages("GET", "/v1/articles", {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "cursor": cursor, "format": format})

    def list_articles_rows(
        self,
        *,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
    ) -> Iterator[dict[str, Any]]:
        """All rows, as they are found."""
        yield from self._rows("GET", "/v1/articles", {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "cursor": cursor, "format": format})

    def list_capabilities(self) -> ListCapabilitiesAnswer:
        """What the models here can do now."""
        return cast(
            ListCapabilitiesAnswer,
            self._call(
                "GET",
                "/edge/llm/health",
                {},
            ),
        )

    def list_claims(
        self,
        *,
        q: str | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        entity: str | None = None,
        story: int | None = None,
        reviewed: bool | None = None,
        sort: Literal["score", "newest", "repeats"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ClaimPage:
        """What articles claim."""
        return cast(
            ClaimPage,
            self._call(
                "GET",
                "/v1/claims",
                {"q": q, "from": from_, "to": to, "lang": lang, "source": source, "entity": entity, "story": story, "reviewed": reviewed, "sort": sort, "limit": limit, "cursor": cursor},
            ),
        )

    def list_claims_pages(
        self,
        *,
        q: str | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        entity: str | None = None,
        story: int | None = None,
        reviewed: bool | None = None,
        sort: Literal["score", "newest", "repeats"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[ClaimPage]:
        """Pages to the end."""
        yield from self._pages("GET", "/v1/claims", {"q": q, "from": from_, "to": to, "lang": lang, "source": source, "entity": entity, "story": story, "reviewed": reviewed, "sort": sort, "limit": limit, "cursor": cursor})

    def list_entities(
        self,
        *,
        q: str | None = None,
        type: Literal["PER", "MISC", "PERS", "NORP", "ORG", "GPE", "LOC", "FAC", "EVENT", "DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "LANGUAGE", "QUANTITY", "WEBSITE", "UNIT", "LAW", "MONEY", "PRODUCT", "CURR"] | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        limit: int | None = None,
    ) -> Entities:
        """Who and what is mentioned most."""
        return cast(
            Entities,
            self._call(
                "GET",
                "/v1/entities",
                {"q": q, "type": type, "from": from_, "to": to, "limit": limit},
            ),
        )

    def list_open_ai_models(self) -> ListOpenAiModelsAnswer:
        """The models of this API, in OpenAI's protocol."""
        return cast(
            ListOpenAiModelsAnswer,
            self._call(
                "GET",
                "/v1/models",
                {},
            ),
        )

    def list_profile_categories(
        self,
        *,
        name: str,
    ) -> list[str]:
        """The canonical categories that a profile can yield."""
        return cast(
            list[str],
            self._call(
                "GET",
                f"/scraper/profiles/{_part(name)}/categories",
                {},
            ),
        )

    def list_profiles(self) -> list[Profile]:
        """The profiles in force, with configuration and status."""
        return cast(
            list[Profile],
            self._call(
                "GET",
                "/scraper/profiles",
                {},
            ),
        )

    def list_reviews(
        self,
        *,
        publisher: str | None = None,
        rating: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ReviewPage:
        """The reviews, the last ones first."""
        return cast(
            ReviewPage,
            self._call(
                "GET",
                "/v1/reviews",
                {"publisher": publisher, "rating": rating, "limit": limit, "cursor": cursor},
            ),
        )

    def list_reviews_pages(
        self,
        *,
        publisher: str | None = None,
        rating: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[ReviewPage]:
        """Pages to the end."""
        yield from self._pages("GET", "/v1/reviews", {"publisher": publisher, "rating": rating, "limit": limit, "cursor": cursor})

    def list_revisions(
        self,
        *,
        article_id: int,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Revisions:
        """What sources said of an article after it was stored, newest first."""
        return cast(
            Revisions,
            self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}/revisions",
                {"limit": limit, "cursor": cursor},
            ),
        )

    def list_revisions_pages(
        self,
        *,
        article_id: int,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[Revisions]:
        """Pages to the end."""
        yield from self._pages("GET", f"/v1/articles/{_part(article_id)}/revisions", {"limit": limit, "cursor": cursor})

    def list_runs(
        self,
        *,
        profile_id: str | None = None,
        status: Literal["queued", "running", "succeeded", "partial", "failed"] | None = None,
        trigger: Literal["schedule", "api", "cli"] | None = None,
        since: Any | None = None,
        until: Any | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> RunPage:
        """Runs, newest first."""
        return cast(
            RunPage,
            self._call(
                "GET",
                "/scraper/runs",
                {"profile_id": profile_id, "status": status, "trigger": trigger, "since": since, "until": until, "limit": limit, "cursor": cursor},
            ),
        )

    def list_runs_pages(
        self,
        *,
        profile_id: str | None = None,
        status: Literal["queued", "running", "succeeded", "partial", "failed"] | None = None,
        trigger: Literal["schedule", "api", "cli"] | None = None,
        since: Any | None = None,
        until: Any | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[RunPage]:
        """Pages to the end."""
        yield from self._pages("GET", "/scraper/runs", {"profile_id": profile_id, "status": status, "trigger": trigger, "since": since, "until": until, "limit": limit, "cursor": cursor})

    def list_saved_searches(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SavedSearchPage:
        """The saved searches, newest first."""
        return cast(
            SavedSearchPage,
            self._call(
                "GET",
                "/v1/searches",
                {"limit": limit, "cursor": cursor},
            ),
        )

    def list_saved_searches_pages(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[SavedSearchPage]:
        """Pages to the end."""
        yield from self._pages("GET", "/v1/searches", {"limit": limit, "cursor": cursor})

    def list_search_matches(
        self,
        *,
        search_id: int,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SearchMatchPage:
        """What a saved search has matched, newest first."""
        return cast(
            SearchMatchPage,
            self._call(
                "GET",
                f"/v1/searches/{_part(search_id)}/matches",
                {"limit": limit, "cursor": cursor},
            ),
        )

    def list_search_matches_pages(
        self,
        *,
        search_id: int,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[SearchMatchPage]:
        """Pages to the end."""
        yield from self._pages("GET", f"/v1/searches/{_part(search_id)}/matches", {"limit": limit, "cursor": cursor})

    def list_similar_articles(
        self,
        *,
        article_id: int,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
    ) -> SimilarArticles:
        """The articles that are most like one, its copies left out."""
        return cast(
            SimilarArticles,
            self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}/similar",
                {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to},
            ),
        )

    def list_sources(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SourcePage:
        """The sources, with what came of them lately."""
        return cast(
            SourcePage,
            self._call(
                "GET",
                "/v1/sources",
                {"limit": limit, "cursor": cursor},
            ),
        )

    def list_sources_pages(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[SourcePage]:
        """Pages to the end."""
        yield from self._pages("GET", "/v1/sources", {"limit": limit, "cursor": cursor})

    def list_stories(
        self,
        *,
        from_: Any | None = None,
        to: Any | None = None,
        lang: Literal["ar", "en"] | None = None,
        category: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        q: str | None = None,
        min_size: int | None = None,
        sort: Literal["size", "newest", "growth"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> StoryList:
        """List events with the articles that tell of them, in both languages."""
        return cast(
            StoryList,
            self._call(
                "GET",
                "/v1/stories",
                {"from": from_, "to": to, "lang": lang, "category": category, "source": source, "entity": entity, "q": q, "min_size": min_size, "sort": sort, "limit": limit, "cursor": cursor},
            ),
        )

    def list_stories_pages(
        self,
        *,
        from_: Any | None = None,
        to: Any | None = None,
        lang: Literal["ar", "en"] | None = None,
        category: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        q: str | None = None,
        min_size: int | None = None,
        sort: Literal["size", "newest", "growth"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[StoryList]:
        """Pages to the end."""
        yield from self._pages("GET", "/v1/stories", {"from": from_, "to": to, "lang": lang, "category": category, "source": source, "entity": entity, "q": q, "min_size": min_size, "sort": sort, "limit": limit, "cursor": cursor})

    def match_claims(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        lang: Literal["ar", "en"] | None = None,
        k: int | None = None,
    ) -> ClaimMatches:
        """Find the reviews and claims nearest to a text."""
        return cast(
            ClaimMatches,
            self._call(
                "POST",
                "/v1/claims/match",
                {},
                _given({"text": text, "texts": texts, "lang": lang, "k": k}),
            ),
        )

    def pull_source(
        self,
        *,
        key: str,
    ) -> PullReceipt:
        """Have a source pulled now."""
        return cast(
            PullReceipt,
            self._call(
                "POST",
                f"/v1/sources/{_part(key)}/pull",
                {},
            ),
        )

    def query_chunks(
        self,
        *,
        query: str,
        k: int | None = None,
        rerank_top_n: int | None = None,
        filters: ChunkFilters | None = None,
    ) -> RagAnswer:
        """Vector search over the chunks of articles, with an optional rerank step."""
        return cast(
            RagAnswer,
            self._call(
                "POST",
                "/edge/rag/query",
                {},
                _given({"query": query, "k": k, "rerank_top_n": rerank_top_n, "filters": filters}),
            ),
        )

    def reload_profiles(self) -> None:
        """Read the profile files again."""
        self._call("POST", "/scraper/profiles/reload", {})

    def renew_feed_key(
        self,
        *,
        search_id: int,
    ) -> SavedSearch:
        """Give the feeds of a saved search another key; the one before is good for nothing."""
        return cast(
            SavedSearch,
            self._call(
                "POST",
                f"/v1/searches/{_part(search_id)}/feed-key",
                {},
            ),
        )

    def replay_articles(
        self,
        *,
        profile_id: str | None = None,
        run_id: str | None = None,
        since: Any | None = None,
        until: Any | None = None,
        limit: int | None = None,
        send_to_api: bool | None = None,
    ) -> ReplayCounts:
        """Send kept articles to the ingest endpoint again."""
        return cast(
            ReplayCounts,
            self._call(
                "POST",
                "/scraper/replay",
                {},
                _given({"profile_id": profile_id, "run_id": run_id, "since": since, "until": until, "limit": limit, "send_to_api": send_to_api}),
            ),
        )

    def report_revisions(
        self,
        *,
        body: ReportRevisionsBody1 | DeletionReport | ChangeReport,
    ) -> RevisionResponse:
        """Report what a source says of known articles now."""
        return cast(
            RevisionResponse,
            self._call(
                "POST",
                "/v1/ingest/revisions",
                {},
                body,
            ),
        )

    def retrieve_evidence(
        self,
        *,
        query: str,
        lang: Literal["ar", "en", None] = None,
        k_bm25: int | None = None,
        k_knn: int | None = None,
        k_rrf: int | None = None,
        rerank: bool | None = None,
        fields: list[Literal["doc_id", "article_id", "title", "passage", "passages", "url", "published_at", "source", "bm25_rank", "knn_rank", "rrf_score", "rerank_score", "final_rank", "highlights"]] | None = None,
        limit: int | None = None,
        filters: RetrieveEvidenceFilters | None = None,
    ) -> RetrieveResponse:
        """Hybrid retrieval: BM25 and nearest neighbours, fused by reciprocal rank."""
        return cast(
            RetrieveResponse,
            self._call(
                "POST",
                "/retrieval/retrieve",
                {},
                _given({"query": query, "lang": lang, "k_bm25": k_bm25, "k_knn": k_knn, "k_rrf": k_rrf, "rerank": rerank, "fields": fields, "limit": limit, "filters": filters}),
            ),
        )

    def revoke_feed_key(
        self,
        *,
        search_id: int,
    ) -> SavedSearch:
        """Take the key of a saved search's feeds away: nobody can read them."""
        return cast(
            SavedSearch,
            self._call(
                "DELETE",
                f"/v1/searches/{_part(search_id)}/feed-key",
                {},
            ),
        )

    def score_sentences(
        self,
        *,
        text: str | None = None,
        sentences: list[str] | None = None,
        lang: Literal["ar", "en", None] = None,
        genre: Literal["debate", "news", None] = None,
        threshold: float | None = None,
    ) -> CheckResponse:
        """Sentence-level check-worthiness."""
        return cast(
            CheckResponse,
            self._call(
                "POST",
                "/retrieval/s1/score",
                {},
                _given({"text": text, "sentences": sentences, "lang": lang, "genre": genre, "threshold": threshold}),
            ),
        )

    def scrape_sources(
        self,
        *,
        sources: list[str] | None = None,
        query: str | None = None,
        categories: list[str] | None = None,
        limit: int | None = None,
        write_to_disk: bool | None = None,
        send_to_api: bool | None = None,
        force: bool | None = None,
    ) -> ScrapeResults | ScrapeFile:
        """Scrape now."""
        return cast(
            ScrapeResults | ScrapeFile,
            self._call(
                "POST",
                "/scraper/scrape",
                {},
                _given({"sources": sources, "query": query, "categories": categories, "limit": limit, "write_to_disk": write_to_disk, "send_to_api": send_to_api, "force": force}),
            ),
        )

    def search_articles(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> SearchBody:
        """Search by word, by meaning, or both."""
        return cast(
            SearchBody,
            self._call(
                "GET",
                "/v1/search",
                {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank},
            ),
        )

    def search_articles_pages(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> Iterator[SearchBody]:
        """Pages to the end."""
        yield from self._pages("GET", "/v1/search", {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank})

    def search_articles_rows(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> Iterator[dict[str, Any]]:
        """All rows, as they are found."""
        yield from self._rows("GET", "/v1/search", {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank})

    def search_branches(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> SearchBody:
        """Search by word, by meaning, or both."""
        return cast(
            SearchBody,
            self._call(
                "GET",
                "/retrieval/search",
                {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank},
            ),
        )

    def search_branches_pages(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> Iterator[SearchBody]:
        """Pages to the end."""
        yield from self._pages("GET", "/retrieval/search", {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank})

    def search_branches_rows(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> Iterator[dict[str, Any]]:
        """All rows, as they are found."""
        yield from self._rows("GET", "/retrieval/search", {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank})

    def search_lemmas(
        self,
        *,
        root: str | None = None,
        lemma: str | None = None,
        en: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> LemmaPage:
        """Words of the lexicon by root, lemma or English meaning."""
        return cast(
            LemmaPage,
            self._call(
                "GET",
                "/nlp/lemmas",
                {"root": root, "lemma": lemma, "en": en, "limit": limit, "offset": offset},
            ),
        )

    def search_senses(
        self,
        *,
        lemma: str,
    ) -> SenseList:
        """The senses of a word or an expression."""
        return cast(
            SenseList,
            self._call(
                "GET",
                "/nlp/senses",
                {"lemma": lemma},
            ),
        )

    def similar_branches(
        self,
        *,
        article_id: int,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
    ) -> SimilarArticles:
        """Articles that are most like one."""
        return cast(
            SimilarArticles,
            self._call(
                "GET",
                f"/retrieval/similar/{_part(article_id)}",
                {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to},
            ),
        )

    def suggest_branches(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> SuggestBody:
        """What somebody may be about to type."""
        return cast(
            SuggestBody,
            self._call(
                "GET",
                "/retrieval/suggest",
                {"q": q, "limit": limit},
            ),
        )

    def suggest_queries(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> SuggestBody:
        """What somebody may be about to type."""
        return cast(
            SuggestBody,
            self._call(
                "GET",
                "/v1/suggest",
                {"q": q, "limit": limit},
            ),
        )

    def summarize_document(
        self,
        *,
        text: str,
        target_lang: Literal["ar", "en"] | None = None,
        length: Literal["short", "medium", "long"] | None = None,
    ) -> EdgeSummary:
        """The built-in summary of a text."""
        return cast(
            EdgeSummary,
            self._call(
                "POST",
                "/edge/llm/summarize",
                {},
                _given({"text": text, "target_lang": target_lang, "length": length}),
            ),
        )

    def summarize_text(
        self,
        *,
        text: str,
        target_lang: Literal["ar", "en"] | None = None,
        length: Literal["short", "medium", "long"] | None = None,
        format: Literal["paragraph", "bullets"] | None = None,
    ) -> Summary:
        """Summarise a text."""
        return cast(
            Summary,
            self._call(
                "POST",
                "/api/ai/summarize",
                {},
                _given({"text": text, "target_lang": target_lang, "length": length, "format": format}),
            ),
        )

    def test_vectors(
        self,
        *,
        text: str | None = None,
    ) -> TestVectorsAnswer:
        """Embed, upsert and query for one item."""
        return cast(
            TestVectorsAnswer,
            self._call(
                "POST",
                "/edge/rag/dev/vectorize-smoke",
                {},
                _given({"text": text}),
            ),
        )

    def transcribe_audio(
        self,
        *,
        body: bytes,
        language: str | None = None,
    ) -> Transcript:
        """Transcription of speech."""
        return cast(
            Transcript,
            self._call(
                "POST",
                "/edge/llm/asr",
                {"language": language},
                body,
            ),
        )

    def translate_text(
        self,
        *,
        text: str,
        target_lang: str,
        source_lang: str | None = None,
    ) -> TranslateAnswer:
        """Translation between languages."""
        return cast(
            TranslateAnswer,
            self._call(
                "POST",
                "/edge/llm/translate",
                {},
                _given({"text": text, "target_lang": target_lang, "source_lang": source_lang}),
            ),
        )

    def update_saved_search(
        self,
        *,
        search_id: int,
        name: str | None = None,
        query: SavedQuery | None = None,
        min_similarity: float | None = None,
        active: bool | None = None,
        notify: SearchNotify | None = None,
    ) -> SavedSearch:
        """Change a saved search, pause it or go on."""
        return cast(
            SavedSearch,
            self._call(
                "PATCH",
                f"/v1/searches/{_part(search_id)}",
                {},
                _given({"name": name, "query": query, "min_similarity": min_similarity, "active": active, "notify": notify}),
            ),
        )

    def update_source(
        self,
        *,
        key: str,
        provider: Literal["rss", "newsdata", "scraper", "scraper-push"] | None = None,
        name: str | None = None,
        feed_url: str | None = None,
        homepage: str | None = None,
        language: str | None = None,
        tier: int | None = None,
        active: bool | None = None,
    ) -> Source:
        """Change a source, switch it off or on."""
        return cast(
            Source,
            self._call(
                "PATCH",
                f"/v1/sources/{_part(key)}",
                {},
                _given({"provider": provider, "name": name, "feed_url": feed_url, "homepage": homepage, "language": language, "tier": tier, "active": active}),
            ),
        )

    def upsert_items(
        self,
        *,
        items: list[UpsertItemsItemsItem],
    ) -> UpsertItemsAnswer:
        """Insert a batch of items into the vector index."""
        return cast(
            UpsertItemsAnswer,
            self._call(
                "POST",
                "/edge/rag/dev/upsert-batch",
                {},
                _given({"items": items}),
            ),
        )


class AsyncOperations:
    """A method for each operation; all raise IsnadError."""

    async def _call(self, method: str, path: str, query: Mapping[str, Any], body: object = None) -> Any:
        raise NotImplementedError

    async def _pages(self, method: str, path: str, query: Mapping[str, Any]) -> AsyncIterator[Any]:
        raise NotImplementedError
        yield {}

    async def _rows(self, method: str, path: str, query: Mapping[str, Any]) -> AsyncIterator[dict[str, Any]]:
        raise NotImplementedError
        yield {}

    async def _events(self, path: str, body: Mapping[str, Any]) -> AsyncIterator[dict[str, Any]]:
        raise NotImplementedError
        yield {}

    async def analyse_dialect(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
    ) -> IdentifiedDialect | AnalyseDialectAnswer2:
        """Which Arabic a text is in: the standard language, or that of one of five regions."""
        return cast(
            IdentifiedDialect | AnalyseDialectAnswer2,
            await self._call(
                "POST",
                "/nlp/dialect/identify",
                {},
                _given({"text": text, "texts": texts}),
            ),
        )

    async def analyse_dialect_glossary(
        self,
        *,
        text: str,
        top_k: int | None = None,
        similarity_threshold: float | None = None,
        include_offsets: bool | None = None,
    ) -> DialectGlossary:
        """What the words of a text may mean in dialect."""
        return cast(
            DialectGlossary,
            await self._call(
                "POST",
                "/nlp/dialect/nabra/glossary",
                {},
                _given({"text": text, "top_k": top_k, "similarity_threshold": similarity_threshold, "include_offsets": include_offsets}),
            ),
        )

    async def analyse_dialect_sentence(
        self,
        *,
        sentence_id: int | None = None,
        text: str | None = None,
    ) -> DialectSentence:
        """A sentence in dialect, word by word."""
        return cast(
            DialectSentence,
            await self._call(
                "POST",
                "/nlp/dialect/nabra",
                {},
                _given({"sentence_id": sentence_id, "text": text}),
            ),
        )

    async def analyse_entities(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        mode: Literal["nested", "flat"] | None = None,
        include_offsets: bool | None = None,
    ) -> NerAnswer | AnalyseEntitiesAnswer2:
        """The entities of a text, nested or flat."""
        return cast(
            NerAnswer | AnalyseEntitiesAnswer2,
            await self._call(
                "POST",
                "/nlp/ner",
                {},
                _given({"text": text, "texts": texts, "mode": mode, "include_offsets": include_offsets}),
            ),
        )

    async def analyse_morphology(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        task: Literal["full", "lemmatization", "pos", "root"] | None = None,
        flag: Literal["1", "*"] | None = None,
        language: Literal["MSA"] | None = None,
        include_lemma: bool | None = None,
    ) -> MorphAnswer | AnalyseMorphologyAnswer2:
        """Lemma, part of speech, root and parts of each word."""
        return cast(
            MorphAnswer | AnalyseMorphologyAnswer2,
            await self._call(
                "POST",
                "/nlp/morph",
                {},
                _given({"text": text, "texts": texts, "task": task, "flag": flag, "language": language, "include_lemma": include_lemma}),
            ),
        )

    async def analyse_relations(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        min_confidence: float | None = None,
    ) -> TextRelations | AnalyseRelationsAnswer2:
        """Events and who and what takes part in them."""
        return cast(
            TextRelations | AnalyseRelationsAnswer2,
            await self._call(
                "POST",
                "/nlp/re",
                {},
                _given({"text": text, "texts": texts, "min_confidence": min_confidence}),
            ),
        )

    async def analyse_text(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        layers: list[Literal["morph", "ner", "wsd", "re", "dialect"]] | None = None,
        min_confidence: float | None = None,
    ) -> Analysis | AnalyseTextAnswer2:
        """All layers of a text over one cut into tokens."""
        return cast(
            Analysis | AnalyseTextAnswer2,
            await self._call(
                "POST",
                "/nlp/analyse",
                {},
                _given({"text": text, "texts": texts, "layers": layers, "min_confidence": min_confidence}),
            ),
        )

    async def analyse_word_senses(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        include_gloss: bool | None = None,
        include_offsets: bool | None = None,
    ) -> WsdAnswer | AnalyseWordSensesAnswer2:
        """The sense of each word in its sentence."""
        return cast(
            WsdAnswer | AnalyseWordSensesAnswer2,
            await self._call(
                "POST",
                "/nlp/wsd",
                {},
                _given({"text": text, "texts": texts, "include_gloss": include_gloss, "include_offsets": include_offsets}),
            ),
        )

    async def call_agent_tools(
        self,
        *,
        jsonrpc: Literal["2.0"],
        method: str,
        id: int | str | None = None,
        params: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The tools of agents, by the Model Context Protocol (Streamable HTTP, without sessions)."""
        return cast(
            dict[str, Any],
            await self._call(
                "POST",
                "/mcp",
                {},
                _given({"jsonrpc": jsonrpc, "id": id, "method": method, "params": params}),
            ),
        )

    async def change_review(
        self,
        *,
        review_id: int,
        claim_id: int | None = None,
        claim_text: str | None = None,
        lang: Literal["ar", "en"] | None = None,
        rating: int | None = None,
        rating_text: str | None = None,
        url: str | None = None,
        publisher: str | None = None,
        published_at: str | None = None,
        claimant: str | None = None,
        claimed_at: str | None = None,
        appearances: list[str] | None = None,
    ) -> Review:
        """Change a review."""
        return cast(
            Review,
            await self._call(
                "PATCH",
                f"/v1/reviews/{_part(review_id)}",
                {},
                _given({"claim_id": claim_id, "claim_text": claim_text, "lang": lang, "rating": rating, "rating_text": rating_text, "url": url, "publisher": publisher, "published_at": published_at, "claimant": claimant, "claimed_at": claimed_at, "appearances": appearances}),
            ),
        )

    async def check_api_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            await self._call(
                "GET",
                "/health",
                {},
            ),
        )

    async def check_nlp_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            await self._call(
                "GET",
                "/nlp/healthz",
                {},
            ),
        )

    async def check_sentences(
        self,
        *,
        text: str | None = None,
        sentences: list[str] | None = None,
        lang: Literal["ar", "en", None] = None,
        genre: Literal["debate", "news", None] = None,
        threshold: float | None = None,
    ) -> CheckResponse:
        """Sentence-level check-worthiness."""
        return cast(
            CheckResponse,
            await self._call(
                "POST",
                "/retrieval/s1/check-worthiness",
                {},
                _given({"text": text, "sentences": sentences, "lang": lang, "genre": genre, "threshold": threshold}),
            ),
        )

    async def create_chat(
        self,
        *,
        messages: list[ChatMessage],
        stream: bool | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> ChatAnswer:
        """General-purpose chat, grounded in the platform's articles unless told otherwise."""
        return cast(
            ChatAnswer,
            await self._call(
                "POST",
                "/edge/llm/chat",
                {},
                _given({"messages": messages, "stream": stream, "max_tokens": max_tokens, "temperature": temperature, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id}),
            ),
        )

    async def create_chat_events(
        self,
        *,
        messages: list[ChatMessage],
        stream: bool | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """Events of the answer, as they come."""
        async for each in self._events("/edge/llm/chat", _given({"messages": messages, "stream": stream, "max_tokens": max_tokens, "temperature": temperature, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id})):
            yield each

    async def create_chat_completion(
        self,
        *,
        messages: list[ChatMessage],
        stream: bool | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> ChatAnswer:
        """AI chat over the platform's articles."""
        return cast(
            ChatAnswer,
            await self._call(
                "POST",
                "/chat/completions",
                {},
                _given({"messages": messages, "stream": stream, "max_tokens": max_tokens, "temperature": temperature, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id}),
            ),
        )

    async def create_chat_completion_events(
        self,
        *,
        messages: list[ChatMessage],
        stream: bool | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """Events of the answer, as they come."""
        async for each in self._events("/chat/completions", _given({"messages": messages, "stream": stream, "max_tokens": max_tokens, "temperature": temperature, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id})):
            yield each

    async def create_open_ai_completion(
        self,
        *,
        model: str,
        messages: list[OpenAiMessage],
        stream: bool | None = None,
        stream_options: CreateOpenAiCompletionStreamOptions | None = None,
        max_tokens: int | None = None,
        max_completion_tokens: int | None = None,
        temperature: float | None = None,
        n: Literal[1] | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> OpenAiCompletion:
        """AI chat over the platform's articles, in OpenAI's protocol."""
        return cast(
            OpenAiCompletion,
            await self._call(
                "POST",
                "/v1/chat/completions",
                {},
                _given({"model": model, "messages": messages, "stream": stream, "stream_options": stream_options, "max_tokens": max_tokens, "max_completion_tokens": max_completion_tokens, "temperature": temperature, "n": n, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id}),
            ),
        )

    async def create_open_ai_completion_events(
        self,
        *,
        model: str,
        messages: list[OpenAiMessage],
        stream: bool | None = None,
        stream_options: CreateOpenAiCompletionStreamOptions | None = None,
        max_tokens: int | None = None,
        max_completion_tokens: int | None = None,
        temperature: float | None = None,
        n: Literal[1] | None = None,
        lang: Literal["ar", "en"] | None = None,
        grounded: bool | None = None,
        filters: ChatFilters | None = None,
        article_id: int | None = None,
        story_id: int | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """Events of the answer, as they come."""
        async for each in self._events("/v1/chat/completions", _given({"model": model, "messages": messages, "stream": stream, "stream_options": stream_options, "max_tokens": max_tokens, "max_completion_tokens": max_completion_tokens, "temperature": temperature, "n": n, "lang": lang, "grounded": grounded, "filters": filters, "article_id": article_id, "story_id": story_id})):
            yield each

    async def create_open_ai_embeddings(
        self,
        *,
        model: str,
        input: str | list[str],
        encoding_format: Literal["float", "base64"] | None = None,
        dimensions: int | None = None,
        input_type: Literal["query", "passage"] | None = None,
    ) -> OpenAiEmbeddings:
        """Vectors of texts, in OpenAI's protocol."""
        return cast(
            OpenAiEmbeddings,
            await self._call(
                "POST",
                "/v1/embeddings",
                {},
                _given({"model": model, "input": input, "encoding_format": encoding_format, "dimensions": dimensions, "input_type": input_type}),
            ),
        )

    async def create_reviews(
        self,
        *,
        body: NewReview | NewReviews,
    ) -> Review | ReviewReceipts:
        """Store one review, or up to 100."""
        return cast(
            Review | ReviewReceipts,
            await self._call(
                "POST",
                "/v1/reviews",
                {},
                body,
            ),
        )

    async def create_run(
        self,
        *,
        profile_id: str,
        limit: int | None = None,
        trigger: Literal["api", "cli"] | None = None,
        force: bool | None = None,
    ) -> CreateRunAnswer:
        """Queue a run of a profile."""
        return cast(
            CreateRunAnswer,
            await self._call(
                "POST",
                "/scraper/runs",
                {},
                _given({"profile_id": profile_id, "limit": limit, "trigger": trigger, "force": force}),
            ),
        )

    async def create_saved_search(
        self,
        *,
        name: str,
        query: SavedQuery,
        min_similarity: float | None = None,
        active: bool | None = None,
        notify: SearchNotify | None = None,
    ) -> SavedSearch:
        """Keep a search: it is matched by every article that becomes searchable from now on."""
        return cast(
            SavedSearch,
            await self._call(
                "POST",
                "/v1/searches",
                {},
                _given({"name": name, "query": query, "min_similarity": min_similarity, "active": active, "notify": notify}),
            ),
        )

    async def create_source(
        self,
        *,
        key: str,
        provider: Literal["rss", "newsdata", "scraper", "scraper-push"] | None = None,
        name: str | None = None,
        feed_url: str | None = None,
        homepage: str | None = None,
        language: str | None = None,
        tier: int | None = None,
        active: bool | None = None,
    ) -> Source:
        """Register a source."""
        return cast(
            Source,
            await self._call(
                "POST",
                "/v1/sources",
                {},
                _given({"key": key, "provider": provider, "name": name, "feed_url": feed_url, "homepage": homepage, "language": language, "tier": tier, "active": active}),
            ),
        )

    async def delete_article(
        self,
        *,
        article_id: int,
    ) -> None:
        """Remove an article everywhere."""
        await self._call("DELETE", f"/v1/articles/{_part(article_id)}", {})

    async def delete_review(
        self,
        *,
        review_id: int,
    ) -> None:
        """Delete a review."""
        await self._call("DELETE", f"/v1/reviews/{_part(review_id)}", {})

    async def delete_saved_search(
        self,
        *,
        search_id: int,
    ) -> None:
        """Delete a saved search with its matches and what is still to be delivered."""
        await self._call("DELETE", f"/v1/searches/{_part(search_id)}", {})

    async def delete_source(
        self,
        *,
        key: str,
    ) -> None:
        """Remove a source; its articles stay."""
        await self._call("DELETE", f"/v1/sources/{_part(key)}", {})

    async def draft_profile(
        self,
        *,
        url: str,
        language: Literal["ar", "en"] | None = None,
        articles: int | None = None,
    ) -> ProfileDraft:
        """Look at a site, and draft its profile."""
        return cast(
            ProfileDraft,
            await self._call(
                "POST",
                "/scraper/profiles/draft",
                {},
                _given({"url": url, "language": language, "articles": articles}),
            ),
        )

    async def embed_queries(
        self,
        *,
        queries: list[str],
    ) -> QueryVectorsResponse:
        """The vectors of queries, as a search by meaning compares passages with them."""
        return cast(
            QueryVectorsResponse,
            await self._call(
                "POST",
                "/retrieval/query-vectors",
                {},
                _given({"queries": queries}),
            ),
        )

    async def embed_text(
        self,
        *,
        text: str,
    ) -> EmbedTextAnswer:
        """The embedding vector of a text."""
        return cast(
            EmbedTextAnswer,
            await self._call(
                "POST",
                "/edge/rag/dev/echo-embed",
                {},
                _given({"text": text}),
            ),
        )

    async def embed_texts(
        self,
        *,
        texts: list[str],
        kind: Literal["query", "passage"] | None = None,
    ) -> EmbedAnswer:
        """Vectors of texts."""
        return cast(
            EmbedAnswer,
            await self._call(
                "POST",
                "/edge/llm/embed",
                {},
                _given({"texts": texts, "kind": kind}),
            ),
        )

    async def export_sources(self) -> str:
        """The sources that have a feed, as OPML."""
        return cast(
            str,
            await self._call(
                "GET",
                "/v1/sources.opml",
                {},
            ),
        )

    async def find_near_claims(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        lang: Literal["ar", "en"] | None = None,
        k: int | None = None,
    ) -> ClaimMatches:
        """Find the reviews and claims nearest to a text."""
        return cast(
            ClaimMatches,
            await self._call(
                "POST",
                "/retrieval/claims/match",
                {},
                _given({"text": text, "texts": texts, "lang": lang, "k": k}),
            ),
        )

    async def find_passages(
        self,
        *,
        query: str,
        k: int | None = None,
        filters: ChunkFilters | None = None,
        vectors_of: str | None = None,
    ) -> PassagesResponse:
        """The chunks of articles nearest in meaning."""
        return cast(
            PassagesResponse,
            await self._call(
                "POST",
                "/retrieval/passages",
                {},
                _given({"query": query, "k": k, "filters": filters, "vectors_of": vectors_of}),
            ),
        )

    async def get_analysis(
        self,
        *,
        text: str,
        layers: str | None = None,
        min_confidence: float | None = None,
    ) -> Analysis:
        """All layers of a text over one cut into tokens."""
        return cast(
            Analysis,
            await self._call(
                "GET",
                "/nlp/analyse",
                {"text": text, "layers": layers, "min_confidence": min_confidence},
            ),
        )

    async def get_api_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            await self._call(
                "GET",
                "/api/v1/health",
                {},
            ),
        )

    async def get_api_liveness(self) -> GetApiLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetApiLivenessAnswer,
            await self._call(
                "GET",
                "/livez",
                {},
            ),
        )

    async def get_api_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            await self._call(
                "GET",
                "/metrics",
                {},
            ),
        )

    async def get_api_readiness(self) -> GetApiReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetApiReadinessAnswer,
            await self._call(
                "GET",
                "/readyz",
                {},
            ),
        )

    async def get_article(
        self,
        *,
        article_id: int,
    ) -> Article:
        """Show an article with its state, entities and relations."""
        return cast(
            Article,
            await self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}",
                {},
            ),
        )

    async def get_chain(
        self,
        *,
        article_id: int,
    ) -> Chain:
        """Show who had a report first, who took it over, and who is credited."""
        return cast(
            Chain,
            await self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}/chain",
                {},
            ),
        )

    async def get_claim(
        self,
        *,
        claim_id: int,
    ) -> ClaimDetail:
        """A claim with every sentence that makes it."""
        return cast(
            ClaimDetail,
            await self._call(
                "GET",
                f"/v1/claims/{_part(claim_id)}",
                {},
            ),
        )

    async def get_dialect(
        self,
        *,
        text: str,
    ) -> IdentifiedDialect:
        """Which Arabic a text is in: the standard language, or that of one of five regions."""
        return cast(
            IdentifiedDialect,
            await self._call(
                "GET",
                "/nlp/dialect/identify",
                {"text": text},
            ),
        )

    async def get_dialect_glossary(
        self,
        *,
        text: str,
        top_k: int | None = None,
        similarity_threshold: float | None = None,
        include_offsets: bool | None = None,
    ) -> DialectGlossary:
        """What the words of a text may mean in dialect."""
        return cast(
            DialectGlossary,
            await self._call(
                "GET",
                "/nlp/dialect/nabra/glossary",
                {"text": text, "top_k": top_k, "similarity_threshold": similarity_threshold, "include_offsets": include_offsets},
            ),
        )

    async def get_dialect_sentence(
        self,
        *,
        sentence_id: int | None = None,
        text: str | None = None,
    ) -> DialectSentence:
        """A sentence in dialect, word by word."""
        return cast(
            DialectSentence,
            await self._call(
                "GET",
                "/nlp/dialect/nabra",
                {"sentence_id": sentence_id, "text": text},
            ),
        )

    async def get_edge_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            await self._call(
                "GET",
                "/edge/health",
                {},
            ),
        )

    async def get_edge_liveness(self) -> GetEdgeLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetEdgeLivenessAnswer,
            await self._call(
                "GET",
                "/edge/livez",
                {},
            ),
        )

    async def get_edge_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            await self._call(
                "GET",
                "/edge/metrics",
                {},
            ),
        )

    async def get_edge_readiness(self) -> GetEdgeReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetEdgeReadinessAnswer,
            await self._call(
                "GET",
                "/edge/readyz",
                {},
            ),
        )

    async def get_entities(
        self,
        *,
        text: str,
        mode: Literal["nested", "flat"] | None = None,
        include_offsets: bool | None = None,
    ) -> NerAnswer:
        """The entities of a text, nested or flat."""
        return cast(
            NerAnswer,
            await self._call(
                "GET",
                "/nlp/ner",
                {"text": text, "mode": mode, "include_offsets": include_offsets},
            ),
        )

    async def get_lemma(
        self,
        *,
        id: int,
    ) -> Lemma:
        """A word of the lexicon."""
        return cast(
            Lemma,
            await self._call(
                "GET",
                f"/nlp/lemmas/{_part(id)}",
                {},
            ),
        )

    async def get_morphology(
        self,
        *,
        text: str,
        task: Literal["full", "lemmatization", "pos", "root"] | None = None,
        flag: Literal["1", "*"] | None = None,
        language: Literal["MSA"] | None = None,
        include_lemma: bool | None = None,
    ) -> MorphAnswer:
        """Lemma, part of speech, root and parts of each word."""
        return cast(
            MorphAnswer,
            await self._call(
                "GET",
                "/nlp/morph",
                {"text": text, "task": task, "flag": flag, "language": language, "include_lemma": include_lemma},
            ),
        )

    async def get_nlp_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            await self._call(
                "GET",
                "/nlp/health",
                {},
            ),
        )

    async def get_nlp_liveness(self) -> GetNlpLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetNlpLivenessAnswer,
            await self._call(
                "GET",
                "/nlp/livez",
                {},
            ),
        )

    async def get_nlp_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            await self._call(
                "GET",
                "/nlp/metrics",
                {},
            ),
        )

    async def get_nlp_readiness(self) -> GetNlpReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetNlpReadinessAnswer,
            await self._call(
                "GET",
                "/nlp/readyz",
                {},
            ),
        )

    async def get_open_ai_model(
        self,
        *,
        model: str,
    ) -> OpenAiModel:
        """A model of this API, in OpenAI's protocol."""
        return cast(
            OpenAiModel,
            await self._call(
                "GET",
                f"/v1/models/{_part(model)}",
                {},
            ),
        )

    async def get_relations(
        self,
        *,
        text: str,
        min_confidence: float | None = None,
    ) -> TextRelations:
        """Events and who and what takes part in them."""
        return cast(
            TextRelations,
            await self._call(
                "GET",
                "/nlp/re",
                {"text": text, "min_confidence": min_confidence},
            ),
        )

    async def get_retrieval_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            await self._call(
                "GET",
                "/retrieval/health",
                {},
            ),
        )

    async def get_retrieval_liveness(self) -> GetRetrievalLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetRetrievalLivenessAnswer,
            await self._call(
                "GET",
                "/retrieval/livez",
                {},
            ),
        )

    async def get_retrieval_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            await self._call(
                "GET",
                "/retrieval/metrics",
                {},
            ),
        )

    async def get_retrieval_readiness(self) -> GetRetrievalReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetRetrievalReadinessAnswer,
            await self._call(
                "GET",
                "/retrieval/readyz",
                {},
            ),
        )

    async def get_review(
        self,
        *,
        review_id: int,
    ) -> Review:
        """Show a review; as ClaimReview where that is accepted."""
        return cast(
            Review,
            await self._call(
                "GET",
                f"/v1/reviews/{_part(review_id)}",
                {},
            ),
        )

    async def get_run(
        self,
        *,
        run_id: str,
    ) -> DetailedRun:
        """A run with its counts, its feeds, and why articles did not come."""
        return cast(
            DetailedRun,
            await self._call(
                "GET",
                f"/scraper/runs/{_part(run_id)}",
                {},
            ),
        )

    async def get_saved_search(
        self,
        *,
        search_id: int,
    ) -> SavedSearch:
        """A saved search."""
        return cast(
            SavedSearch,
            await self._call(
                "GET",
                f"/v1/searches/{_part(search_id)}",
                {},
            ),
        )

    async def get_scraper_health(self) -> Health:
        """Health of the service and of each dependency."""
        return cast(
            Health,
            await self._call(
                "GET",
                "/scraper/health",
                {},
            ),
        )

    async def get_scraper_liveness(self) -> GetScraperLivenessAnswer:
        """Whether the process answers; touches no dependency."""
        return cast(
            GetScraperLivenessAnswer,
            await self._call(
                "GET",
                "/scraper/livez",
                {},
            ),
        )

    async def get_scraper_metrics(self) -> str:
        """Metrics in text exposition format."""
        return cast(
            str,
            await self._call(
                "GET",
                "/scraper/metrics",
                {},
            ),
        )

    async def get_scraper_readiness(self) -> GetScraperReadinessAnswer:
        """Whether requests may be sent here."""
        return cast(
            GetScraperReadinessAnswer,
            await self._call(
                "GET",
                "/scraper/readyz",
                {},
            ),
        )

    async def get_search_atom_feed(
        self,
        *,
        search_id: int,
        key: str,
    ) -> str:
        """The newest 50 matches of a saved search, as Atom."""
        return cast(
            str,
            await self._call(
                "GET",
                f"/v1/searches/{_part(search_id)}/feed.atom",
                {"key": key},
            ),
        )

    async def get_search_json_feed(
        self,
        *,
        search_id: int,
        key: str,
    ) -> str:
        """The newest 50 matches of a saved search, as JSON Feed."""
        return cast(
            str,
            await self._call(
                "GET",
                f"/v1/searches/{_part(search_id)}/feed.json",
                {"key": key},
            ),
        )

    async def get_sense(
        self,
        *,
        id: str,
    ) -> Sense:
        """A sense of the inventory."""
        return cast(
            Sense,
            await self._call(
                "GET",
                f"/nlp/senses/{_part(id)}",
                {},
            ),
        )

    async def get_source(
        self,
        *,
        key: str,
    ) -> Source:
        """A source, with what came of it lately."""
        return cast(
            Source,
            await self._call(
                "GET",
                f"/v1/sources/{_part(key)}",
                {},
            ),
        )

    async def get_state(self) -> StackState:
        """How the services, stages, indexes and the storage stand."""
        return cast(
            StackState,
            await self._call(
                "GET",
                "/v1/state",
                {},
            ),
        )

    async def get_story(
        self,
        *,
        story_id: int,
        lang: Literal["ar", "en"] | None = None,
    ) -> WholeStory:
        """Show a story with all its articles."""
        return cast(
            WholeStory,
            await self._call(
                "GET",
                f"/v1/stories/{_part(story_id)}",
                {"lang": lang},
            ),
        )

    async def get_word_senses(
        self,
        *,
        text: str,
        include_gloss: bool | None = None,
        include_offsets: bool | None = None,
    ) -> WsdAnswer:
        """The sense of each word in its sentence."""
        return cast(
            WsdAnswer,
            await self._call(
                "GET",
                "/nlp/wsd",
                {"text": text, "include_gloss": include_gloss, "include_offsets": include_offsets},
            ),
        )

    async def import_sources(
        self,
        *,
        opml: str,
        active: bool | None = None,
    ) -> SourcesImported:
        """Register the feeds of an OPML file."""
        return cast(
            SourcesImported,
            await self._call(
                "POST",
                "/v1/sources.opml",
                {},
                _given({"opml": opml, "active": active}),
            ),
        )

    async def ingest_articles(
        self,
        *,
        body: IngestArticlesBody1 | IngestItem,
    ) -> IngestResponse:
        """Submit articles."""
        return cast(
            IngestResponse,
            await self._call(
                "POST",
                "/v1/ingest/articles",
                {},
                body,
            ),
        )

    async def ingest_relations(
        self,
        *,
        doc_id: str | int,
        enrichment_status: Literal["ok", "cached", "timeout", "error", "skipped"],
        lang: str | None = None,
        task_version: str | None = None,
        nlp_lab_version: str | None = None,
        relations: list[RelationOfPackage] | None = None,
        enrich_ms: int | None = None,
    ) -> RelationsReceipt:
        """Report the relations in an article."""
        return cast(
            RelationsReceipt,
            await self._call(
                "POST",
                "/ingest/relations",
                {},
                _given({"doc_id": doc_id, "lang": lang, "task_version": task_version, "nlp_lab_version": nlp_lab_version, "enrichment_status": enrichment_status, "relations": relations, "enrich_ms": enrich_ms}),
            ),
        )

    async def list_article_claims(
        self,
        *,
        article_id: int,
    ) -> ClaimPage:
        """What an article claims."""
        return cast(
            ClaimPage,
            await self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}/claims",
                {},
            ),
        )

    async def list_articles(
        self,
        *,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
    ) -> ArticleList:
        """List the articles that can be searched, newest first."""
        return cast(
            ArticleList,
            await self._call(
                "GET",
                "/v1/articles",
                {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "cursor": cursor, "format": format},
            ),
        )

    async def list_articles_pages(
        self,
        *,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
    ) -> AsyncIterator[ArticleList]:
        """Pages to the end."""
        async for each in self._pages("GET", "/v1/articles", {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "cursor": cursor, "format": format}):
            yield each

    async def list_articles_rows(
        self,
        *,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """All rows, as they are found."""
        async for each in self._rows("GET", "/v1/articles", {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "cursor": cursor, "format": format}):
            yield each

    async def list_capabilities(self) -> ListCapabilitiesAnswer:
        """What the models here can do now."""
        return cast(
            ListCapabilitiesAnswer,
            await self._call(
                "GET",
                "/edge/llm/health",
                {},
            ),
        )

    async def list_claims(
        self,
        *,
        q: str | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        entity: str | None = None,
        story: int | None = None,
        reviewed: bool | None = None,
        sort: Literal["score", "newest", "repeats"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ClaimPage:
        """What articles claim."""
        return cast(
            ClaimPage,
            await self._call(
                "GET",
                "/v1/claims",
                {"q": q, "from": from_, "to": to, "lang": lang, "source": source, "entity": entity, "story": story, "reviewed": reviewed, "sort": sort, "limit": limit, "cursor": cursor},
            ),
        )

    async def list_claims_pages(
        self,
        *,
        q: str | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        entity: str | None = None,
        story: int | None = None,
        reviewed: bool | None = None,
        sort: Literal["score", "newest", "repeats"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[ClaimPage]:
        """Pages to the end."""
        async for each in self._pages("GET", "/v1/claims", {"q": q, "from": from_, "to": to, "lang": lang, "source": source, "entity": entity, "story": story, "reviewed": reviewed, "sort": sort, "limit": limit, "cursor": cursor}):
            yield each

    async def list_entities(
        self,
        *,
        q: str | None = None,
        type: Literal["PER", "MISC", "PERS", "NORP", "ORG", "GPE", "LOC", "FAC", "EVENT", "DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "LANGUAGE", "QUANTITY", "WEBSITE", "UNIT", "LAW", "MONEY", "PRODUCT", "CURR"] | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        limit: int | None = None,
    ) -> Entities:
        """Who and what is mentioned most."""
        return cast(
            Entities,
            await self._call(
                "GET",
                "/v1/entities",
                {"q": q, "type": type, "from": from_, "to": to, "limit": limit},
            ),
        )

    async def list_open_ai_models(self) -> ListOpenAiModelsAnswer:
        """The models of this API, in OpenAI's protocol."""
        return cast(
            ListOpenAiModelsAnswer,
            await self._call(
                "GET",
                "/v1/models",
                {},
            ),
        )

    async def list_profile_categories(
        self,
        *,
        name: str,
    ) -> list[str]:
        """The canonical categories that a profile can yield."""
        return cast(
            list[str],
            await self._call(
                "GET",
                f"/scraper/profiles/{_part(name)}/categories",
                {},
            ),
        )

    async def list_profiles(self) -> list[Profile]:
        """The profiles in force, with configuration and status."""
        return cast(
            list[Profile],
            await self._call(
                "GET",
                "/scraper/profiles",
                {},
            ),
        )

    async def list_reviews(
        self,
        *,
        publisher: str | None = None,
        rating: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ReviewPage:
        """The reviews, the last ones first."""
        return cast(
            ReviewPage,
            await self._call(
                "GET",
                "/v1/reviews",
                {"publisher": publisher, "rating": rating, "limit": limit, "cursor": cursor},
            ),
        )

    async def list_reviews_pages(
        self,
        *,
        publisher: str | None = None,
        rating: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[ReviewPage]:
        """Pages to the end."""
        async for each in self._pages("GET", "/v1/reviews", {"publisher": publisher, "rating": rating, "limit": limit, "cursor": cursor}):
            yield each

    async def list_revisions(
        self,
        *,
        article_id: int,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Revisions:
        """What sources said of an article after it was stored, newest first."""
        return cast(
            Revisions,
            await self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}/revisions",
                {"limit": limit, "cursor": cursor},
            ),
        )

    async def list_revisions_pages(
        self,
        *,
        article_id: int,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[Revisions]:
        """Pages to the end."""
        async for each in self._pages("GET", f"/v1/articles/{_part(article_id)}/revisions", {"limit": limit, "cursor": cursor}):
            yield each

    async def list_runs(
        self,
        *,
        profile_id: str | None = None,
        status: Literal["queued", "running", "succeeded", "partial", "failed"] | None = None,
        trigger: Literal["schedule", "api", "cli"] | None = None,
        since: Any | None = None,
        until: Any | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> RunPage:
        """Runs, newest first."""
        return cast(
            RunPage,
            await self._call(
                "GET",
                "/scraper/runs",
                {"profile_id": profile_id, "status": status, "trigger": trigger, "since": since, "until": until, "limit": limit, "cursor": cursor},
            ),
        )

    async def list_runs_pages(
        self,
        *,
        profile_id: str | None = None,
        status: Literal["queued", "running", "succeeded", "partial", "failed"] | None = None,
        trigger: Literal["schedule", "api", "cli"] | None = None,
        since: Any | None = None,
        until: Any | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[RunPage]:
        """Pages to the end."""
        async for each in self._pages("GET", "/scraper/runs", {"profile_id": profile_id, "status": status, "trigger": trigger, "since": since, "until": until, "limit": limit, "cursor": cursor}):
            yield each

    async def list_saved_searches(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SavedSearchPage:
        """The saved searches, newest first."""
        return cast(
            SavedSearchPage,
            await self._call(
                "GET",
                "/v1/searches",
                {"limit": limit, "cursor": cursor},
            ),
        )

    async def list_saved_searches_pages(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[SavedSearchPage]:
        """Pages to the end."""
        async for each in self._pages("GET", "/v1/searches", {"limit": limit, "cursor": cursor}):
            yield each

    async def list_search_matches(
        self,
        *,
        search_id: int,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SearchMatchPage:
        """What a saved search has matched, newest first."""
        return cast(
            SearchMatchPage,
            await self._call(
                "GET",
                f"/v1/searches/{_part(search_id)}/matches",
                {"limit": limit, "cursor": cursor},
            ),
        )

    async def list_search_matches_pages(
        self,
        *,
        search_id: int,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[SearchMatchPage]:
        """Pages to the end."""
        async for each in self._pages("GET", f"/v1/searches/{_part(search_id)}/matches", {"limit": limit, "cursor": cursor}):
            yield each

    async def list_similar_articles(
        self,
        *,
        article_id: int,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
    ) -> SimilarArticles:
        """The articles that are most like one, its copies left out."""
        return cast(
            SimilarArticles,
            await self._call(
                "GET",
                f"/v1/articles/{_part(article_id)}/similar",
                {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to},
            ),
        )

    async def list_sources(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SourcePage:
        """The sources, with what came of them lately."""
        return cast(
            SourcePage,
            await self._call(
                "GET",
                "/v1/sources",
                {"limit": limit, "cursor": cursor},
            ),
        )

    async def list_sources_pages(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[SourcePage]:
        """Pages to the end."""
        async for each in self._pages("GET", "/v1/sources", {"limit": limit, "cursor": cursor}):
            yield each

    async def list_stories(
        self,
        *,
        from_: Any | None = None,
        to: Any | None = None,
        lang: Literal["ar", "en"] | None = None,
        category: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        q: str | None = None,
        min_size: int | None = None,
        sort: Literal["size", "newest", "growth"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> StoryList:
        """List events with the articles that tell of them, in both languages."""
        return cast(
            StoryList,
            await self._call(
                "GET",
                "/v1/stories",
                {"from": from_, "to": to, "lang": lang, "category": category, "source": source, "entity": entity, "q": q, "min_size": min_size, "sort": sort, "limit": limit, "cursor": cursor},
            ),
        )

    async def list_stories_pages(
        self,
        *,
        from_: Any | None = None,
        to: Any | None = None,
        lang: Literal["ar", "en"] | None = None,
        category: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        q: str | None = None,
        min_size: int | None = None,
        sort: Literal["size", "newest", "growth"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[StoryList]:
        """Pages to the end."""
        async for each in self._pages("GET", "/v1/stories", {"from": from_, "to": to, "lang": lang, "category": category, "source": source, "entity": entity, "q": q, "min_size": min_size, "sort": sort, "limit": limit, "cursor": cursor}):
            yield each

    async def match_claims(
        self,
        *,
        text: str | None = None,
        texts: list[str] | None = None,
        lang: Literal["ar", "en"] | None = None,
        k: int | None = None,
    ) -> ClaimMatches:
        """Find the reviews and claims nearest to a text."""
        return cast(
            ClaimMatches,
            await self._call(
                "POST",
                "/v1/claims/match",
                {},
                _given({"text": text, "texts": texts, "lang": lang, "k": k}),
            ),
        )

    async def pull_source(
        self,
        *,
        key: str,
    ) -> PullReceipt:
        """Have a source pulled now."""
        return cast(
            PullReceipt,
            await self._call(
                "POST",
                f"/v1/sources/{_part(key)}/pull",
                {},
            ),
        )

    async def query_chunks(
        self,
        *,
        query: str,
        k: int | None = None,
        rerank_top_n: int | None = None,
        filters: ChunkFilters | None = None,
    ) -> RagAnswer:
        """Vector search over the chunks of articles, with an optional rerank step."""
        return cast(
            RagAnswer,
            await self._call(
                "POST",
                "/edge/rag/query",
                {},
                _given({"query": query, "k": k, "rerank_top_n": rerank_top_n, "filters": filters}),
            ),
        )

    async def reload_profiles(self) -> None:
        """Read the profile files again."""
        await self._call("POST", "/scraper/profiles/reload", {})

    async def renew_feed_key(
        self,
        *,
        search_id: int,
    ) -> SavedSearch:
        """Give the feeds of a saved search another key; the one before is good for nothing."""
        return cast(
            SavedSearch,
            await self._call(
                "POST",
                f"/v1/searches/{_part(search_id)}/feed-key",
                {},
            ),
        )

    async def replay_articles(
        self,
        *,
        profile_id: str | None = None,
        run_id: str | None = None,
        since: Any | None = None,
        until: Any | None = None,
        limit: int | None = None,
        send_to_api: bool | None = None,
    ) -> ReplayCounts:
        """Send kept articles to the ingest endpoint again."""
        return cast(
            ReplayCounts,
            await self._call(
                "POST",
                "/scraper/replay",
                {},
                _given({"profile_id": profile_id, "run_id": run_id, "since": since, "until": until, "limit": limit, "send_to_api": send_to_api}),
            ),
        )

    async def report_revisions(
        self,
        *,
        body: ReportRevisionsBody1 | DeletionReport | ChangeReport,
    ) -> RevisionResponse:
        """Report what a source says of known articles now."""
        return cast(
            RevisionResponse,
            await self._call(
                "POST",
                "/v1/ingest/revisions",
                {},
                body,
            ),
        )

    async def retrieve_evidence(
        self,
        *,
        query: str,
        lang: Literal["ar", "en", None] = None,
        k_bm25: int | None = None,
        k_knn: int | None = None,
        k_rrf: int | None = None,
        rerank: bool | None = None,
        fields: list[Literal["doc_id", "article_id", "title", "passage", "passages", "url", "published_at", "source", "bm25_rank", "knn_rank", "rrf_score", "rerank_score", "final_rank", "highlights"]] | None = None,
        limit: int | None = None,
        filters: RetrieveEvidenceFilters | None = None,
    ) -> RetrieveResponse:
        """Hybrid retrieval: BM25 and nearest neighbours, fused by reciprocal rank."""
        return cast(
            RetrieveResponse,
            await self._call(
                "POST",
                "/retrieval/retrieve",
                {},
                _given({"query": query, "lang": lang, "k_bm25": k_bm25, "k_knn": k_knn, "k_rrf": k_rrf, "rerank": rerank, "fields": fields, "limit": limit, "filters": filters}),
            ),
        )

    async def revoke_feed_key(
        self,
        *,
        search_id: int,
    ) -> SavedSearch:
        """Take the key of a saved search's feeds away: nobody can read them."""
        return cast(
            SavedSearch,
            await self._call(
                "DELETE",
                f"/v1/searches/{_part(search_id)}/feed-key",
                {},
            ),
        )

    async def score_sentences(
        self,
        *,
        text: str | None = None,
        sentences: list[str] | None = None,
        lang: Literal["ar", "en", None] = None,
        genre: Literal["debate", "news", None] = None,
        threshold: float | None = None,
    ) -> CheckResponse:
        """Sentence-level check-worthiness."""
        return cast(
            CheckResponse,
            await self._call(
                "POST",
                "/retrieval/s1/score",
                {},
                _given({"text": text, "sentences": sentences, "lang": lang, "genre": genre, "threshold": threshold}),
            ),
        )

    async def scrape_sources(
        self,
        *,
        sources: list[str] | None = None,
        query: str | None = None,
        categories: list[str] | None = None,
        limit: int | None = None,
        write_to_disk: bool | None = None,
        send_to_api: bool | None = None,
        force: bool | None = None,
    ) -> ScrapeResults | ScrapeFile:
        """Scrape now."""
        return cast(
            ScrapeResults | ScrapeFile,
            await self._call(
                "POST",
                "/scraper/scrape",
                {},
                _given({"sources": sources, "query": query, "categories": categories, "limit": limit, "write_to_disk": write_to_disk, "send_to_api": send_to_api, "force": force}),
            ),
        )

    async def search_articles(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> SearchBody:
        """Search by word, by meaning, or both."""
        return cast(
            SearchBody,
            await self._call(
                "GET",
                "/v1/search",
                {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank},
            ),
        )

    async def search_articles_pages(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> AsyncIterator[SearchBody]:
        """Pages to the end."""
        async for each in self._pages("GET", "/v1/search", {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank}):
            yield each

    async def search_articles_rows(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """All rows, as they are found."""
        async for each in self._rows("GET", "/v1/search", {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank}):
            yield each

    async def search_branches(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> SearchBody:
        """Search by word, by meaning, or both."""
        return cast(
            SearchBody,
            await self._call(
                "GET",
                "/retrieval/search",
                {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank},
            ),
        )

    async def search_branches_pages(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> AsyncIterator[SearchBody]:
        """Pages to the end."""
        async for each in self._pages("GET", "/retrieval/search", {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank}):
            yield each

    async def search_branches_rows(
        self,
        *,
        q: str | None = None,
        mode: Literal["bm25", "vector", "hybrid"] | None = None,
        match: Literal["any", "all"] | None = None,
        sort: Literal["relevance", "newest", "oldest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
        entity: str | None = None,
        story: int | None = None,
        facets: str | None = None,
        facet_limit: int | None = None,
        histogram: Literal["hour", "day", "week", "month"] | None = None,
        tz: str | None = None,
        cursor: str | None = None,
        format: Literal["json", "jsonl", "csv", "atom", "jsonfeed"] | None = None,
        group: Literal["story"] | None = None,
        typos: Literal["auto", "off"] | None = None,
        prefix: bool | None = None,
        k_rrf: int | None = None,
        fusion: Literal["rrf", "score"] | None = None,
        rerank: bool | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """All rows, as they are found."""
        async for each in self._rows("GET", "/retrieval/search", {"q": q, "mode": mode, "match": match, "sort": sort, "limit": limit, "offset": offset, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to, "entity": entity, "story": story, "facets": facets, "facet_limit": facet_limit, "histogram": histogram, "tz": tz, "cursor": cursor, "format": format, "group": group, "typos": typos, "prefix": prefix, "k_rrf": k_rrf, "fusion": fusion, "rerank": rerank}):
            yield each

    async def search_lemmas(
        self,
        *,
        root: str | None = None,
        lemma: str | None = None,
        en: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> LemmaPage:
        """Words of the lexicon by root, lemma or English meaning."""
        return cast(
            LemmaPage,
            await self._call(
                "GET",
                "/nlp/lemmas",
                {"root": root, "lemma": lemma, "en": en, "limit": limit, "offset": offset},
            ),
        )

    async def search_senses(
        self,
        *,
        lemma: str,
    ) -> SenseList:
        """The senses of a word or an expression."""
        return cast(
            SenseList,
            await self._call(
                "GET",
                "/nlp/senses",
                {"lemma": lemma},
            ),
        )

    async def similar_branches(
        self,
        *,
        article_id: int,
        limit: int | None = None,
        lang: Literal["ar", "en"] | None = None,
        source: str | None = None,
        category: str | None = None,
        domain: str | None = None,
        source_tier: int | None = None,
        from_: Any | None = None,
        to: Any | None = None,
    ) -> SimilarArticles:
        """Articles that are most like one."""
        return cast(
            SimilarArticles,
            await self._call(
                "GET",
                f"/retrieval/similar/{_part(article_id)}",
                {"limit": limit, "lang": lang, "source": source, "category": category, "domain": domain, "source_tier": source_tier, "from": from_, "to": to},
            ),
        )

    async def suggest_branches(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> SuggestBody:
        """What somebody may be about to type."""
        return cast(
            SuggestBody,
            await self._call(
                "GET",
                "/retrieval/suggest",
                {"q": q, "limit": limit},
            ),
        )

    async def suggest_queries(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> SuggestBody:
        """What somebody may be about to type."""
        return cast(
            SuggestBody,
            await self._call(
                "GET",
                "/v1/suggest",
                {"q": q, "limit": limit},
            ),
        )

    async def summarize_document(
        self,
        *,
        text: str,
        target_lang: Literal["ar", "en"] | None = None,
        length: Literal["short", "medium", "long"] | None = None,
    ) -> EdgeSummary:
        """The built-in summary of a text."""
        return cast(
            EdgeSummary,
            await self._call(
                "POST",
                "/edge/llm/summarize",
                {},
                _given({"text": text, "target_lang": target_lang, "length": length}),
            ),
        )

    async def summarize_text(
        self,
        *,
        text: str,
        target_lang: Literal["ar", "en"] | None = None,
        length: Literal["short", "medium", "long"] | None = None,
        format: Literal["paragraph", "bullets"] | None = None,
    ) -> Summary:
        """Summarise a text."""
        return cast(
            Summary,
            await self._call(
                "POST",
                "/api/ai/summarize",
                {},
                _given({"text": text, "target_lang": target_lang, "length": length, "format": format}),
            ),
        )

    async def test_vectors(
        self,
        *,
        text: str | None = None,
    ) -> TestVectorsAnswer:
        """Embed, upsert and query for one item."""
        return cast(
            TestVectorsAnswer,
            await self._call(
                "POST",
                "/edge/rag/dev/vectorize-smoke",
                {},
                _given({"text": text}),
            ),
        )

    async def transcribe_audio(
        self,
        *,
        body: bytes,
        language: str | None = None,
    ) -> Transcript:
        """Transcription of speech."""
        return cast(
            Transcript,
            await self._call(
                "POST",
                "/edge/llm/asr",
                {"language": language},
                body,
            ),
        )

    async def translate_text(
        self,
        *,
        text: str,
        target_lang: str,
        source_lang: str | None = None,
    ) -> TranslateAnswer:
        """Translation between languages."""
        return cast(
            TranslateAnswer,
            await self._call(
                "POST",
                "/edge/llm/translate",
                {},
                _given({"text": text, "target_lang": target_lang, "source_lang": source_lang}),
            ),
        )

    async def update_saved_search(
        self,
        *,
        search_id: int,
        name: str | None = None,
        query: SavedQuery | None = None,
        min_similarity: float | None = None,
        active: bool | None = None,
        notify: SearchNotify | None = None,
    ) -> SavedSearch:
        """Change a saved search, pause it or go on."""
        return cast(
            SavedSearch,
            await self._call(
                "PATCH",
                f"/v1/searches/{_part(search_id)}",
                {},
                _given({"name": name, "query": query, "min_similarity": min_similarity, "active": active, "notify": notify}),
            ),
        )

    async def update_source(
        self,
        *,
        key: str,
        provider: Literal["rss", "newsdata", "scraper", "scraper-push"] | None = None,
        name: str | None = None,
        feed_url: str | None = None,
        homepage: str | None = None,
        language: str | None = None,
        tier: int | None = None,
        active: bool | None = None,
    ) -> Source:
        """Change a source, switch it off or on."""
        return cast(
            Source,
            await self._call(
                "PATCH",
                f"/v1/sources/{_part(key)}",
                {},
                _given({"provider": provider, "name": name, "feed_url": feed_url, "homepage": homepage, "language": language, "tier": tier, "active": active}),
            ),
        )

    async def upsert_items(
        self,
        *,
        items: list[UpsertItemsItemsItem],
    ) -> UpsertItemsAnswer:
        """Insert a batch of items into the vector index."""
        return cast(
            UpsertItemsAnswer,
            await self._call(
                "POST",
                "/edge/rag/dev/upsert-batch",
                {},
                _given({"items": items}),
            ),
        )
