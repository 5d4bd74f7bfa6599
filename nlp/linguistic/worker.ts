import { serve } from "@isnad/lib/threads";
import { start } from "./start.ts";

serve(start);
