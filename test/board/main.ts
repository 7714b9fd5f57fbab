/**
 * Runs a program for ARMv7 on an emulated board: `npm run board -- [--port PORT] PROGRAM [ARGUMENT...]`.
 *
 * What the program serves on port 8080 of the board is on that port of this machine's loopback interface, or on PORT;
 * each change of a pin is told in a line, and a line such as `GPIO27 1` puts a voltage on a pin. Ctrl-C ends both.
 */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../harness/address.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import { bootFiles, compileGuest, prepareBoard } from "./harness/boot-files.ts";
import { desk, lineNames } from "./harness/desk.ts";
import { Emulator } from "./harness/emulator.ts";
import { Guest, type GuestProcess } from "./harness/guest.ts";
import { initramfs } from "./harness/initramfs.ts";
import { kernelPackage } from "./harness/kernel-package.ts";
import type { VirtPins } from "./harness/virt.ts";

const servedPort = 8080;
const controlPort = 9000;

/** ms between two looks at the pins and at what the program prints. */
const interval = 50;

interface Options {
  readonly port: number;
  readonly program: string;
  readonly args: readonly string[];
}

function readOptions(words: readonly string[]): Options {
  const [option, value, ...others] = words;
  const [port, [program, ...args]] = option === "--port" ? [Number(value), others] : [servedPort, words];
  if (program === undefined || !(port > 0)) {
    throw new Error("say what to run: npm run board -- ../my-device/build/armv7/my-device");
  }
  return { port, program, args };
}

/**
 * The board's files, with the program in its first file system: the kernel unpacks both archives, one after the other.
 */
function filesWith(program: string, folder: string) {
  const path = join(folder, "initramfs");
  const own = initramfs([{ path: "application", content: readFileSync(program), executable: true }]);
  writeFileSync(path, Buffer.concat([readFileSync(bootFiles(desk).initramfs), own]));
  return { ...bootFiles(desk), initramfs: path };
}

function prepare(): void {
  const init = compileGuest();
  installHostPackages(undefined, "The emulated board");
  prepareBoard(desk, kernelPackage(), init);
}

/** Tells of what the program prints and of the pins, until it ends. @returns how it ended. */
async function tell(application: GuestProcess, pins: VirtPins): Promise<string> {
  let printed = 0;
  let ending: string | undefined;
  const ended = application.ended.then((end) => {
    ending = end.ending;
  });
  do {
    await Promise.race([delay(interval), ended]);
    process.stderr.write(application.output.slice(printed));
    printed = application.output.length;
    for (const [offset, name] of lineNames.entries()) {
      const change = name === "" ? undefined : (await pins.changes(offset)).at(-1);
      if (change !== undefined) console.log(`board: ${name} is ${change.level}`);
    }
  } while (ending === undefined);
  return ending;
}

/** Puts voltages on pins as lines of standard input say: `GPIO27 1`. @returns what ends it. */
function obey(pins: VirtPins): () => void {
  const names = lineNames.filter((name) => name !== "");
  const lines = createInterface({ input: process.stdin }).on("line", (line) => {
    const [name = "", voltage] = line.trim().split(/\s+/);
    const offset = (lineNames as readonly string[]).indexOf(name);
    if (name === "" || offset < 0 || (voltage !== "0" && voltage !== "1")) {
      console.log(`board: type a line and a voltage, such as GPIO27 1; the lines are ${names.join(", ")}`);
      return;
    }
    void pins.drive(offset, voltage === "1" ? 1 : 0).then(() => console.log(`board: ${name} is driven to ${voltage}`));
  });
  return () => lines.close();
}

/** A port nobody listens on, other than the one to serve on. */
async function freeControlPort(served: number): Promise<number> {
  const port = await freePort();
  return port === served ? await freePort() : port;
}

async function run({ port, program, args }: Options, folder: string): Promise<number> {
  const files = filesWith(program, folder);
  const control = await freeControlPort(port);
  const emulator = await Emulator.start(desk, files, folder, [
    [port, servedPort],
    [control, controlPort],
  ]);
  let stopObeying = () => {};
  try {
    const pins = await desk.pins(emulator.qmp, emulator.qtest);
    await emulator.boot();
    stopObeying = obey(pins);
    const guest = new Guest(control);
    const application = await guest.run("/application", ...args);
    console.log(
      `board: ${program} runs; its port ${servedPort} is http://127.0.0.1:${port}. Type GPIO27 1 to drive a ` +
        `line; Ctrl-C ends it.`,
    );
    const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]).then(() => "switched off");
    // A terminal's Ctrl-C ends the emulator as well: what it cuts off is of no interest any more. A turn of the loop
    // that finds both finds the emulator's end first.
    const told = tell(application, pins).catch(async (error: unknown) => {
      await Promise.race([interrupted, delay(interval)]);
      throw error;
    });
    const ending = await Promise.race([interrupted, told]);
    console.log(`board: ${ending}`);
    return ending.startsWith("exit ") && ending !== "exit 0" ? 1 : 0;
  } finally {
    stopObeying();
    await emulator.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), "nound-desk-"));
try {
  const options = readOptions(process.argv.slice(2));
  prepare();
  process.exitCode = await run(options, folder);
} catch (error) {
  console.error(`board: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
