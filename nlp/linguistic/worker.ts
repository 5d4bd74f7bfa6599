import { serve } from "@isnad/lib/service/threads";
import { start } from "./start.ts";

serve(start);
