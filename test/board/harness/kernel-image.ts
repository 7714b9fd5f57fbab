/**
 * Makes of Debian's self-extracting zImage what QEMU can start at once: the kernel unpacked here, in the legacy image
 * form of U-Boot (u-boot, include/image.h). Emulated, the kernel takes four seconds to unpack itself.
 */
import { spawnSync } from "node:child_process";
import { crc32 } from "node:zlib";

const xzMagic = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);
const uImageMagic = 0x27051956;
const [osLinux, architectureArm, typeKernel, notCompressed] = [5, 2, 2, 0];

/** The options that move the kernel away from the beginning of memory (linux, arch/arm/Makefile, `textofs-y`). */
const moved = /^CONFIG_ARCH_(MESON|QCOM_RESERVE_SMEM|MSM8X60|MSM8960|IPQ40XX)=y$/m;

/** @returns how far from the beginning of memory a kernel of this configuration expects to be, in bytes. */
export function textOffset(configuration: string): number {
  return moved.test(configuration) ? 0x20_8000 : 0x8000;
}

/** @throws Error when there is no kernel in it that xz packed. */
function unpackedKernel(zImage: Buffer): Buffer {
  // The program around it has the magic bytes, too.
  for (let start = zImage.indexOf(xzMagic); start >= 0; start = zImage.indexOf(xzMagic, start + 1)) {
    const { status, stdout } = spawnSync("xz", ["--decompress", "--stdout", "--single-stream"], {
      input: zImage.subarray(start),
      maxBuffer: 256 * 1024 * 1024,
    });
    if (status === 0) {
      return stdout;
    }
  }
  throw new Error(
    "Debian's ARM kernel is not packed with xz any more; test/board/harness/kernel-image.ts must learn how.",
  );
}

/**
 * @param zImage Debian's `vmlinuz`.
 * @param loadAddress where the unpacked kernel goes and starts, in physical memory.
 */
export function uImage(zImage: Buffer, loadAddress: number): Buffer {
  const kernel = unpackedKernel(zImage);
  const header = Buffer.alloc(64);
  header.writeUInt32BE(uImageMagic, 0);
  header.writeUInt32BE(kernel.length, 12);
  header.writeUInt32BE(loadAddress, 16);
  header.writeUInt32BE(loadAddress, 20);
  header.writeUInt32BE(crc32(kernel), 24);
  header.set([osLinux, architectureArm, typeKernel, notCompressed], 28);
  header.write("linux", 32, "latin1");
  // The header's own check sum is taken with its place at zero.
  header.writeUInt32BE(crc32(header), 4);
  return Buffer.concat([header, kernel]);
}
