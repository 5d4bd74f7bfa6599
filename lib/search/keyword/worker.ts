import { serve } from "../../service/threads/mod.ts";
import { start } from "./engine.ts";

serve(start);
