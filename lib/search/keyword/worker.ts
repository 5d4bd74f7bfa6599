import { serve } from "../../service/threads/mod.ts";
import { start } from "./start.ts";

serve(start);
