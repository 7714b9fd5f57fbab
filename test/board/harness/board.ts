/** What an emulated board is: QEMU's words for it, its kernel modules, its device tree, its pins. */
import type { DeviceTree } from "./device-tree.ts";
import type { KernelModule } from "./kernel-modules.ts";
import type { KernelPackage } from "./kernel-package.ts";
import type { Qmp } from "./qmp.ts";
import type { Qtest } from "./qtest.ts";

/** A level as a voltmeter sees it, whatever the guest calls active. */
export type Voltage = 0 | 1;

/** The board's pins, from outside. */
export interface Pins {
  /** Puts a voltage on an input. */
  drive(offset: number, voltage: Voltage): Promise<void>;
  /** The voltage on an output. */
  voltage(offset: number): Promise<Voltage>;
}

/** A kind of board, whose pins can do what `P` says. */
export interface Board<P extends Pins = Pins> {
  readonly name: string;
  /** QEMU's options for the machine itself. */
  readonly machine: readonly string[];
  /** QEMU's options for its network, given the user network `net`. */
  readonly network: readonly string[];
  /** Where its memory begins. */
  readonly memory: number;
  /** The kernel's name of the serial port that QEMU shows. */
  readonly console: string;
  /** QEMU's options for the serial ports, where the console is not the first. */
  readonly serial?: readonly string[];
  /** The kernel modules to load. What they need comes along. */
  readonly modules: readonly string[];
  /** Modules of the tests' own, that the kernel does not have. They are loaded last. */
  ownModules?(kernel: KernelPackage): readonly KernelModule[];
  /** Where its device tree comes from: a file of the kernel package, or QEMU itself. */
  readonly deviceTree: { readonly packaged: string } | "dumped";
  /** Makes the changes to the device tree that the tests rely on. */
  prepare(tree: DeviceTree): void;
  /** @returns the pins of a board that runs. */
  pins(qmp: Qmp, qtest: Qtest): Promise<P>;
}
