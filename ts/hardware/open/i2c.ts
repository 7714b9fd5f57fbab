/** Devices on an I2C bus, for applications. */

import { defineNoun } from "../../core/noun/define-noun.ts";
import type { BusDevice } from "../../native/bus.ts";
import type { SimulatedI2cDevice } from "../../native/simulated/bus.ts";
import { opening } from "../../platform/reach.ts";
import { addSource } from "../../platform/simulated-sources.ts";
import { buses, simulatedBus } from "./buses.ts";
import { bytesOf, hexOf } from "./hexadecimal.ts";

/**
 * An open I2C device. Transfers on one bus run one after the other, in the order of the calls. Meanwhile the server
 * serves other requests. If a transfer fails, its promise is rejected with an Error whose message is a sentence: no
 * device answers at the address, the bus is blocked, or another master uses it.
 *
 * @example
 * const sensor = openI2c(1, 0x48);
 * const celsius = (await sensor.readRegister16(0)) / 256;
 */
export class I2cDevice {
  private readonly device: BusDevice;

  /** @internal */
  constructor(device: BusDevice) {
    this.device = device;
  }

  /**
   * Writes bytes and then reads bytes, as one transfer: no other master gets the bus in between.
   * @param write the bytes to write, at most 8192. An empty array only reads.
   * @param readLength how many bytes to read, at most 8192. 0 only writes.
   * @returns the bytes that were read.
   */
  async transfer(write: Uint8Array, readLength: number): Promise<Uint8Array> {
    return await this.device.transfer(write, readLength);
  }

  /** Reads bytes. @param length how many, at most 8192. */
  async read(length: number): Promise<Uint8Array> {
    return await this.device.transfer(new Uint8Array(0), length);
  }

  /** Writes bytes. @param bytes at most 8192. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.device.transfer(bytes, 0);
  }

  /** @returns the byte in a register, 0 to 255. */
  async readRegister8(register: number): Promise<number> {
    const [byte = 0] = await this.device.transfer(Uint8Array.of(register), 1);
    return byte;
  }

  /**
   * @param order which byte comes first. `big` is the high one, as most devices send it.
   * @returns the 16 bits in a register, 0 to 65535.
   */
  async readRegister16(register: number, order: "big" | "little" = "big"): Promise<number> {
    const [first = 0, second = 0] = await this.device.transfer(Uint8Array.of(register), 2);
    return order === "big" ? first * 256 + second : second * 256 + first;
  }

  /** Writes a byte into a register. */
  async writeRegister8(register: number, value: number): Promise<void> {
    await this.write(Uint8Array.of(register, value));
  }

  /** Writes 16 bits into a register. @param order as `readRegister16`. */
  async writeRegister16(register: number, value: number, order: "big" | "little" = "big"): Promise<void> {
    const [high, low] = [value >> 8, value & 0xff];
    await this.write(order === "big" ? Uint8Array.of(register, high, low) : Uint8Array.of(register, low, high));
  }

  /** Closes the device. A transfer that has begun is completed. Calling it again has no effect. */
  close(): void {
    this.device.close();
  }
}

/** Makes the noun that simulates the device: clients set and read its registers. */
function simulateDevice(device: SimulatedI2cDevice, name: string): void {
  let register = 0;
  const noun = defineNoun({
    shape: {
      register: { type: "integer", minimum: 0, maximum: 255, description: "Which register is shown and set." },
      bytes: { type: "string", description: "What the register holds, in hexadecimal digits." },
      absent: { type: "boolean", description: "Whether no device answers." },
    },
    default: { register: 0, bytes: "00", absent: false },
    get: () => ({
      register,
      bytes: hexOf(device.registers.get(register) ?? Uint8Array.of(0)),
      absent: device.isAbsent,
    }),
    set(state) {
      const bytes = bytesOf(state.bytes);
      register = state.register;
      device.registers.set(register, bytes);
      device.isAbsent = state.absent;
    },
  });
  addSource(name, noun);
}

/**
 * Opens a device on an I2C bus. On simulated hardware, a noun such as `simulated.i2c-1-48` (bus 1, address 0x48) shows
 * and sets the device's registers.
 * @param bus the number N of `/dev/i2c-N`.
 * @param address 0x03 to 0x77.
 * @throws Error with a sentence: there is no such bus (it lists the buses), a kernel driver uses the address (it names
 *   the driver), or the user lacks the permission (it names the group that has it). RangeError for an address outside
 *   the range.
 *
 * @example
 * const expander = openI2c(1, 0x20);
 * await expander.writeRegister8(0x14, 0b1010_0000);
 */
export function openI2c(bus: number, address: number): I2cDevice {
  const device = new I2cDevice(opening(`/dev/i2c-${bus}`, () => buses.openI2c(bus, address)));
  if (simulatedBus !== undefined) {
    simulateDevice(simulatedBus.i2cDevice(bus, address), `i2c-${bus}-${address.toString(16)}`);
  }
  return device;
}
