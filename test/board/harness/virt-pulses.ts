/**
 * The board `virt` with a line that moves by itself as a meter's does, by a kernel module of the tests' own: EDGE of
 * the GPIO chip `reaction`.
 *
 * Its clock counts instructions and leaps over the time in which it has nothing to do. So the pulses come at their
 * moments on the board's clock, however busy this machine is, and half an hour of them takes minutes.
 */
import type { Board } from "./board.ts";
import { guestModule } from "./guest-module.ts";
import { type VirtPins, virt } from "./virt.ts";

/** The board. */
export const virtPulses: Board<VirtPins> = {
  ...virt,
  name: "virt-pulses",
  machine: [...virt.machine, "-icount", "shift=3,sleep=off"],
  ownModules: (kernel) => [guestModule(kernel, "reaction")],
};
