/**
 * The targets with what holds for each: the processors that its binary has to run on, in qemu's words, and how large it
 * may be.
 *
 * The end-to-end tests run on the first processor, which has nothing that the target does not promise. qemu has no
 * processor that lacks both NEON and the later ARM instructions as well as half of the floating point registers, so
 * armv7 has two.
 */
export interface Target {
  readonly name: string;
  /** The program of Debian's qemu-user-static. */
  readonly emulator: string;
  readonly processors: readonly [string, ...string[]];
  /** The size that the binary must not exceed, in thousands of bytes. */
  readonly budget: number;
  readonly bigEndian: boolean;
}

/** In the order of README and dist. */
export const targets: readonly Target[] = [
  {
    name: "x86_64",
    emulator: "qemu-x86_64-static",
    processors: ["qemu64,pni=off,cx16=off,lahf-lm=off,svm=off"],
    budget: 1_915,
    bigEndian: false,
  },
  { name: "aarch64", emulator: "qemu-aarch64-static", processors: ["cortex-a53"], budget: 1_900, bigEndian: false },
  {
    name: "armv7",
    emulator: "qemu-arm-static",
    processors: ["cortex-a9,neon=off", "cortex-r5f"],
    budget: 1_600,
    bigEndian: false,
  },
  { name: "armv6", emulator: "qemu-arm-static", processors: ["arm1176"], budget: 1_990, bigEndian: false },
  { name: "armv5", emulator: "qemu-arm-static", processors: ["arm926,vfp=off"], budget: 2_030, bigEndian: false },
  { name: "mipsel", emulator: "qemu-mipsel-static", processors: ["24Kc"], budget: 2_270, bigEndian: false },
  { name: "mips", emulator: "qemu-mips-static", processors: ["24Kc"], budget: 2_200, bigEndian: true },
  { name: "riscv64", emulator: "qemu-riscv64-static", processors: ["sifive-u54"], budget: 1_810, bigEndian: false },
];

const { NOUND_TARGETS = "" } = process.env;

/** The targets that NOUND_TARGETS names, or all of them. @throws Error when it names another. */
export function selectedTargets(names = NOUND_TARGETS.split(" ")): readonly Target[] {
  const wanted = names.filter((name) => name !== "");
  const unknown = wanted.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no target ${unknown.join(", ")}; available: ${targets.map(({ name }) => name).join(", ")}.`,
    );
  }
  return wanted.length === 0 ? targets : targets.filter(({ name }) => wanted.includes(name));
}
