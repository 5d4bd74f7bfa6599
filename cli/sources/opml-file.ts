import { CommandError } from "@isnad/lib/service/cli";
import { type OpmlDocument, OpmlError, readOpml } from "@isnad/lib/web/feeds";
import { readDocument } from "../scraper/pages.ts";

/** The feeds of an OPML file. Throws CommandError when it cannot be read, is larger than 20 MB, or is no OPML. */
export function readOpmlFile(path: string): OpmlDocument {
  const { text } = readDocument(path);
  try {
    return readOpml(text);
  } catch (error) {
    if (error instanceof OpmlError) throw new CommandError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
