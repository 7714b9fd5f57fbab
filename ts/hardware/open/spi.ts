/** Devices on a SPI bus, for applications. */

import { defineNoun } from "../../core/noun/define-noun.ts";
import type { BusDevice } from "../../native/bus.ts";
import type { SimulatedSpiDevice } from "../../native/simulated/bus.ts";
import { opening } from "../../platform/reach.ts";
import { addSource } from "../../platform/simulated-sources.ts";
import { buses, simulatedBus } from "./buses.ts";
import { bytesOf, hexOf } from "./hexadecimal.ts";

/**
 * The settings of the transfers.
 *
 * @example
 * const options: SpiOptions = { speed: 1_000_000, mode: 3 };
 * const converter = openSpi("/dev/spidev0.0", options);
 */
export interface SpiOptions {
  /** The fastest clock, in Hz. */
  readonly speed: number;
  /** The clock's polarity and phase; 0 if left out. */
  readonly mode?: 0 | 1 | 2 | 3;
  /** Bits of a word; 8 if left out. */
  readonly bitsPerWord?: number;
  /** True when the lowest bit comes first. */
  readonly lsbFirst?: boolean;
}

/**
 * An open SPI device. Its transfers run one after the other, in the order of the calls. Meanwhile the server serves
 * other requests.
 *
 * @example
 * const flash = openSpi("/dev/spidev0.0", { speed: 10_000_000 });
 * const [, maker, type, size] = await flash.transfer(Uint8Array.of(0x9f, 0, 0, 0));
 */
export class SpiDevice {
  private readonly device: BusDevice;

  /** @internal */
  constructor(device: BusDevice) {
    this.device = device;
  }

  /**
   * Sends bytes while the device is selected, and receives as many bytes.
   * @param bytes 1 to 8192; the kernel's spidev accepts 4096 unless it is configured otherwise.
   * @returns the bytes received meanwhile.
   * @throws Error with a sentence (a rejected promise).
   */
  async transfer(bytes: Uint8Array): Promise<Uint8Array> {
    return await this.device.transfer(bytes, bytes.length);
  }

  /** Closes the device. A transfer that has begun is completed. Calling it again has no effect. */
  close(): void {
    this.device.close();
  }
}

/** Makes the noun that simulates the device. */
function simulateDevice(device: SimulatedSpiDevice, name: string): void {
  let answer = new Uint8Array(0);
  device.onTransfer = () => answer;
  const noun = defineNoun({
    shape: {
      answer: { type: "string", description: "What the device sends with each transfer, in hexadecimal digits." },
      sent: { type: "string", readOnly: true, description: "What the program sent last, in hexadecimal digits." },
    },
    default: { answer: "" },
    get: () => ({ answer: hexOf(answer), sent: hexOf(device.sent) }),
    set: (state) => {
      answer = bytesOf(state.answer);
    },
  });
  addSource(name, noun);
}

/**
 * Opens a device on a SPI bus. On simulated hardware, a noun is the other end: `simulated.spidev0.0` for
 * `/dev/spidev0.0`.
 * @param path such as `/dev/spidev0.0`.
 * @throws Error with a sentence: there is no such device (it lists the devices), the device does not have the setting,
 *   or the user lacks the permission (it names the group that has it).
 *
 * @example
 * const shiftRegister = openSpi("/dev/spidev0.0", { speed: 1_000_000 });
 * await shiftRegister.transfer(Uint8Array.of(0b0000_0101));
 */
export function openSpi(path: string, options: SpiOptions): SpiDevice {
  const { speed, mode = 0, bitsPerWord = 8, lsbFirst = false } = options;
  const device = new SpiDevice(opening(path, () => buses.openSpi(path, mode, speed, bitsPerWord, lsbFirst)));
  if (simulatedBus !== undefined) simulateDevice(simulatedBus.spiDevice(path), path.replace(/^\/dev\//, ""));
  return device;
}
