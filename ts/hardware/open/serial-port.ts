/** Serial devices, for applications: bytes as they arrive, or lines that answer lines. */
import * as serial from "nound:serial";
import { defineNoun } from "../../core/noun/define-noun.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { SerialPort as NativePort, SerialOptions } from "../../native/serial.ts";
import { SimulatedSerial, type SimulatedSerialLine } from "../../native/simulated/serial.ts";
import { isSimulated, loop } from "../../platform/platform.ts";
import { opening } from "../../platform/reach.ts";
import { addSource } from "../../platform/simulated-sources.ts";

/** A caller that waits for a line, until an alarm. */
interface Reader {
  readonly alarm: Alarm;
  resolve(line: string): void;
  reject(error: Error): void;
}

/** The largest number of bytes that are kept while nobody reads a line. Beyond it, the oldest are dropped. */
const keptBytes = 4_096;

/**
 * An open serial device. Bytes are strings with one character a byte, 0x00 to 0xFF: to send other text than ASCII,
 * encode it first.
 *
 * @example
 * const sensor = openSerial("/dev/ttyS1", { baudRate: 9_600 });
 * const celsius = Number(await sensor.ask("T?\n", 500));
 */
export class SerialPort {
  /** Called with the bytes that arrive. While it is set, `readLine` gets none of them. */
  onBytes: ((bytes: string) => void) | undefined;
  /**
   * Called once when the device is gone, such as unplugged. The port is closed. Open a new one to try again. A device
   * that comes back has another file, so after `restrict` its folder must be in the reach.
   */
  onGone: (() => void) | undefined;
  private readonly port: NativePort;
  private isOpen = true;
  private kept = "";
  private reader: Reader | undefined;
  private drained: (() => void)[] = [];

  /** @internal */
  constructor(port: NativePort) {
    this.port = port;
    port.handler = {
      onBytes: (bytes) => this.receive(bytes),
      onDrain: () => this.tellDrained(),
      onGone: () => {
        this.isOpen = false;
        this.tellDrained();
        this.end(new Error(`${port.path} is gone`));
        this.onGone?.();
      },
    };
  }

  /**
   * Sends bytes. The port keeps them until the device accepts them.
   * @returns a promise that resolves when the kernel has accepted all bytes, or the port is closed.
   * @throws RangeError for a character beyond 0xFF.
   */
  write(bytes: string): Promise<void> {
    if (!this.isOpen || this.port.write(bytes)) return Promise.resolve();
    return new Promise((resolve) => this.drained.push(resolve));
  }

  /**
   * Waits for a line. The line end, LF with or without CR before it, is left off.
   * @param time ms to wait at most.
   * @throws Error (a rejected promise) when no line comes in time, when the device is gone, or when another call
   * already waits.
   */
  readLine(time: number): Promise<string> {
    const { path } = this.port;
    if (!this.isOpen) return Promise.reject(new Error(`${path} is closed`));
    if (this.reader !== undefined) return Promise.reject(new Error(`another call already waits for a line of ${path}`));
    const line = new Promise<string>((resolve, reject) => {
      const alarm = new Alarm(loop, () => this.end(new Error(`${path} sent no line within ${time} ms`)));
      alarm.set(loop.now() + time);
      this.reader = { alarm, resolve, reject };
    });
    this.tellLine();
    return line;
  }

  /**
   * Sends a question and waits for the line that answers it. Bytes that arrived before are discarded: they do not
   * answer it.
   * @param bytes the question with its line end.
   * @param time ms to wait at most.
   * @throws as `readLine`.
   */
  ask(bytes: string, time: number): Promise<string> {
    this.kept = "";
    const line = this.readLine(time);
    void this.write(bytes);
    return line;
  }

  /** Closes at once and discards what was not sent. Calling it again has no effect. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.port.close();
    this.end(new Error(`${this.port.path} is closed`));
    this.tellDrained();
  }

  private receive(bytes: string): void {
    if (this.onBytes !== undefined) {
      this.onBytes(bytes);
      return;
    }
    this.kept = (this.kept + bytes).slice(-keptBytes);
    this.tellLine();
  }

  private tellLine(): void {
    const end = this.kept.indexOf("\n");
    if (end < 0 || this.reader === undefined) return;
    const line = this.kept.slice(0, end).replace(/\r$/, "");
    this.kept = this.kept.slice(end + 1);
    this.takeReader()?.resolve(line);
  }

  private tellDrained(): void {
    const { drained } = this;
    this.drained = [];
    for (const resolve of drained) resolve();
  }

  /** Ends the wait for a line. */
  private end(error: Error): void {
    this.takeReader()?.reject(error);
  }

  private takeReader(): Reader | undefined {
    const { reader } = this;
    this.reader = undefined;
    reader?.alarm.stop();
    return reader;
  }
}

/** The serial lines of the simulated device; undefined on a real one. */
const simulatedSerial = isSimulated ? new SimulatedSerial() : undefined;

/** Makes the noun that simulates the device. It answers all that it receives with one line. */
function simulateDevice(line: SimulatedSerialLine, path: string): void {
  let answer = "";
  line.onBytes = () => {
    if (answer !== "") line.send(`${answer}\n`);
  };
  const device = defineNoun({
    shape: {
      answer: {
        type: "string",
        description: "The line that the device answers; it does not answer while this is empty.",
      },
      received: { type: "string", readOnly: true, description: "What the device received since the last read." },
    },
    default: { answer: "" },
    get: () => ({ answer, received: line.take().slice(-keptBytes) }),
    set: (state) => {
      ({ answer } = state);
    },
  });
  addSource(path.replace(/^\/dev\//, ""), device);
}

/**
 * Opens a serial device for this program alone. Bytes pass unchanged. Unless the options say otherwise, a character has
 * eight data bits, no parity and one stop bit, and there is no flow control. On simulated hardware, a noun is the
 * other end: `simulated.ttyusb0` for `/dev/ttyUSB0`.
 * @param path such as `/dev/ttyS1` or `/dev/ttyUSB0`.
 * @throws Error with a sentence: there is no such device, it is not a serial one, another program holds it, the user
 *   lacks the permission, or the device does not have a setting.
 *
 * @example
 * const modem = openSerial("/dev/ttyUSB0", { baudRate: 115_200, flowControl: "hardware" });
 * modem.onBytes = (bytes) => parser.feed(bytes);
 * await modem.write("AT\r");
 */
export function openSerial(path: string, options: SerialOptions): SerialPort {
  const { baudRate, dataBits = 8, parity = "none", stopBits = 1, flowControl = "none", rs485 = false } = options;
  if (simulatedSerial !== undefined) simulateDevice(simulatedSerial.line(path), path);
  const settings = { baudRate, dataBits, parity, stopBits, flowControl, rs485 };
  return new SerialPort(opening(path, () => (simulatedSerial ?? serial).openPort(path, settings)));
}
