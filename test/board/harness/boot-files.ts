/**
 * Makes what a board starts from, under build/board: the kernel, the device tree, the first file system with nound in
 * it.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "../../harness/top.ts";
import type { Board } from "./board.ts";
import { DeviceTree } from "./device-tree.ts";
import type { BootFiles } from "./emulator.ts";
import { type ArchiveFile, initramfs } from "./initramfs.ts";
import { textOffset, uImage } from "./kernel-image.ts";
import { modulesInOrder } from "./kernel-modules.ts";
import type { KernelPackage } from "./kernel-package.ts";

const folder = join(top, "build/board");
const armBuild = join(top, "build/armv7");
const guestSources = join(top, "test/board/guest");

/** The files of a board that was prepared. */
export function bootFiles({ name }: Board): BootFiles {
  const path = (kind: string) => join(folder, `${name}.${kind}`);
  return { kernel: path("kernel"), initramfs: path("initramfs"), deviceTree: path("dtb") };
}

/** Compiles the guest's first process. @returns the program. @throws Error when nound was not built for the board. */
export function compileGuest(): Buffer {
  const compiler = join(armBuild, "zig/cc");
  if (!existsSync(compiler) || !existsSync(join(armBuild, "nound"))) {
    throw new Error(
      "nound is not built for the board: run `npm run build -- armv7`, or the whole `npm run test:board`.",
    );
  }
  mkdirSync(folder, { recursive: true });
  const program = join(folder, "init");
  const options = ["-std=c11", "-D_GNU_SOURCE", "-Os", "-static", "-s", "-Wall", "-Wextra", "-Werror"];
  const sources = ["init.c", "control.c"].map((name) => join(guestSources, name));
  execFileSync(compiler, [...options, "-fno-sanitize=all", ...sources, "-o", program], { stdio: "inherit" });
  return readFileSync(program);
}

function archive(board: Board, kernel: KernelPackage, init: Buffer): Buffer {
  const modules = [...modulesInOrder(kernel.modules, board.modules), ...(board.ownModules?.(kernel) ?? [])];
  const order = modules.map(({ name }) => `${name}\n`).join("");
  const files: ArchiveFile[] = [
    { path: "init", content: init, executable: true },
    ...["nound", "nound-runtime"]
      .filter((name) => existsSync(join(armBuild, name)))
      .map((name) => ({ path: name, content: readFileSync(join(armBuild, name)), executable: true })),
    { path: "modules/order", content: Buffer.from(order) },
    ...modules.map(({ name, content }) => ({ path: `modules/${name}`, content })),
  ];
  return initramfs(files);
}

function placeDeviceTree(board: Board, kernel: KernelPackage, path: string): void {
  if (board.deviceTree === "dumped") {
    const [, machine = "", ...rest] = board.machine;
    execFileSync("qemu-system-arm", ["-M", `${machine},dumpdtb=${path}`, ...rest, "-nic", "none"], { stdio: "ignore" });
  } else {
    copyFileSync(join(kernel.deviceTrees, board.deviceTree.packaged), path);
  }
  board.prepare(new DeviceTree(path));
}

/** Makes a board's files again, which takes a second or two. */
export function prepareBoard(board: Board, kernel: KernelPackage, init: Buffer): void {
  const files = bootFiles(board);
  const loadAddress = board.memory + textOffset(readFileSync(kernel.configuration, "utf8"));
  writeFileSync(files.kernel, uImage(readFileSync(kernel.zImage), loadAddress));
  writeFileSync(files.initramfs, archive(board, kernel, init));
  placeDeviceTree(board, kernel, files.deviceTree);
}
