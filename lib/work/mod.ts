export { createStages, type Stages, type StagesOptions } from "./run-stages.ts";
export type { Stage, StageFailure, StageOutcome, StageRun } from "./stage.ts";
