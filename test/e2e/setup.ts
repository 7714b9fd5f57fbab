/** Runs once before the end-to-end tests. */
export { buildPrograms as setup } from "../harness/build.ts";
