export { acceptedIds, admitChecked, createEnqueuer, type Enqueuer, mergeResults, submittedOf } from "./admit.ts";
export { type CheckThread, createCheckThread } from "./admit.ts";
export { changeReport, type CheckedItem, checkItem, checkItems, refused } from "./check.ts";
export { relationsReport } from "./check.ts";
export { opmlOfSources, sourcesOfOpml } from "./admit.ts";
