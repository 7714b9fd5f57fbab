/** Replaces `nound:system` on Node. */
import type { System } from "../../system.ts";
import { world } from "../world.ts";

export const version: System["version"] = "0.0.0";
export const build: System["build"] = "simulated";
export const parts: System["parts"] = "";
export const contact: System["contact"] = "";
export const args: System["args"] = [];
export const environment: System["environment"] = () => undefined;
export const readTextFile: System["readTextFile"] = (path) => {
  const text = world().files.get(path);
  if (text === undefined) throw new Error(`cannot read ${path}: there is no such file`);
  return text;
};
/** Everything may be done with every file. */
export const accessOf: System["accessOf"] = (path) => {
  const isThere = [...world().files.keys()].some((file) => `${file}/`.startsWith(`${path}/`));
  return isThere ? { isReadable: true, isWritable: true, isPublic: false, group: "" } : undefined;
};
export const names: System["names"] = (folder, prefix) => {
  const inside = [...world().files.keys()].filter((path) => path.startsWith(`${folder}/${prefix}`));
  return [...new Set(inside.map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""))];
};
export const kernelRelease: System["kernelRelease"] = () => "0.0.0-simulated";
export const hostName: System["hostName"] = () => world().hostName;
export const isAccessRequired: System["isAccessRequired"] = () => false;
export const sourceDate: System["sourceDate"] = () => 1_767_225_600;
export const isClockSynchronized: System["isClockSynchronized"] = () => world().isClockSynchronized;
/** These random numbers are not secret: each contains its number. */
export const randomHex: System["randomHex"] = (count) => count.toString(16).padStart(2, "0").repeat(count);
export const printOutput: System["printOutput"] = (text) => {
  world().printed += text;
};
/** The test runner shows it as well, because people print to find mistakes. */
export const printError: System["printError"] = (text) => {
  printOutput(text);
  const { console } = globalThis as { readonly console?: { error(text: string): void } };
  console?.error(text.trimEnd());
};
/** The simulated modules throw sentences. */
export const onFailure: System["onFailure"] = () => undefined;
export const log: System["log"] = (line) => printError(`${line}\n`);
