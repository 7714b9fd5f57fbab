/** The parts of the core that few requests and few configurations need: every program can do without them until then. */

import { resolve } from "node:path";

const top = resolve(import.meta.dirname, "../..");

/** Modules as deferred.mjs takes them: they export functions only. */
export const coreParts = [
  "ts/http/head-check.ts",
  "ts/http/chunked-body.ts",
  "ts/noun/state-mistake.ts",
  "ts/noun/string-escapes.ts",
  "ts/access/access.ts",
  "ts/streams/event-streams.ts",
  "ts/application/error-log.ts",
  "ts/documents/document-route.ts",
  "ts/documents/page-route.ts",
  "ts/application/simulated-device.ts",
  "ts/application/simulated-sources.ts",
  "ts/application/tokens.ts",
  "ts/documents/written-documents.ts",
  "ts/describe/thing-description.ts",
  "ts/describe/open-api.ts",
  "ts/describe/metrics.ts",
].map((path) => resolve(top, path));

/** Those of them that are loaded while the modules of the start are evaluated: they can import only what was evaluated before. */
export const earlyParts = [resolve(top, "ts/application/simulated-device.ts")];
