/**
 * The types of the C module `nound:bus`: devices on I2C and SPI buses. Transfers run on the worker threads, those of
 * one bus one after the other. Meanwhile the loop serves.
 */

export interface BusDevice {
  /** The bus's path, for people. */
  readonly path: string;
  /**
   * Moves bytes in one transfer. On I2C, it sends `write` and then receives `readLength` bytes, without a stop between
   * them. On SPI, it receives as many bytes as it sends, at the same time.
   * @param write at most 8192 bytes.
   * @returns a promise of what came in. It is rejected with an Error whose message is a sentence.
   */
  transfer(write: Uint8Array, readLength: number): Promise<Uint8Array>;
  /** Closes the device. A transfer that has begun is completed. Calling it again has no effect. */
  close(): void;
}

export interface Bus {
  /**
   * @param bus the number N of `/dev/i2c-N`. @param address 0x03 to 0x77.
   * @throws Error with a sentence: no such bus, the address is a kernel driver's and whose, no permission and which
   * group has it.
   */
  openI2c(bus: number, address: number): BusDevice;
  /**
   * @param path such as `/dev/spidev0.0`. @param mode 0 to 3, the clock's polarity and phase. @param speed Hz.
   * @throws Error with a sentence: no such device, a setting that it does not have, no permission and which group has
   * it.
   */
  openSpi(path: string, mode: number, speed: number, bitsPerWord: number, lsbFirst: boolean): BusDevice;
}
