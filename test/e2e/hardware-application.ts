/**
 * A program for the tests, compiled into `nound-hardware`: it calls the C modules of hardware and storage as its command
 * line says, and prints a line of JSON for each call.
 *
 *     nound-hardware '["storage","openStore","/tmp/states"]' '[0,"write","led","on"]' '[0,"read","led"]'
 *     {"opened":0}
 *     {"returned":null}
 *     {"returned":"on"}
 *
 * A call is a module or the number of the call that opened an object, a function or property, and arguments. What is thrown
 * is printed as `{"thrown":SENTENCE}`. What is to be called back is nothing. `["wait",MS]` waits; `[N,"watch"]` prints the edges of line N from then on.
 */
import * as gpio from "nound:gpio";
import * as loop from "nound:loop";
import * as net from "nound:net";
import * as privileges from "nound:privileges";
import * as storage from "nound:storage";
import * as sysfs from "nound:sysfs";
import * as system from "nound:system";
import type { Line } from "../../ts/native/gpio.ts";

type Call = readonly [target: string | number, member: string | number, ...args: unknown[]];
type Target = Record<string, unknown>;

const modules: Record<string, object> = { gpio, net, privileges, storage, sysfs, system };
const opened: (object | undefined)[] = [];

function print(result: object): void {
  system.printOutput(`${JSON.stringify(result)}\n`);
}

function perform(index: number, [target, member, ...args]: Call): void {
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
  const result = typeof value === "function" ? value.apply(object, args) : value;
  if (typeof result === "object" && result !== null && !Array.isArray(result)) {
    opened[index] = result;
    print({ opened: index });
  } else {
    print({ returned: result ?? null });
  }
}

function run(index: number): void {
  const text = system.args[index];
  if (text === undefined) {
    loop.exit(0);
    return;
  }
  const call = JSON.parse(text) as Call;
  if (call[0] === "wait") {
    loop.setTimer(() => run(index + 1), Number(call[1]));
    return;
  }
  try {
    perform(index, call);
  } catch (error) {
    print({ thrown: error instanceof Error ? error.message : String(error) });
  }
  run(index + 1);
}

run(0);
