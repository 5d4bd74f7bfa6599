export { admitChecked } from "./admit-checked.ts";
export { type CheckedItem, changeReport, checkItem, refused } from "./check-item.ts";
export { checkItems } from "./check-items.ts";
export { type CheckThread, createCheckThread } from "./check-thread.ts";
export { acceptedIds, mergeResults, submittedOf } from "./results.ts";
export { createEnqueuer, type Enqueuer } from "./enqueuer.ts";
export { relationsReport } from "./relations-report.ts";
