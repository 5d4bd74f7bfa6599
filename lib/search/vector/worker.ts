import { serve } from "../../threads/index.ts";
import { start } from "./start.ts";

serve(start);
