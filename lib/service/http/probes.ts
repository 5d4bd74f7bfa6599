/** Paths that probes and scrapers of metrics ask for all the time. */
export const PROBES = /^\/(livez|readyz|health|healthz|metrics|api\/v1\/health)$/;
