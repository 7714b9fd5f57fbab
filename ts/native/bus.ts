/**
 * The types of the C module `nound:bus`: devices on I2C and SPI buses. Transfers run on the worker threads, those of one bus one after the
 * other; the loop serves meanwhile.
 */

/** An open device. */
export interface BusDevice {
  /** The bus's path, for people. */
  readonly path: string;
  /**
   * Moves bytes in one piece. On I2C `write` goes out and then `readLength` bytes come in, with no stop between them; on SPI as many come in
   * as go out, at once.
   * @param write at most 8192 bytes.
   * @returns a promise of what came in. It is broken with an Error with a sentence.
   */
  transfer(write: Uint8Array, readLength: number): Promise<Uint8Array>;
  /** Closes; what is under way ends by itself. Calling it again has no effect. */
  close(): void;
}

/** The functions of `nound:bus`. */
export interface Bus {
  /**
   * @param bus the number N of `/dev/i2c-N`. @param address 0x03 to 0x77.
   * @throws Error with a sentence: no such bus, the address is a kernel driver's and whose, no permission and which group has it.
   */
  openI2c(bus: number, address: number): BusDevice;
  /**
   * @param path such as `/dev/spidev0.0`. @param mode 0 to 3, the clock's polarity and phase. @param speed Hz.
   * @throws Error with a sentence: no such device, a setting that it does not have, no permission and which group has it.
   */
  openSpi(path: string, mode: number, speed: number, bitsPerWord: number, lsbFirst: boolean): BusDevice;
}
