import { enlistStories } from "../../workers/upkeep.ts";
import { rebuildCommand } from "../rebuild.ts";

/** `stories:rebuild`. */
export const storiesRebuild = rebuildCommand({
  name: "stories:rebuild",
  summary: "Has all articles put into stories anew, while the stack runs; stories keep their numbers.",
  details:
    "New articles come first. By itself this happens where a version of the platform tells stories apart otherwise.",
  stage: "stories",
  enlist: (store, signal) => enlistStories({ store, signal, again: true }),
});
