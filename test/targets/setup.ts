/** Runs once before the tests that start a target's binary: installs the emulators that are missing. */
import { installHostPackages } from "../harness/host-packages.ts";
import { targets } from "./targets.ts";

/** Called by vitest. */
export function setup(): void {
  installHostPackages(
    {
      ...Object.fromEntries(targets.map(({ emulator }) => [emulator, "qemu-user-static"])),
      scmp_sys_resolver: "seccomp",
    },
    "The test of targets",
  );
}
