export { monthsBesideNumbers } from "./calendar.ts";
export { findTimeAgo } from "./find-dates.ts";
export { type DateOptions, type FoundDate, findDates } from "./find-dates.ts";
export { isDateLine, wordsBesideDates } from "./find-dates.ts";
export { isoLocalTime, isoTime } from "./machine-dates.ts";
export { parseDate } from "./machine-dates.ts";
export { offsetAt } from "./zone.ts";
export { parseIsoTime } from "./machine-dates.ts";
