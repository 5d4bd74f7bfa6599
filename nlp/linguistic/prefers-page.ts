/** Whether a client would rather have a page than JSON, by its `Accept`. */
export function prefersPage(accept = ""): boolean {
  const page = accept.indexOf("text/html");
  const json = accept.indexOf("application/json");
  return page >= 0 && (json < 0 || page < json);
}
