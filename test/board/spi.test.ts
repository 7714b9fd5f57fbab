/** A flash memory on the SPI bus of a board, spoken to by openSpi; a file of the host's is behind it. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { bundleApplication } from "../harness/bundled-application.ts";
import { eventually } from "../harness/eventually.ts";
import { forAllTests } from "./harness/running-board.ts";
import { flashFile, sabrelite } from "./harness/sabrelite.ts";

const board = forAllTests(sabrelite);
const device = "/sys/bus/spi/devices/spi0.0";

let bundle: string;
beforeAll(async () => {
  bundle = await bundleApplication("test/board/spi-application.ts");
  // The flash belongs to no driver, or to that of flash memories, until spidev gets it.
  await board()
    .guest.write("/sys/bus/spi/drivers/spi-nor/unbind", "spi0.0")
    .catch(() => undefined);
  await board().guest.write(`${device}/driver_override`, "spidev");
  await board().guest.write("/sys/bus/spi/drivers/spidev/bind", "spi0.0");
});

async function start() {
  const nound = await board().startApplication(bundle, "/dev/spidev0.0");
  return {
    async transfer(send: string): Promise<unknown> {
      const { received, error } = (await nound.post("/spi", { send })).state;
      expect(error).toBe("");
      return received;
    },
    nound,
  };
}

test("the flash tells its JEDEC id", async () => {
  const { transfer } = await start();
  expect(await transfer("9f000000")).toMatch(/bf2541$/);
});

test("bytes of the file behind it are read and written", async () => {
  const { transfer } = await start();
  expect(await transfer("03000100000000")).toMatch(/ffffff$/);
  // Write enable; the status register without protection; write enable; a byte at 0x000100, and the next.
  for (const command of ["06", "0100", "06", "02000100a5", "06", "020001015a"]) await transfer(command);
  await eventually(
    "the flash has written",
    async () => Number.parseInt(String(await transfer("0500")).slice(2), 16) % 2 === 0,
  );
  expect(await transfer("03000100000000")).toMatch(/a55aff$/);
  await eventually(
    "the file has the bytes",
    () => readFileSync(flashFile).subarray(0x100, 0x103).toString("hex") === "a55aff",
  );
});

test("a transfer longer than the kernel takes is refused with a sentence, and the next one works", async () => {
  const { transfer, nound } = await start();
  const { error } = (await nound.post("/spi", { send: "00".repeat(4_097) })).state;
  expect(error).toBe(
    "/dev/spidev0.0: the kernel takes fewer than 4097 bytes at once; its parameter spidev.bufsiz says how many",
  );
  expect(await transfer("9f000000")).toMatch(/bf2541$/);
});
