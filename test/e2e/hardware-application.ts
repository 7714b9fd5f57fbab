/**
 * A program for the tests, compiled into `nound-hardware`: it calls the C modules of hardware and storage as its
 * command line says, and prints a line of JSON for each call.
 *
 *     nound-hardware '["storage","openStore","/tmp/states"]' '[0,"write","led","on"]' '[0,"read","led"]'
 *     {"opened":0}
 *     {"returned":null}
 *     {"returned":"on"}
 *
 * A call is a module or the number of the call that opened an object, a function or property, and arguments. What is
 * thrown is printed as `{"thrown":SENTENCE}`. A promise is waited for. Bytes are an object `{"bytes":HEXADECIMAL}`.
 * What is to be called back is nothing. `["wait",MS]` waits; `[N,"watch"]` prints the edges of line N from then on.
 */
import * as bus from "nound:bus";
import * as files from "nound:files";
import * as gpio from "nound:gpio";
import * as loop from "nound:loop";
import * as net from "nound:net";
import * as privileges from "nound:privileges";
import * as storage from "nound:storage";
import * as sysfs from "nound:sysfs";
import * as system from "nound:system";
// Makes the sentences of what is thrown.
import "../../ts/platform/platform.ts";
import type { Line } from "../../ts/native/gpio.ts";

type Call = readonly [target: string | number, member: string | number, ...args: unknown[]];
type Target = Record<string, unknown>;

const modules: Record<string, object> = { bus, files, gpio, net, privileges, storage, sysfs, system };
const opened: (object | undefined)[] = [];

function print(result: object): void {
  system.printOutput(`${JSON.stringify(result)}\n`);
}

/** Bytes as JSON has them, and back. */
function toBytes(value: unknown): unknown {
  const hex = (value as { readonly bytes?: unknown } | null)?.bytes;
  if (typeof hex !== "string") return value;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): { readonly bytes: string } {
  return { bytes: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

async function perform(index: number, [target, member, ...rest]: Call): Promise<void> {
  const args = rest.map(toBytes);
  const object = typeof target === "number" ? opened[target] : modules[target];
  if (object === undefined) {
    throw new Error(`there is no ${target}`);
  }
  if (member === "watch") {
    (object as Line).onEdge = (edge) => print({ edge });
    print({ returned: null });
    return;
  }
  if (object === net) {
    args.push(() => {});
  }
  const value = (object as Target)[member];
  const result = await (typeof value === "function" ? value.apply(object, args) : value);
  if (result instanceof Uint8Array) {
    print({ returned: toHex(result) });
  } else if (typeof result === "object" && result !== null && !Array.isArray(result)) {
    opened[index] = result;
    print({ opened: index });
  } else {
    print({ returned: result ?? null });
  }
}

async function run(index: number): Promise<void> {
  const text = system.args[index];
  if (text === undefined) {
    loop.exit(0);
    return;
  }
  const call = JSON.parse(text) as Call;
  if (call[0] === "wait") {
    loop.setTimer(() => void run(index + 1), Number(call[1]));
    return;
  }
  try {
    await perform(index, call);
  } catch (error) {
    print({ thrown: error instanceof Error ? error.message : String(error) });
  }
  await run(index + 1);
}

void run(0);
