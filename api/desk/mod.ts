export { type DeskAssets, loadDeskAssets } from "./assets.ts";
export { addDesk } from "./desk.tsx";
export { PAGES } from "./pages/mod.ts";
