import type { Desk } from "../desk.tsx";
import { addState } from "./state.tsx";
import { addToday } from "./today.tsx";

/** Adds every page of the desk; the navigation has its sections in the order of `SECTIONS`. */
export const PAGES: readonly ((desk: Desk) => void)[] = [addToday, addState];
