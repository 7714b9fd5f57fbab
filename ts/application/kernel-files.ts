/** The files of the kernel and of other programs: the device's own, or simulated. Apart from platform.ts, as few programs read them. */
import * as nativeFiles from "nound:files";
import type { Files } from "../native/files.ts";
import { SimulatedFiles } from "../native/simulated/files.ts";
import { simulated } from "./platform.ts";

/** The simulated files; undefined where there are real ones. */
export const simulatedFiles: SimulatedFiles | undefined = simulated === undefined ? undefined : new SimulatedFiles();

/** The files. */
export const files: Files = simulatedFiles ?? nativeFiles;
