export { createStages, type Stages, type StagesOptions } from "./stages.ts";
export type { Stage, StageFailure, StageOutcome, StageRun } from "./stage.ts";
