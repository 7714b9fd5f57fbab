/** What the stock program does when it serves no configuration: it is read when it is asked for. */
export { announceDemonstration, demonstration } from "./demonstration.ts";
export { printHelp } from "./help.ts";
export { printNewToken } from "./new-token.ts";
export { runApplication } from "./run-application.ts";
