/**
 * The types of the C module `nound:serial`: serial devices (termios(3)) on the event loop.
 *
 * C moves the bytes and looks at none of them: both ways a string has one character a byte (0x00 to 0xFF). The device
 * is raw: nothing is echoed, translated, or held back until a line is complete. Nothing here blocks.
 */

/** What a serial port reports, each call from the loop. A handler may call any method of its port, `close` included. */
export interface SerialHandler {
  /** Bytes that arrived, one character a byte; at most 4 KiB, never empty. */
  onBytes(bytes: string): void;
  /** The kernel has accepted everything that waited after a `write` returned false. */
  onDrain(): void;
  /** The device is gone: unplugged, or the pseudoterminal's other end closed. The port is closed: the last call. */
  onGone(): void;
}

/**
 * The settings of a serial line.
 *
 * @example
 * const options: SerialOptions = { baudRate: 19_200, parity: "even" };
 * const meter = openSerial("/dev/ttyUSB0", options);
 */
export interface SerialOptions {
  /** Bits a second, both ways; one of the rates that termios(3) has, such as 9600 or 115200. */
  readonly baudRate: number;
  /** Bits of a character; 8 if left out. */
  readonly dataBits?: 5 | 6 | 7 | 8;
  /** The bit beside the data bits that makes their sum even or odd; none if left out. */
  readonly parity?: "none" | "even" | "odd";
  /** Bits after a character; 1 if left out. */
  readonly stopBits?: 1 | 2;
  /** With `hardware`, each end pauses the other by RTS and CTS. None if left out. */
  readonly flowControl?: "none" | "hardware";
  /** Whether the kernel switches an RS-485 driver to sending by RTS; false if left out. Few drivers can. */
  readonly rs485?: boolean;
}

/** The same, with all settings given. */
export type SerialSettings = Required<Omit<SerialOptions, "rs485">> & Pick<SerialOptions, "rs485">;

/** An open serial device. Other programs cannot open it meanwhile (TIOCEXCL). */
export interface SerialPort {
  /** The device's path, for people. */
  readonly path: string;
  /** The receiver of events; reading begins once it is set. */
  handler: SerialHandler | null;
  /**
   * Sends bytes. The port keeps what the kernel does not accept at once, and sends it later.
   * @param bytes one character a byte.
   * @returns true when nothing waits; false when bytes wait, and `onDrain` will follow. True, without effect, on a
   * closed port.
   * @throws RangeError for a character beyond 0xFF: text is to be encoded first.
   */
  write(bytes: string): boolean;
  /** Closes at once and discards what was not sent. No event follows. Calling it again has no effect. */
  close(): void;
}

export interface Serial {
  /**
   * @param path the device's path, such as `/dev/ttyS1`.
   * @throws Error with a sentence for people: no such device, none that is serial, held by another program, no
   *   permission, a rate that it does not have.
   */
  openPort(path: string, settings: SerialSettings): SerialPort;
}
