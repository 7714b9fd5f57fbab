/**
 * That the emulated processors have no more than a target promises: else a binary that asks for more would pass its
 * tests here and die of SIGILL on a board.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { programOf } from "./instruction.ts";
import { selectedTargets, type Target } from "./targets.ts";

/** An instruction that not all processors of a target have. `max` is a processor that has it, in qemu's words. */
interface Lacked {
  readonly name: string;
  readonly code: string;
  readonly max: string;
  /** The processors of the target that lack it, where not all do. */
  readonly only?: readonly string[];
}

const neon = "NEON, as in vadd.i32 q0, q0, q0";
const lacked: Readonly<Record<string, readonly Lacked[]>> = {
  x86_64: [
    { name: "SSE3, as in haddps", code: "f20f7cc0", max: "max" },
    { name: "SSSE3, as in pshufb", code: "660f3800c0", max: "max" },
    { name: "AVX2, as in vpaddd", code: "c5fdfec0", max: "max" },
  ],
  aarch64: [
    { name: "atomic operations of ARMv8.1, as in ldadd", code: "e1030091200020b8", max: "max" },
    { name: "the products of ARMv8.1, as in sqrdmlah", code: "0084806e", max: "max" },
  ],
  armv7: [
    { name: neon, code: "400820f2", max: "max" },
    { name: "the upper 16 double registers, as in vadd.f64 d16", code: "a00b70ee", max: "max", only: ["cortex-r5f"] },
    { name: "division, as in sdiv", code: "0110a0e311f110e7", max: "max", only: ["cortex-a9,neon=off"] },
  ],
  armv6: [
    { name: neon, code: "400820f2", max: "max" },
    { name: "Thumb-2's instructions, as in movw", code: "011000e3", max: "max" },
  ],
  armv5: [
    { name: "floating point, as in vadd.f32 s0, s0, s0", code: "000a30ee", max: "max" },
    { name: "exclusive access, as in ldrex", code: "0d10a0e19f0f91e1", max: "max" },
  ],
  mipsel: [
    { name: "floating point, as in add.s", code: "00000046", max: "24Kf" },
    { name: "the DSP extension, as in addq.ph", code: "9042087d", max: "24KEc" },
  ],
  mips: [
    { name: "floating point, as in add.s", code: "46000000", max: "24Kf" },
    { name: "the DSP extension, as in addq.ph", code: "7d084290", max: "24KEc" },
  ],
  riscv64: [
    { name: "vectors, as in vsetvli", code: "d772000c", max: "rv64,v=on" },
    { name: "bit manipulation, as in sh1add", code: "3325a520", max: "rv64" },
  ],
};

const folder = mkdtempSync(join(tmpdir(), "nound-instruction-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program of one instruction. @returns its exit status, or the signal that ended it. */
function endingOf(target: Target, processor: string, code: string): number | string | null {
  const program = join(folder, "program");
  writeFileSync(program, programOf(code, target), { mode: 0o755 });
  // The emulator itself ends by the signal, too, and would leave a core of its own.
  const command = ["-c", 'ulimit -c 0; exec "$@"', "sh", target.emulator, "-cpu", processor, program];
  const { status, signal } = spawnSync("sh", command, { stdio: "ignore" });
  return signal ?? status;
}

describe.each(selectedTargets())("a processor for $name", (target) => {
  test.each(target.processors)("ends a program that does nothing, %s", (processor) => {
    expect(endingOf(target, processor, "")).toBe(0);
  });

  test.each(lacked[target.name] ?? [])("lacks $name, and another has it", ({ code, max, only }) => {
    expect(endingOf(target, max, code)).toBe(0);
    for (const processor of only ?? target.processors) {
      expect(endingOf(target, processor, code), processor).toBe("SIGILL");
    }
  });

  test("is known to lack something", () => {
    expect(lacked[target.name]?.length).toBeGreaterThan(1);
  });
});
