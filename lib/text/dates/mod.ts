export { findTimeAgo } from "./ago.ts";
export { type DateOptions, type FoundDate, findDates } from "./find-dates.ts";
export { isDateLine, wordsBesideDates } from "./is-date-line.ts";
export { isoLocalTime, isoTime } from "./machine-dates.ts";
export { parseDate } from "./machine-dates.ts";
export { offsetAt } from "./zone.ts";
export { parseIsoTime } from "./machine-dates.ts";
