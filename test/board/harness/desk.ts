/** The board of the tutorial: `virt` with lines named as those of a Raspberry Pi's header, and nothing on them. */
import type { Board } from "./board.ts";
import { controller, type VirtPins, virt } from "./virt.ts";

/** The names of the lines by offset. The kernel holds one for its power key. */
export const lineNames = ["GPIO17", "GPIO27", "GPIO22", "", "GPIO5", "GPIO6", "GPIO13", "GPIO19"] as const;

/** The board. */
export const desk: Board<VirtPins> = {
  ...virt,
  name: "desk",
  prepare: (tree) => tree.nameLines(controller, lineNames),
};
