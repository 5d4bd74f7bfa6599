/** Returns the `operationId` of what every service has: `getEdgeHealth`. Names stay unique over all services. */
export function operationId(verb: string, service: string, noun: string): string {
  return [verb, ...service.split("-"), noun]
    .map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}
