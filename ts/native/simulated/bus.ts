/**
 * The simulated `nound:bus`: I2C devices with registers, and SPI devices that are a function.
 *
 *     const bus = new SimulatedBus();
 *     bus.i2cDevice(1, 0x48).registers.set(0, Uint8Array.of(0x19, 0x00));
 *     await bus.openI2c(1, 0x48).transfer(Uint8Array.of(0), 2); // 19 00
 */
import type { Bus, BusDevice } from "../bus.ts";

/**
 * An I2C device. The first written byte selects a register. The bytes after it are stored from that register on, and a
 * read begins there.
 *
 * @example
 * const sensor: SimulatedI2cDevice = i2cDevice(1, 0x48);
 * sensor.registers.set(0, Uint8Array.of(0x19, 0x00));
 */
export class SimulatedI2cDevice {
  /** The contents of each register: one byte or more. A register that is not in this map contains a byte 0. */
  readonly registers = new Map<number, Uint8Array>();
  /** Replaces the registers. It gets the written bytes and the number of bytes to read, and returns that many bytes. */
  onTransfer: ((write: Uint8Array, readLength: number) => Uint8Array) | undefined;
  /** True while no device answers at the address. */
  isAbsent = false;
  private pointer = 0;

  /** What a transfer does. @internal */
  exchange(write: Uint8Array, readLength: number): Uint8Array {
    if (this.onTransfer !== undefined) return this.onTransfer(write, readLength);
    const [register] = write;
    if (register !== undefined) {
      this.pointer = register;
      this.store(write.subarray(1));
    }
    return this.load(readLength);
  }

  private store(bytes: Uint8Array): void {
    let register = this.pointer;
    for (let at = 0; at < bytes.length; register++) {
      const width = this.registers.get(register)?.length ?? 1;
      const held = Uint8Array.from(this.registers.get(register) ?? [0]);
      held.set(bytes.subarray(at, at + width));
      this.registers.set(register, held);
      at += width;
    }
  }

  private load(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let register = this.pointer, at = 0; at < length; register++) {
      const held = this.registers.get(register & 0xff) ?? Uint8Array.of(0);
      bytes.set(held.subarray(0, length - at), at);
      at += held.length;
    }
    return bytes;
  }
}

/**
 * A SPI device. It receives and sends at the same time.
 *
 * @example
 * const flash: SimulatedSpiDevice = spiDevice("/dev/spidev0.0");
 * flash.onTransfer = (write) => (write[0] === 0x9f ? Uint8Array.of(0, 0xbf, 0x25, 0x41) : new
 * Uint8Array(write.length));
 */
export class SimulatedSpiDevice {
  /** What the program sent last. */
  sent: Uint8Array = new Uint8Array(0);
  /** Gets the bytes that the program sends, and returns those that it receives. Missing bytes are 0. */
  onTransfer: ((write: Uint8Array) => Uint8Array) | undefined;

  /** What a transfer does. @internal */
  exchange(write: Uint8Array): Uint8Array {
    this.sent = write;
    const bytes = new Uint8Array(write.length);
    bytes.set((this.onTransfer?.(write) ?? bytes).subarray(0, write.length));
    return bytes;
  }
}

/** Bytes that one transfer moves each way. */
const longest = 8_192;

function open(path: string, exchange: (write: Uint8Array, readLength: number) => Uint8Array): BusDevice {
  let isOpen = true;
  return {
    path,
    async transfer(write, readLength) {
      if (!isOpen) throw new Error(`${path} is closed`);
      const isMoving = write.length > 0 || readLength > 0;
      if (!isMoving || write.length > longest || !(readLength >= 0 && readLength <= longest)) {
        throw new RangeError(`a transfer moves 1 to ${longest} bytes each way`);
      }
      return exchange(Uint8Array.from(write), readLength);
    },
    close() {
      isOpen = false;
    },
  };
}

export class SimulatedBus implements Bus {
  private readonly i2c = new Map<string, SimulatedI2cDevice>();
  private readonly spi = new Map<string, SimulatedSpiDevice>();

  /** @returns the device, the same for each call with the same address. */
  i2cDevice(bus: number, address: number): SimulatedI2cDevice {
    const key = `${bus} ${address}`;
    const device = this.i2c.get(key) ?? new SimulatedI2cDevice();
    this.i2c.set(key, device);
    return device;
  }

  /** @returns the device, the same for each call with the same path. */
  spiDevice(path: string): SimulatedSpiDevice {
    const device = this.spi.get(path) ?? new SimulatedSpiDevice();
    this.spi.set(path, device);
    return device;
  }

  openI2c(bus: number, address: number): BusDevice {
    if (!(address >= 0x03 && address <= 0x77)) {
      throw new RangeError("an I2C device has an address from 0x03 to 0x77");
    }
    const device = this.i2cDevice(bus, address);
    const path = `/dev/i2c-${bus}`;
    return open(path, (write, readLength) => {
      if (device.isAbsent)
        throw new Error(`address 0x${address.toString(16).padStart(2, "0")} of ${path}: no device answers there`);
      return device.exchange(write, readLength);
    });
  }

  openSpi(path: string, mode: number): BusDevice {
    if (![0, 1, 2, 3].includes(mode)) throw new RangeError("a mode of SPI is 0, 1, 2 or 3");
    const device = this.spiDevice(path);
    return open(path, (write) => device.exchange(write));
  }
}
