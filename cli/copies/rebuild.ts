import { enlistCopies } from "../../workers/upkeep.ts";
import { rebuildCommand } from "../rebuild.ts";

/** `copies:rebuild`. */
export const copiesRebuild = rebuildCommand({
  name: "copies:rebuild",
  summary: "Has all articles matched with others anew for copies and credits, while the stack runs.",
  details: "New articles come first. By itself this happens where a version of the platform finds copies otherwise.",
  stage: "copies",
  enlist: (store, signal) => enlistCopies({ store, signal, again: true }),
});
