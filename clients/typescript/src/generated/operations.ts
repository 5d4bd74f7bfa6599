// Made by `bun run clients` from the OpenAPI documents of the services: do not edit.

import type { Makers } from "../client.ts";

/** Says how each operation is sent. */
export const OPERATIONS = {
  analyseDialect: { method: "POST", path: "/nlp/dialect/identify", inPath: [], inQuery: [], body: "json" },
  analyseDialectGlossary: { method: "POST", path: "/nlp/dialect/nabra/glossary", inPath: [], inQuery: [], body: "json" },
  analyseDialectSentence: { method: "POST", path: "/nlp/dialect/nabra", inPath: [], inQuery: [], body: "json" },
  analyseEntities: { method: "POST", path: "/nlp/ner", inPath: [], inQuery: [], body: "json" },
  analyseMorphology: { method: "POST", path: "/nlp/morph", inPath: [], inQuery: [], body: "json" },
  analyseRelations: { method: "POST", path: "/nlp/re", inPath: [], inQuery: [], body: "json" },
  analyseText: { method: "POST", path: "/nlp/analyse", inPath: [], inQuery: [], body: "json" },
  analyseWordSenses: { method: "POST", path: "/nlp/wsd", inPath: [], inQuery: [], body: "json" },
  callAgentTools: { method: "POST", path: "/mcp", inPath: [], inQuery: [], body: "json" },
  changeReview: { method: "PATCH", path: "/v1/reviews/{review_id}", inPath: ["review_id"], inQuery: [], body: "json" },
  checkApiHealth: { method: "GET", path: "/health", inPath: [], inQuery: [] },
  checkNlpHealth: { method: "GET", path: "/nlp/healthz", inPath: [], inQuery: [] },
  checkSentences: { method: "POST", path: "/retrieval/s1/check-worthiness", inPath: [], inQuery: [], body: "json" },
  createChat: { method: "POST", path: "/edge/llm/chat", inPath: [], inQuery: [], body: "json" },
  createChatCompletion: { method: "POST", path: "/chat/completions", inPath: [], inQuery: [], body: "json" },
  createOpenAiCompletion: { method: "POST", path: "/v1/chat/completions", inPath: [], inQuery: [], body: "json" },
  createOpenAiEmbeddings: { method: "POST", path: "/v1/embeddings", inPath: [], inQuery: [], body: "json" },
  createReviews: { method: "POST", path: "/v1/reviews", inPath: [], inQuery: [], body: "json" },
  createRun: { method: "POST", path: "/scraper/runs", inPath: [], inQuery: [], body: "json" },
  createSavedSearch: { method: "POST", path: "/v1/searches", inPath: [], inQuery: [], body: "json" },
  createSource: { method: "POST", path: "/v1/sources", inPath: [], inQuery: [], body: "json" },
  deleteArticle: { method: "DELETE", path: "/v1/articles/{article_id}", inPath: ["article_id"], inQuery: [] },
  deleteReview: { method: "DELETE", path: "/v1/reviews/{review_id}", inPath: ["review_id"], inQuery: [] },
  deleteSavedSearch: { method: "DELETE", path: "/v1/searches/{search_id}", inPath: ["search_id"], inQuery: [] },
  deleteSource: { method: "DELETE", path: "/v1/sources/{key}", inPath: ["key"], inQuery: [] },
  draftProfile: { method: "POST", path: "/scraper/profiles/draft", inPath: [], inQuery: [], body: "json" },
  embedQueries: { method: "POST", path: "/retrieval/query-vectors", inPath: [], inQuery: [], body: "json" },
  embedText: { method: "POST", path: "/edge/rag/dev/echo-embed", inPath: [], inQuery: [], body: "json" },
  embedTexts: { method: "POST", path: "/edge/llm/embed", inPath: [], inQuery: [], body: "json" },
  exportSources: { method: "GET", path: "/v1/sources.opml", inPath: [], inQuery: [] },
  findNearClaims: { method: "POST", path: "/retrieval/claims/match", inPath: [], inQuery: [], body: "json" },
  findPassages: { method: "POST", path: "/retrieval/passages", inPath: [], inQuery: [], body: "json" },
  getAnalysis: { method: "GET", path: "/nlp/analyse", inPath: [], inQuery: ["text","layers","min_confidence"] },
  getApiHealth: { method: "GET", path: "/api/v1/health", inPath: [], inQuery: [] },
  getApiLiveness: { method: "GET", path: "/livez", inPath: [], inQuery: [] },
  getApiMetrics: { method: "GET", path: "/metrics", inPath: [], inQuery: [] },
  getApiReadiness: { method: "GET", path: "/readyz", inPath: [], inQuery: [] },
  getArticle: { method: "GET", path: "/v1/articles/{article_id}", inPath: ["article_id"], inQuery: [] },
  getChain: { method: "GET", path: "/v1/articles/{article_id}/chain", inPath: ["article_id"], inQuery: [] },
  getClaim: { method: "GET", path: "/v1/claims/{claim_id}", inPath: ["claim_id"], inQuery: [] },
  getDialect: { method: "GET", path: "/nlp/dialect/identify", inPath: [], inQuery: ["text"] },
  getDialectGlossary: { method: "GET", path: "/nlp/dialect/nabra/glossary", inPath: [], inQuery: ["text","top_k","similarity_threshold","include_offsets"] },
  getDialectSentence: { method: "GET", path: "/nlp/dialect/nabra", inPath: [], inQuery: ["sentence_id","text"] },
  getEdgeHealth: { method: "GET", path: "/edge/health", inPath: [], inQuery: [] },
  getEdgeLiveness: { method: "GET", path: "/edge/livez", inPath: [], inQuery: [] },
  getEdgeMetrics: { method: "GET", path: "/edge/metrics", inPath: [], inQuery: [] },
  getEdgeReadiness: { method: "GET", path: "/edge/readyz", inPath: [], inQuery: [] },
  getEntities: { method: "GET", path: "/nlp/ner", inPath: [], inQuery: ["text","mode","include_offsets"] },
  getLemma: { method: "GET", path: "/nlp/lemmas/{id}", inPath: ["id"], inQuery: [] },
  getMorphology: { method: "GET", path: "/nlp/morph", inPath: [], inQuery: ["text","task","flag","language","include_lemma"] },
  getNlpHealth: { method: "GET", path: "/nlp/health", inPath: [], inQuery: [] },
  getNlpLiveness: { method: "GET", path: "/nlp/livez", inPath: [], inQuery: [] },
  getNlpMetrics: { method: "GET", path: "/nlp/metrics", inPath: [], inQuery: [] },
  getNlpReadiness: { method: "GET", path: "/nlp/readyz", inPath: [], inQuery: [] },
  getOpenAiModel: { method: "GET", path: "/v1/models/{model}", inPath: ["model"], inQuery: [] },
  getRelations: { method: "GET", path: "/nlp/re", inPath: [], inQuery: ["text","min_confidence"] },
  getRetrievalHealth: { method: "GET", path: "/retrieval/health", inPath: [], inQuery: [] },
  getRetrievalLiveness: { method: "GET", path: "/retrieval/livez", inPath: [], inQuery: [] },
  getRetrievalMetrics: { method: "GET", path: "/retrieval/metrics", inPath: [], inQuery: [] },
  getRetrievalReadiness: { method: "GET", path: "/retrieval/readyz", inPath: [], inQuery: [] },
  getReview: { method: "GET", path: "/v1/reviews/{review_id}", inPath: ["review_id"], inQuery: [] },
  getRun: { method: "GET", path: "/scraper/runs/{run_id}", inPath: ["run_id"], inQuery: [] },
  getSavedSearch: { method: "GET", path: "/v1/searches/{search_id}", inPath: ["search_id"], inQuery: [] },
  getScraperHealth: { method: "GET", path: "/scraper/health", inPath: [], inQuery: [] },
  getScraperLiveness: { method: "GET", path: "/scraper/livez", inPath: [], inQuery: [] },
  getScraperMetrics: { method: "GET", path: "/scraper/metrics", inPath: [], inQuery: [] },
  getScraperReadiness: { method: "GET", path: "/scraper/readyz", inPath: [], inQuery: [] },
  getSearchAtomFeed: { method: "GET", path: "/v1/searches/{search_id}/feed.atom", inPath: ["search_id"], inQuery: ["key"] },
  getSearchJsonFeed: { method: "GET", path: "/v1/searches/{search_id}/feed.json", inPath: ["search_id"], inQuery: ["key"] },
  getSense: { method: "GET", path: "/nlp/senses/{id}", inPath: ["id"], inQuery: [] },
  getSource: { method: "GET", path: "/v1/sources/{key}", inPath: ["key"], inQuery: [] },
  getState: { method: "GET", path: "/v1/state", inPath: [], inQuery: [] },
  getStory: { method: "GET", path: "/v1/stories/{story_id}", inPath: ["story_id"], inQuery: ["lang"] },
  getWordSenses: { method: "GET", path: "/nlp/wsd", inPath: [], inQuery: ["text","include_gloss","include_offsets"] },
  importSources: { method: "POST", path: "/v1/sources.opml", inPath: [], inQuery: [], body: "json" },
  ingestArticles: { method: "POST", path: "/v1/ingest/articles", inPath: [], inQuery: [], body: "json" },
  ingestRelations: { method: "POST", path: "/ingest/relations", inPath: [], inQuery: [], body: "json" },
  listArticleClaims: { method: "GET", path: "/v1/articles/{article_id}/claims", inPath: ["article_id"], inQuery: [] },
  listArticles: { method: "GET", path: "/v1/articles", inPath: [], inQuery: ["limit","lang","source","category","domain","source_tier","from","to","entity","cursor","format"] },
  listCapabilities: { method: "GET", path: "/edge/llm/health", inPath: [], inQuery: [] },
  listClaims: { method: "GET", path: "/v1/claims", inPath: [], inQuery: ["q","from","to","lang","source","entity","story","reviewed","sort","limit","cursor"] },
  listEntities: { method: "GET", path: "/v1/entities", inPath: [], inQuery: ["q","type","from","to","limit"] },
  listOpenAiModels: { method: "GET", path: "/v1/models", inPath: [], inQuery: [] },
  listProfileCategories: { method: "GET", path: "/scraper/profiles/{name}/categories", inPath: ["name"], inQuery: [] },
  listProfiles: { method: "GET", path: "/scraper/profiles", inPath: [], inQuery: [] },
  listReviews: { method: "GET", path: "/v1/reviews", inPath: [], inQuery: ["publisher","rating","limit","cursor"] },
  listRevisions: { method: "GET", path: "/v1/articles/{article_id}/revisions", inPath: ["article_id"], inQuery: ["limit","cursor"] },
  listRuns: { method: "GET", path: "/scraper/runs", inPath: [], inQuery: ["profile_id","status","trigger","since","until","limit","cursor"] },
  listSavedSearches: { method: "GET", path: "/v1/searches", inPath: [], inQuery: ["limit","cursor"] },
  listSearchMatches: { method: "GET", path: "/v1/searches/{search_id}/matches", inPath: ["search_id"], inQuery: ["limit","cursor"] },
  listSimilarArticles: { method: "GET", path: "/v1/articles/{article_id}/similar", inPath: ["article_id"], inQuery: ["limit","lang","source","category","domain","source_tier","from","to"] },
  listSources: { method: "GET", path: "/v1/sources", inPath: [], inQuery: ["limit","cursor"] },
  listStories: { method: "GET", path: "/v1/stories", inPath: [], inQuery: ["from","to","lang","category","source","entity","q","min_size","sort","limit","cursor"] },
  matchClaims: { method: "POST", path: "/v1/claims/match", inPath: [], inQuery: [], body: "json" },
  pullSource: { method: "POST", path: "/v1/sources/{key}/pull", inPath: ["key"], inQuery: [] },
  queryChunks: { method: "POST", path: "/edge/rag/query", inPath: [], inQuery: [], body: "json" },
  reloadProfiles: { method: "POST", path: "/scraper/profiles/reload", inPath: [], inQuery: [] },
  renewFeedKey: { method: "POST", path: "/v1/searches/{search_id}/feed-key", inPath: ["search_id"], inQuery: [] },
  replayArticles: { method: "POST", path: "/scraper/replay", inPath: [], inQuery: [], body: "json" },
  reportRevisions: { method: "POST", path: "/v1/ingest/revisions", inPath: [], inQuery: [], body: "json" },
  retrieveEvidence: { method: "POST", path: "/retrieval/retrieve", inPath: [], inQuery: [], body: "json" },
  revokeFeedKey: { method: "DELETE", path: "/v1/searches/{search_id}/feed-key", inPath: ["search_id"], inQuery: [] },
  scoreSentences: { method: "POST", path: "/retrieval/s1/score", inPath: [], inQuery: [], body: "json" },
  scrapeSources: { method: "POST", path: "/scraper/scrape", inPath: [], inQuery: [], body: "json" },
  searchArticles: { method: "GET", path: "/v1/search", inPath: [], inQuery: ["q","mode","match","sort","limit","offset","lang","source","category","domain","source_tier","from","to","entity","story","facets","facet_limit","histogram","tz","cursor","format","group","typos","prefix","k_rrf","fusion","rerank"] },
  searchBranches: { method: "GET", path: "/retrieval/search", inPath: [], inQuery: ["q","mode","match","sort","limit","offset","lang","source","category","domain","source_tier","from","to","entity","story","facets","facet_limit","histogram","tz","cursor","format","group","typos","prefix","k_rrf","fusion","rerank"] },
  searchLemmas: { method: "GET", path: "/nlp/lemmas", inPath: [], inQuery: ["root","lemma","en","limit","offset"] },
  searchSenses: { method: "GET", path: "/nlp/senses", inPath: [], inQuery: ["lemma"] },
  similarBranches: { method: "GET", path: "/retrieval/similar/{article_id}", inPath: ["article_id"], inQuery: ["limit","lang","source","category","domain","source_tier","from","to"] },
  suggestBranches: { method: "GET", path: "/retrieval/suggest", inPath: [], inQuery: ["q","limit"] },
  suggestQueries: { method: "GET", path: "/v1/suggest", inPath: [], inQuery: ["q","limit"] },
  summarizeDocument: { method: "POST", path: "/edge/llm/summarize", inPath: [], inQuery: [], body: "json" },
  summarizeText: { method: "POST", path: "/api/ai/summarize", inPath: [], inQuery: [], body: "json" },
  testVectors: { method: "POST", path: "/edge/rag/dev/vectorize-smoke", inPath: [], inQuery: [], body: "json" },
  transcribeAudio: { method: "POST", path: "/edge/llm/asr", inPath: [], inQuery: ["language"], body: "bytes" },
  translateText: { method: "POST", path: "/edge/llm/translate", inPath: [], inQuery: [], body: "json" },
  updateSavedSearch: { method: "PATCH", path: "/v1/searches/{search_id}", inPath: ["search_id"], inQuery: [], body: "json" },
  updateSource: { method: "PATCH", path: "/v1/sources/{key}", inPath: ["key"], inQuery: [], body: "json" },
  upsertItems: { method: "POST", path: "/edge/rag/dev/upsert-batch", inPath: [], inQuery: [], body: "json" },
} as const;

