/** I2C and SPI devices as an application and its tests have them. */
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { openI2c } from "../../../ts/hardware/open/i2c.ts";
import { openSpi } from "../../../ts/hardware/open/spi.ts";
import { i2cDevice, spiDevice } from "../../../ts/program/testing/device-outside.ts";
import { reset } from "../../../ts/program/testing/test-program.ts";

beforeEach(reset);

const byte = fc.integer({ min: 0, max: 255 });
const word = fc.integer({ min: 0, max: 65_535 });

describe("an I2C device", () => {
  test("a register of 8 bits holds what was written into it", async () => {
    const device = openI2c(1, 0x20);
    await fc.assert(
      fc.asyncProperty(byte, byte, async (register, value) => {
        await device.writeRegister8(register, value);
        expect(await device.readRegister8(register)).toBe(value);
      }),
    );
  });

  test("a register of 16 bits holds what was written into it, in either order", async () => {
    const device = openI2c(1, 0x48);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(3),
        word,
        fc.constantFrom("big" as const, "little" as const),
        async (at, value, order) => {
          i2cDevice(1, 0x48).registers.set(at, new Uint8Array(2));
          await device.writeRegister16(at, value, order);
          expect(await device.readRegister16(at, order)).toBe(value);
          const [high, low] = [value >> 8, value & 255];
          expect([...(i2cDevice(1, 0x48).registers.get(at) ?? [])]).toEqual(
            order === "big" ? [high, low] : [low, high],
          );
        },
      ),
    );
  });

  test("a reading goes on into the following registers, a later one without a register where it began", async () => {
    const device = openI2c(1, 0x20);
    i2cDevice(1, 0x20).registers.set(3, Uint8Array.of(0xab, 0xcd));
    i2cDevice(1, 0x20).registers.set(4, Uint8Array.of(0xef));
    expect([...(await device.transfer(Uint8Array.of(3), 4))]).toEqual([0xab, 0xcd, 0xef, 0]);
    expect([...(await device.read(2))]).toEqual([0xab, 0xcd]);
  });

  test("one that does not answer breaks the promise with a sentence", async () => {
    const device = openI2c(1, 0x48);
    i2cDevice(1, 0x48).isAbsent = true;
    await expect(device.readRegister8(0)).rejects.toThrow("address 0x48 of /dev/i2c-1: no device answers there");
  });

  test("a closed device, an address and a length that there cannot be are refused", async () => {
    const device = openI2c(1, 0x48);
    await expect(device.transfer(new Uint8Array(0), 0)).rejects.toThrow("a transfer moves 1 to 8192 bytes each way");
    await expect(device.read(8_193)).rejects.toThrow("a transfer moves 1 to 8192 bytes each way");
    device.close();
    await expect(device.read(1)).rejects.toThrow("/dev/i2c-1 is closed");
    expect(() => openI2c(1, 0x80)).toThrow("an I2C device has an address from 0x03 to 0x77");
  });

  test("a function may take the registers' place", async () => {
    i2cDevice(0, 0x50).onTransfer = (write, length) => Uint8Array.from({ length }, () => write.length);
    expect([...(await openI2c(0, 0x50).transfer(Uint8Array.of(1, 2, 3), 2))]).toEqual([3, 3]);
  });
});

describe("a SPI device", () => {
  const options = { speed: 1_000_000 };

  test("receives what is sent, and sends as many bytes as it receives", async () => {
    const device = openSpi("/dev/spidev0.0", options);
    spiDevice("/dev/spidev0.0").onTransfer = (write) =>
      write[0] === 0x9f ? Uint8Array.of(0, 0xbf, 0x25, 0x41, 7) : write;
    expect([...(await device.transfer(Uint8Array.of(0x9f, 0, 0, 0)))]).toEqual([0, 0xbf, 0x25, 0x41]);
    expect([...spiDevice("/dev/spidev0.0").sent]).toEqual([0x9f, 0, 0, 0]);
  });

  test("without a function it sends zeros; a mode that there cannot be is refused", async () => {
    expect([...(await openSpi("/dev/spidev0.1", options).transfer(Uint8Array.of(1, 2)))]).toEqual([0, 0]);
    expect(() => openSpi("/dev/spidev0.1", { ...options, mode: 4 as 3 })).toThrow("a mode of SPI is 0, 1, 2 or 3");
  });
});
