export { admitItems, indexedArticles, testItem } from "./testing-articles.ts";
export { type TestDatabase, testDatabase, testServer } from "./testing-database.ts";
export { type FreezablePostgres, freezablePostgres } from "./testing-frozen.ts";
export { type TestStore, testStore } from "./testing-store.ts";
export { queueWork, type TestStage, testStage } from "./testing-work.ts";
