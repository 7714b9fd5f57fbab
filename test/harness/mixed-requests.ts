/** An ordinary load, refusals included, for the nouns of `test/wire/nouns.ts`. */
import type { LoadRequest } from "./load.ts";
import { del, get, post, put, request } from "./request.ts";

/** What devices are asked, refusals included: a leak on the way of an error is a leak, too. */
export const mixedRequests: readonly LoadRequest[] = [
  { bytes: get("/led"), status: 200 },
  { bytes: put("/led", { led: 1 }), status: 200 },
  { bytes: post("/led"), status: 200 },
  { bytes: get("/note"), status: 200 },
  { bytes: put("/note", { text: "x".repeat(200), n: 1.5, on: true, none: null }), status: 200 },
  { bytes: get("/NOTE"), status: 200 },
  { bytes: del("/note"), status: 200 },
  { bytes: get("/nowhere"), status: 404 },
  { bytes: put("/led", { led: 2 }), status: 422 },
  { bytes: put("/led", { led: 0 }).replace("application/json", "text/plain"), status: 415 },
  { bytes: put("/note", {}).replace("{}", "{]"), status: 400 },
  { bytes: request("PATCH", "/led"), status: 405 },
  { bytes: get("/led"), status: 200 },
  { bytes: post("/led"), status: 200 },
  { bytes: get("/still"), status: 200 },
  { bytes: del("/led"), status: 200 },
];
