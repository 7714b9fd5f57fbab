/** A pseudoterminal (pty(7)): a serial device whose other end the test has. Python opens it, as Node cannot. */
import { type ChildProcess, spawn } from "node:child_process";
import { eventually } from "./eventually.ts";

const script = `
import fcntl, os, pty, sys, termios, threading, time, tty
master, slave = pty.openpty()
tty.setraw(slave)
print(os.ttyname(slave), flush=True)
def up():
    while True:
        try:
            bytes = os.read(master, 65536)
        except OSError:
            continue
        sys.stdout.buffer.write(bytes)
        sys.stdout.buffer.flush()
# A serial device forgets TIOCEXCL when it is closed; this one is open here.
def forget():
    while True:
        fcntl.ioctl(slave, termios.TIOCNXCL)
        time.sleep(0.05)
if "forget" in sys.argv:
    threading.Thread(target=forget, daemon=True).start()
os.read(0, 1)
threading.Thread(target=up, daemon=True).start()
while True:
    bytes = os.read(0, 65536)
    if not bytes:
        os._exit(0)
    os.write(master, bytes)
`;

export class Pseudoterminal {
  /** The device's path. */
  readonly path: string;
  readonly #child: ChildProcess;
  readonly #received: Buffer[];
  #reading = false;

  private constructor(path: string, child: ChildProcess, received: Buffer[]) {
    this.path = path;
    this.#child = child;
    this.#received = received;
  }

  /** Opens one; the process prints its path first. @param how "forget": it is free after a program has crashed. */
  static async open(...how: readonly "forget"[]): Promise<Pseudoterminal> {
    const child = spawn("/usr/bin/python3", ["-c", script, ...how], { stdio: ["pipe", "pipe", "inherit"] });
    const received: Buffer[] = [];
    child.stdout?.on("data", (bytes: Buffer) => received.push(bytes));
    await eventually("the pseudoterminal is open", () => Buffer.concat(received).includes("\n"));
    const path = Buffer.concat(received).toString().trim();
    received.length = 0;
    return new Pseudoterminal(path, child, received);
  }

  /**
   * What came from the program so far. The first call begins to read: until then the kernel's buffer holds the program
   * back.
   */
  get received(): Buffer {
    if (!this.#reading) this.#child.stdin?.write("\n");
    this.#reading = true;
    return Buffer.concat(this.#received);
  }

  /** Has a function called with what comes from the program, from now on. */
  set onReceived(take: (bytes: Buffer) => void) {
    void this.received;
    this.#child.stdout?.on("data", take);
  }

  /** Sends bytes to the program. */
  send(bytes: string | Uint8Array): void {
    void this.received;
    this.#child.stdin?.write(bytes);
  }

  /** Pulls the plug. */
  unplug(): void {
    this.#child.kill("SIGKILL");
  }
}
