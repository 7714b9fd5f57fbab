/** Replaces `nound:files` on Node. */
import type { Files } from "../../files.ts";
import { SimulatedFiles } from "../files.ts";
import { functionsOf, world } from "../world.ts";

export const { readText, readTexts, listFolder, writeText } = functionsOf<Files>(
  () => new SimulatedFiles(world().files),
);
