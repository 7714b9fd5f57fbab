/** Runs once before the tutorial is followed: installs what its section "What you need" names. */
import { installHostPackages } from "../harness/host-packages.ts";

/** Called by vitest. */
export function setup(): void {
  installHostPackages(
    { "qemu-arm-static": "qemu-user-static", cmake: "cmake", ninja: "ninja-build", curl: "curl" },
    "The tutorial",
  );
}
