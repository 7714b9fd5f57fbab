/**
 * An application of "nound" that reads files.
 *
 *     NOUND_APPLICATION=files-application.js nound-runtime 127.0.0.1:8080 '{"readable":["/proc"]}'
 *
 * Without a reach, nothing is given up; with one, GET /file first says what was. With `early` as the third argument, a
 * file is read before that.
 */
import * as system from "nound:system";
import { defineNoun, listFolder, type Reach, readText, restrict, Server, switchNoun } from "../../ts/nound.ts";

const [address = "127.0.0.1:8080", reach = "", when = ""] = system.args;

/** What a promise came to, as a state. */
async function outcome(text: Promise<string | string[]>): Promise<{ readonly text: string; readonly error: string }> {
  try {
    return { text: String(await text), error: "" };
  } catch (error) {
    return { text: "", error: error instanceof Error ? error.message : String(error) };
  }
}

let last = { text: "", error: "" };

/** POST reads the file, or lists the folder, and the answer is what came of it. */
const file = defineNoun({
  shape: {
    path: { type: "string", optional: true },
    folder: { type: "string", optional: true },
    limit: { type: "integer", optional: true },
    text: { type: "string", readOnly: true },
    error: { type: "string", readOnly: true },
  },
  get: () => last,
  set: () => {},
  reset: () => {},
  async update({ path, folder, limit }) {
    if (path !== undefined) last = await outcome(readText(path, limit));
    if (folder !== undefined) last = await outcome(listFolder(folder, limit));
  },
});

let kept = 0;
let broken = 0;
let error = "";

/** POST reads a file that many times at once. */
const many = defineNoun({
  shape: {
    path: { type: "string" },
    times: { type: "integer" },
    kept: { type: "integer", readOnly: true },
    broken: { type: "integer", readOnly: true },
    error: { type: "string", readOnly: true },
  },
  get: () => ({ path: "", times: 0, kept, broken, error }),
  set: () => {},
  reset: () => {},
  async update({ path = "", times = 1 }) {
    const results = await Promise.allSettled(Array.from({ length: times }, () => readText(path)));
    kept = results.filter(({ status }) => status === "fulfilled").length;
    broken = times - kept;
    const rejected = results.find((result) => result.status === "rejected");
    error = rejected === undefined ? "" : (rejected.reason as Error).message;
  },
});

const server = new Server({ limits: { bodyBytes: 16_384 } });
server.register("file", file);
server.register("many", many);
server.register("led", switchNoun({ key: "led" }));
if (when === "early") last = await outcome(readText("/proc/self/status"));
server.listen(address);
if (reach !== "") last = { text: restrict(JSON.parse(reach) as Reach), error: "" };
