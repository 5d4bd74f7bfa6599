export { createStages, type StagesOptions } from "./stages.ts";
export type { Stage, StageFailure, StageOutcome } from "./stage.ts";
