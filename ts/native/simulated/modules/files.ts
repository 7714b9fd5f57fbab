/** Replaces `nound:files` on Node. */
import type { Files } from "../../files.ts";
import { SimulatedFiles } from "../files.ts";
import { world } from "../world.ts";

const files = () => new SimulatedFiles(world().files);

export const readText: Files["readText"] = (path, limit, within) => files().readText(path, limit, within);
export const readTexts: Files["readTexts"] = (paths, limit, within) => files().readTexts(paths, limit, within);
export const listFolder: Files["listFolder"] = (path, limit, within) => files().listFolder(path, limit, within);
export const writeText: Files["writeText"] = (path, text, within) => files().writeText(path, text, within);
