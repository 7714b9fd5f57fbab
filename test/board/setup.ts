/**
 * Runs once before the board tests: installs and fetches what is missing, and makes the files that the boards start
 * from.
 */

import { installHostPackages } from "../harness/host-packages.ts";
import { ast2600 } from "./harness/ast2600.ts";
import { chipsBoards } from "./harness/ast2600-chips.ts";
import { compileGuest, prepareBoard } from "./harness/boot-files.ts";
import { kernelPackage } from "./harness/kernel-package.ts";
import { sabrelite } from "./harness/sabrelite.ts";
import { virt } from "./harness/virt.ts";
import { virtKernelTls } from "./harness/virt-kernel-tls.ts";
import { virtPulses } from "./harness/virt-pulses.ts";

/** Called by vitest. */
export function setup(): void {
  const init = compileGuest();
  installHostPackages();
  const kernel = kernelPackage();
  for (const board of [virt, virtKernelTls, virtPulses, ast2600, ...chipsBoards, sabrelite]) {
    prepareBoard(board, kernel, init);
  }
}
