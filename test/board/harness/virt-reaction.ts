/**
 * The board `virt` with an input that moves by itself and an output that is timed, by a kernel module of the tests'
 * own: the GPIO chip `reaction`.
 *
 * Its clock counts instructions, 2 ns each, and leaps over idle time. So what is measured on it does not depend on what
 * else this machine does.
 */
import type { Board } from "./board.ts";
import { guestModule } from "./guest-module.ts";
import { type VirtPins, virt } from "./virt.ts";

/** The board. */
export const virtReaction: Board<VirtPins> = {
  ...virt,
  name: "virt-reaction",
  machine: [...virt.machine, "-icount", "shift=1,sleep=off"],
  ownModules: (kernel) => [guestModule(kernel, "reaction")],
};
