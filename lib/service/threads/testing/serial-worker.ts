import { serve } from "../serve.ts";
import { start } from "./start.ts";

serve(start, { oneAtATime: true });
