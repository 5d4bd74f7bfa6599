export { type DateOptions, type FoundDate, findDates } from "./find-dates.ts";
export { isDateLine, wordsBesideDates } from "./is-date-line.ts";
export { isoLocalTime, isoTime } from "./iso-time.ts";
export { parseDate } from "./parse-date.ts";
export { offsetAt } from "./zone.ts";
export { parseIsoTime } from "./parse-iso-time.ts";
