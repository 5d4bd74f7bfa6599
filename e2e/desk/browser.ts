export { chromiumPath, openBrowser, openPage } from "../../api/desk/testing/browser.ts";