/** Makes the methods of a client, one an operation. */
export const methodsOf = ({ call, pages, rows, stream }: Makers) => ({
/** Which Arabic a text is in: the standard language, or that of one of five regions. */
analyseDialect: call("analyseDialect"),
/** What the words of a text may mean in dialect. */
analyseDialectGlossary: call("analyseDialectGlossary"),
/** A sentence in dialect, word by word. */
analyseDialectSentence: call("analyseDialectSentence"),
/** The entities of a text, nested or flat. */
analyseEntities: call("analyseEntities"),
/** Lemma, part of speech, root and parts of each word. */
analyseMorphology: call("analyseMorphology"),
/** Events and who and what takes part in them. */
analyseRelations: call("analyseRelations"),
/** All layers of a text over one cut into tokens. */
analyseText: call("analyseText"),
/** The sense of each word in its sentence. */
analyseWordSenses: call("analyseWordSenses"),
/** The tools of agents, by the Model Context Protocol (Streamable HTTP, without sessions). */
callAgentTools: call("callAgentTools"),
/** Change a review. */
changeReview: call("changeReview"),
/** Health of the service and of each dependency. */
checkApiHealth: call("checkApiHealth"),
/** Health of the service and of each dependency. */
checkNlpHealth: call("checkNlpHealth"),
/** Sentence-level check-worthiness. */
checkSentences: call("checkSentences"),
/** General-purpose chat, grounded in the platform's articles unless told otherwise. */
createChat: call("createChat"),
/** AI chat over the platform's articles. */
createChatCompletion: call("createChatCompletion"),
/** AI chat over the platform's articles, in OpenAI's protocol. */
createOpenAiCompletion: call("createOpenAiCompletion"),
/** Vectors of texts, in OpenAI's protocol. */
createOpenAiEmbeddings: call("createOpenAiEmbeddings"),
/** Store one review, or up to 100. */
createReviews: call("createReviews"),
/** Queue a run of a profile. */
createRun: call("createRun"),
/** Keep a search: it is matched by every article that becomes searchable from now on. */
createSavedSearch: call("createSavedSearch"),
/** Register a source. */
createSource: call("createSource"),
/** Remove an article everywhere. */
deleteArticle: call("deleteArticle"),
/** Delete a review. */
deleteReview: call("deleteReview"),
/** Delete a saved search with its matches and what is still to be delivered. */
deleteSavedSearch: call("deleteSavedSearch"),
/** Remove a source; its articles stay. */
deleteSource: call("deleteSource"),
/** Look at a site, and draft its profile. */
draftProfile: call("draftProfile"),
/** The vectors of queries, as a search by meaning compares passages with them. */
embedQueries: call("embedQueries"),
/** The embedding vector of a text. */
embedText: call("embedText"),
/** Vectors of texts. */
embedTexts: call("embedTexts"),
/** The sources that have a feed, as OPML. */
exportSources: call("exportSources"),
/** Find the reviews and claims nearest to a text. */
findNearClaims: call("findNearClaims"),
/** The chunks of articles nearest in meaning. */
findPassages: call("findPassages"),
/** All layers of a text over one cut into tokens. */
getAnalysis: call("getAnalysis"),
/** Health of the service and of each dependency. */
getApiHealth: call("getApiHealth"),
/** Whether the process answers; touches no dependency. */
getApiLiveness: call("getApiLiveness"),
/** Metrics in text exposition format. */
getApiMetrics: call("getApiMetrics"),
/** Whether requests may be sent here. */
getApiReadiness: call("getApiReadiness"),
/** Show an article with its state, entities and relations. */
getArticle: call("getArticle"),
/** Show who had a report first, who took it over, and who is credited. */
getChain: call("getChain"),
/** A claim with every sentence that makes it. */
getClaim: call("getClaim"),
/** Which Arabic a text is in: the standard language, or that of one of five regions. */
getDialect: call("getDialect"),
/** What the words of a text may mean in dialect. */
getDialectGlossary: call("getDialectGlossary"),
/** A sentence in dialect, word by word. */
getDialectSentence: call("getDialectSentence"),
/** Health of the service and of each dependency. */
getEdgeHealth: call("getEdgeHealth"),
/** Whether the process answers; touches no dependency. */
getEdgeLiveness: call("getEdgeLiveness"),
/** Metrics in text exposition format. */
getEdgeMetrics: call("getEdgeMetrics"),
/** Whether requests may be sent here. */
getEdgeReadiness: call("getEdgeReadiness"),
/** The entities of a text, nested or flat. */
getEntities: call("getEntities"),
/** A word of the lexicon. */
getLemma: call("getLemma"),
/** Lemma, part of speech, root and parts of each word. */
getMorphology: call("getMorphology"),
/** Health of the service and of each dependency. */
getNlpHealth: call("getNlpHealth"),
/** Whether the process answers; touches no dependency. */
getNlpLiveness: call("getNlpLiveness"),
/** Metrics in text exposition format. */
getNlpMetrics: call("getNlpMetrics"),
/** Whether requests may be sent here. */
getNlpReadiness: call("getNlpReadiness"),
/** A model of this API, in OpenAI's protocol. */
getOpenAiModel: call("getOpenAiModel"),
/** Events and who and what takes part in them. */
getRelations: call("getRelations"),
/** Health of the service and of each dependency. */
getRetrievalHealth: call("getRetrievalHealth"),
/** Whether the process answers; touches no dependency. */
getRetrievalLiveness: call("getRetrievalLiveness"),
/** Metrics in text exposition format. */
getRetrievalMetrics: call("getRetrievalMetrics"),
/** Whether requests may be sent here. */
getRetrievalReadiness: call("getRetrievalReadiness"),
/** Show a review; as ClaimReview where that is accepted. */
getReview: call("getReview"),
/** A run with its counts, its feeds, and why articles did not come. */
getRun: call("getRun"),
/** A saved search. */
getSavedSearch: call("getSavedSearch"),
/** Health of the service and of each dependency. */
getScraperHealth: call("getScraperHealth"),
/** Whether the process answers; touches no dependency. */
getScraperLiveness: call("getScraperLiveness"),
/** Metrics in text exposition format. */
getScraperMetrics: call("getScraperMetrics"),
/** Whether requests may be sent here. */
getScraperReadiness: call("getScraperReadiness"),
/** The newest 50 matches of a saved search, as Atom. */
getSearchAtomFeed: call("getSearchAtomFeed"),
/** The newest 50 matches of a saved search, as JSON Feed. */
getSearchJsonFeed: call("getSearchJsonFeed"),
/** A sense of the inventory. */
getSense: call("getSense"),
/** A source, with what came of it lately. */
getSource: call("getSource"),
/** How the services, stages, indexes and the storage stand. */
getState: call("getState"),
/** Show a story with all its articles. */
getStory: call("getStory"),
/** The sense of each word in its sentence. */
getWordSenses: call("getWordSenses"),
/** Register the feeds of an OPML file. */
importSources: call("importSources"),
/** Submit articles. */
ingestArticles: call("ingestArticles"),
/** Report the relations in an article. */
ingestRelations: call("ingestRelations"),
/** What an article claims. */
listArticleClaims: call("listArticleClaims"),
/** List the articles that can be searched, newest first. */
listArticles: call("listArticles"),
/** What the models here can do now. */
listCapabilities: call("listCapabilities"),
/** What articles claim. */
listClaims: call("listClaims"),
/** Who and what is mentioned most. */
listEntities: call("listEntities"),
/** The models of this API, in OpenAI's protocol. */
listOpenAiModels: call("listOpenAiModels"),
/** The canonical categories that a profile can yield. */
listProfileCategories: call("listProfileCategories"),
/** The profiles in force, with configuration and status. */
listProfiles: call("listProfiles"),
/** The reviews, the last ones first. */
listReviews: call("listReviews"),
/** What sources said of an article after it was stored, newest first. */
listRevisions: call("listRevisions"),
/** Runs, newest first. */
listRuns: call("listRuns"),
/** The saved searches, newest first. */
listSavedSearches: call("listSavedSearches"),
/** What a saved search has matched, newest first. */
listSearchMatches: call("listSearchMatches"),
/** The articles that are most like one, its copies left out. */
listSimilarArticles: call("listSimilarArticles"),
/** The sources, with what came of them lately. */
listSources: call("listSources"),
/** List events with the articles that tell of them, in both languages. */
listStories: call("listStories"),
/** Find the reviews and claims nearest to a text. */
matchClaims: call("matchClaims"),
/** Have a source pulled now. */
pullSource: call("pullSource"),
/** Vector search over the chunks of articles, with an optional rerank step. */
queryChunks: call("queryChunks"),
/** Read the profile files again. */
reloadProfiles: call("reloadProfiles"),
/** Give the feeds of a saved search another key; the one before is good for nothing. */
renewFeedKey: call("renewFeedKey"),
/** Send kept articles to the ingest endpoint again. */
replayArticles: call("replayArticles"),
/** Report what a source says of known articles now. */
reportRevisions: call("reportRevisions"),
/** Hybrid retrieval: BM25 and nearest neighbours, fused by reciprocal rank. */
retrieveEvidence: call("retrieveEvidence"),
/** Take the key of a saved search's feeds away: nobody can read them. */
revokeFeedKey: call("revokeFeedKey"),
/** Sentence-level check-worthiness. */
scoreSentences: call("scoreSentences"),
/** Scrape now. */
scrapeSources: call("scrapeSources"),
/** Search by word, by meaning, or both. */
searchArticles: call("searchArticles"),
/** Search by word, by meaning, or both. */
searchBranches: call("searchBranches"),
/** Words of the lexicon by root, lemma or English meaning. */
searchLemmas: call("searchLemmas"),
/** The senses of a word or an expression. */
searchSenses: call("searchSenses"),
/** Articles that are most like one. */
similarBranches: call("similarBranches"),
/** What somebody may be about to type. */
suggestBranches: call("suggestBranches"),
/** What somebody may be about to type. */
suggestQueries: call("suggestQueries"),
/** The built-in summary of a text. */
summarizeDocument: call("summarizeDocument"),
/** Summarise a text. */
summarizeText: call("summarizeText"),
/** Embed, upsert and query for one item. */
testVectors: call("testVectors"),
/** Transcription of speech. */
transcribeAudio: call("transcribeAudio"),
/** Translation between languages. */
translateText: call("translateText"),
/** Change a saved search, pause it or go on. */
updateSavedSearch: call("updateSavedSearch"),
/** Change a source, switch it off or on. */
updateSource: call("updateSource"),
/** Insert a batch of items into the vector index. */
upsertItems: call("upsertItems"),
/** The pages of what comes in pages, to the end. */
pages: {
/** List the articles that can be searched, newest first. */
listArticles: pages("listArticles"),
/** What articles claim. */
listClaims: pages("listClaims"),
/** The reviews, the last ones first. */
listReviews: pages("listReviews"),
/** What sources said of an article after it was stored, newest first. */
listRevisions: pages("listRevisions"),
/** Runs, newest first. */
listRuns: pages("listRuns"),
/** The saved searches, newest first. */
listSavedSearches: pages("listSavedSearches"),
/** What a saved search has matched, newest first. */
listSearchMatches: pages("listSearchMatches"),
/** The sources, with what came of them lately. */
listSources: pages("listSources"),
/** List events with the articles that tell of them, in both languages. */
listStories: pages("listStories"),
/** Search by word, by meaning, or both. */
searchArticles: pages("searchArticles"),
/** Search by word, by meaning, or both. */
searchBranches: pages("searchBranches"),
},
/** All rows of a list, one by one as they are found, without a bound. */
rows: {
/** List the articles that can be searched, newest first. */
listArticles: rows("listArticles"),
/** Search by word, by meaning, or both. */
searchArticles: rows("searchArticles"),
/** Search by word, by meaning, or both. */
searchBranches: rows("searchBranches"),
},
/** The events of an answer that comes bit by bit. */
stream: {
/** General-purpose chat, grounded in the platform's articles unless told otherwise. */
createChat: stream("createChat"),
/** AI chat over the platform's articles. */
createChatCompletion: stream("createChatCompletion"),
/** AI chat over the platform's articles, in OpenAI's protocol. */
createOpenAiCompletion: stream("createOpenAiCompletion"),
},
});
