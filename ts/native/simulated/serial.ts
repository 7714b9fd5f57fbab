/**
 * The simulated twin of `nound:serial`: serial lines without a device. A test is the other end of each.
 *
 *     const serial = new SimulatedSerial();
 *     const port = serial.openPort("/dev/ttyS1", settings);
 *     const line = serial.line("/dev/ttyS1");
 *     port.write("T?\r\n");
 *     line.take(); // "T?\r\n"
 *     line.send("21.5\r\n");
 */
import type { Serial, SerialHandler, SerialOptions, SerialPort, SerialSettings } from "../serial.ts";

/**
 * The other end of a serial line. It stays when the port is closed.
 *
 * @example
 * const sensor: SimulatedSerialLine = serialLine("/dev/ttyS1");
 * sensor.send("21.5\n");
 * expect(sensor.take()).toBe("T?\n");
 */
export class SimulatedSerialLine {
  /** What the port was opened with, while it is open. */
  settings: SerialOptions | undefined;
  /** Called with the bytes that the program sends. */
  onBytes: ((bytes: string) => void) | undefined;
  private port: SerialPort | undefined;
  private received = "";
  private outgoing = "";

  /** @returns what the program has sent since the last call, one character a byte. */
  take(): string {
    const bytes = this.received;
    this.received = "";
    return bytes;
  }

  /** Sends bytes to the program, one character a byte; they wait until it listens. */
  send(bytes: string): void {
    this.outgoing += bytes;
    this.deliver();
  }

  /** Pulls the plug. */
  unplug(): void {
    const handler = this.port?.handler;
    this.port?.close();
    handler?.onGone();
  }

  /** @internal Opens the program's end. @throws Error when it is open. */
  open(path: string, settings: SerialSettings): SerialPort {
    if (this.port !== undefined) throw new Error(`cannot open ${path}: another program has it`);
    this.settings = settings;
    const line = this;
    let handler: SerialHandler | null = null;
    const port: SerialPort = {
      path,
      get handler() {
        return handler;
      },
      set handler(listener) {
        handler = listener;
        line.deliver();
      },
      write(bytes) {
        if (/[^\0-\xff]/.test(bytes)) throw new RangeError("bytes to send have one character each, from 0x00 to 0xFF");
        if (line.port === port) line.receive(bytes);
        return true;
      },
      close() {
        if (line.port !== port) return;
        handler = null;
        line.port = undefined;
        line.settings = undefined;
      },
    };
    this.port = port;
    return port;
  }

  private receive(bytes: string): void {
    this.received += bytes;
    this.onBytes?.(bytes);
  }

  /** Hands what waits to the program, if it listens. */
  private deliver(): void {
    // Checked for each piece: the handler of one piece may close the port.
    while (this.outgoing !== "" && this.port?.handler) {
      const bytes = this.outgoing.slice(0, 4_096);
      this.outgoing = this.outgoing.slice(bytes.length);
      this.port.handler.onBytes(bytes);
    }
  }
}

export class SimulatedSerial implements Serial {
  private readonly lines = new Map<string, SimulatedSerialLine>();

  /** @returns the other end of a device, the same for each call with the same path. */
  line(path: string): SimulatedSerialLine {
    const line = this.lines.get(path) ?? new SimulatedSerialLine();
    this.lines.set(path, line);
    return line;
  }

  openPort(path: string, settings: SerialSettings): SerialPort {
    return this.line(path).open(path, settings);
  }
}
