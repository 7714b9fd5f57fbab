/**
 * QEMU's `sabrelite`: a board whose SPI controller does plain transfers. A flash memory is on it, behind which is a
 * file of the host's.
 *
 *     /dev/spidev0.0, once spidev has the flash
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "../../harness/top.ts";
import type { Board, Pins } from "./board.ts";

/** The flash of the board: SST25VF016B, of 2 MB. */
export const flashFile = join(top, "build/board/sabrelite.flash");
const flashBytes = 2 * 1024 * 1024;

/** The board's pins are not reached from outside. */
export const sabrelite: Board<Pins> = {
  name: "sabrelite",
  machine: ["-M", "sabrelite", "-m", "512", "-drive", `if=mtd,file=${flashFile},format=raw`],
  network: ["-net", "nic,netdev=net"],
  memory: 0x1000_0000,
  console: "ttymxc1",
  serial: ["-serial", "null", "-serial", "stdio"],
  modules: ["fec", "gpio_mxc", "spi_imx", "spidev", "evdev"],
  deviceTree: { packaged: "imx6q-sabrelite.dtb" },
  prepare() {
    writeFileSync(flashFile, Buffer.alloc(flashBytes, 0xff));
  },
  async pins() {
    const none = () => Promise.reject(new Error("The pins of this board are not reached from outside."));
    return { drive: none, voltage: none };
  },
};
