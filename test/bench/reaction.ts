/**
 * How long it takes from an edge to the output that follows it, on an emulated ARM board: nound beside a C loop, and
 * beside myGPIOd's action where it was built. `bench -- --reaction`
 *
 * One kernel module makes the edges and notes when the output changes, whichever program is between them.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bootFiles, compileGuest, prepareBoard } from "../board/harness/boot-files.ts";
import { Emulator } from "../board/harness/emulator.ts";
import { Guest, type GuestProcess } from "../board/harness/guest.ts";
import { initramfs } from "../board/harness/initramfs.ts";
import { kernelPackage } from "../board/harness/kernel-package.ts";
import { isServed } from "../board/harness/requests.ts";
import { virtReaction } from "../board/harness/virt-reaction.ts";
import { eventually } from "../harness/eventually.ts";
import { top } from "../harness/top.ts";
import { freePort } from "./running-server.ts";
import { markdownTable } from "./table.ts";
import { findProgram } from "./tools.ts";

const controlPort = 9000;
const nounPort = 8080;
const brokerPort = 1883;
const parameters = "/sys/module/reaction/parameters";
/** Of a row; half of the edges are rising. */
const edges = 200;
const sigterm = 15;

/** Times in ms. */
type Times = readonly number[];

const input = { kind: "gpio-input", line: "EDGE", key: "on" };
const output = { kind: "gpio-output", line: "ACT", key: "on" };
const branch = (name: "then" | "else", on: number) => ({ [name]: { "PUT act": { on } } });
const follow = { kind: "rule", when: { edge: { on: 1 } }, ...branch("then", 1) };
const off = branch("else", 0);

/** nound's configurations. The guard switches off what the rule has switched on. */
const configurations = {
  rule: { nouns: { edge: input, act: output, follow: { ...follow, ...off } } },
  guard: { nouns: { edge: input, act: { ...output, guard: { edge: { on: 1 } } }, follow } },
  plain: { nouns: { edge: input, act: output } },
  broker: {
    nouns: { edge: input, act: output },
    mqtt: { server: `127.0.0.1:${brokerPort}`, id: "board", interval: 0 },
  },
  other: { nouns: { edge: { kind: "switch", key: "on" } } },
} as const;

/** @returns what is missing for this measurement; undefined if nothing is. */
export function missingForReaction(): string | undefined {
  if (!existsSync(join(top, "build/armv7/nound"))) return "nound for the board (npm run build -- armv7)";
  return ["qemu-system-arm", "arm-linux-gnueabihf-gcc"].find((name) => findProgram(name) === undefined);
}

/** Times that the module or the program beside nound prints, in 100 ns. */
function timesOf(text: string): Times {
  return text
    .split(" ")
    .filter((word) => /\d/.test(word))
    .map((word) => Number(word) / 10_000);
}

/** The part of the times that is not longer. */
function percentile(times: Times, part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/** A board with what runs on it at the moment. */
class ReactionBoard {
  readonly #guest: Guest;
  readonly #served: number;
  readonly #running: GuestProcess[] = [];

  /** @param served the port of this machine that is the board's nounPort. */
  constructor(guest: Guest, served: number) {
    this.#guest = guest;
    this.#served = served;
  }

  /** Runs a program until `end`, and waits until it prints a word. */
  async run(ready: string | undefined, program: string, ...args: readonly string[]): Promise<GuestProcess> {
    const started = await this.#guest.run(program, ...args);
    this.#running.push(started);
    let ending = "";
    const end = ({ ending: how, output }: { ending: string; output: string }) => {
      ending = `${how} ${output}`;
    };
    started.ended.then(end, (error: unknown) => {
      ending = String(error);
    });
    await eventually(`${program} ${args.join(" ")} is ready`, async () => {
      if (ending !== "" && !ending.startsWith("exit 0")) throw new Error(`${program} ended on the board: ${ending}`);
      return ready === undefined || started.output.includes(ready);
    });
    return started;
  }

  async nound(configuration: keyof typeof configurations): Promise<void> {
    const file = `/tmp/${configuration}.json`;
    const written = { listen: `0.0.0.0:${nounPort}`, ...configurations[configuration] };
    await this.#guest.write(file, JSON.stringify(written));
    await this.run(undefined, "/nound", "--config", file);
    await eventually("nound serves on the board", () => isServed(this.#served));
  }

  async mygpiod(): Promise<void> {
    await this.run(undefined, "/mygpiod", "/mygpiod.conf");
    await delay(1_000);
  }

  /** Has edges made, and waits until the last one has come. @returns the times of the rising and the falling ones. */
  async edges(): Promise<{ readonly rising: Times; readonly falling: Times }> {
    await this.#guest.write(`${parameters}/left`, String(edges));
    while (Number(await this.#guest.read(`${parameters}/left`)) > 0) await delay(200);
    await delay(200);
    const read = async (name: string) => timesOf(await this.#guest.read(`${parameters}/${name}`));
    return { rising: await read("rising"), falling: await read("falling") };
  }

  /** Runs the program that measures from inside. @returns what it prints, line by line. */
  async inside(...args: readonly string[]): Promise<readonly Times[]> {
    const { ended } = await this.#guest.run("/reaction", ...args);
    const { ending, output } = await ended;
    if (ending !== "exit 0") throw new Error(`reaction ${args.join(" ")} ended by ${ending}: ${output}`);
    return output.split("\n").map(timesOf);
  }

  async end(): Promise<void> {
    for (const { pid, ended } of this.#running.splice(0).reverse()) {
      await this.#guest.kill(pid, sigterm).catch(() => undefined);
      await ended;
    }
  }
}

interface Row {
  readonly title: string;
  /** Starts what is measured. @returns the times. */
  measure(board: ReactionBoard, load: () => Promise<void>): Promise<Times>;
}

/** Beside programs without HTTP, another nound has the requests. */
async function loadOther(board: ReactionBoard, load: () => Promise<void>): Promise<void> {
  await board.nound("other");
  await load();
}

const rising = async (board: ReactionBoard) => (await board.edges()).rising;

const floor: Row = {
  title: "edge → output, C",
  async measure(board, load) {
    await loadOther(board, load);
    await board.run("ready", "/reaction", "floor");
    return await rising(board);
  },
};

const mygpiod: Row = {
  title: "edge → action → output, myGPIOd",
  async measure(board, load) {
    await loadOther(board, load);
    await board.mygpiod();
    return await rising(board);
  },
};

const ofNound: readonly Row[] = [
  {
    title: "edge → rule → output",
    async measure(board, load) {
      await board.nound("rule");
      await load();
      return await rising(board);
    },
  },
  {
    title: "edge → guard → output",
    async measure(board, load) {
      await board.nound("guard");
      await load();
      return (await board.edges()).falling;
    },
  },
  {
    title: "edge → stream",
    async measure(board, load) {
      await board.nound("plain");
      await load();
      return (await board.inside("stream", String(nounPort), String(edges / 2)))[0] ?? [];
    },
  },
  {
    title: "PUT → output",
    async measure(board, load) {
      await board.nound("plain");
      await load();
      return (await board.inside("put", String(nounPort), String(edges / 2)))[0] ?? [];
    },
  },
];

/** Both lines of one run: the messages of edges, and the commands. */
const brokerTitles = ["edge → broker", "command → output"];

async function measureBroker(board: ReactionBoard, load: () => Promise<void>): Promise<readonly Times[]> {
  const broker = await board.run("ready", "/reaction", "broker", String(brokerPort), String(edges / 2));
  await board.nound("broker");
  await load();
  const { ending, output } = await broker.ended;
  if (ending !== "exit 0") throw new Error(`the broker on the board ended by ${ending}: ${output}`);
  return output
    .replace(/^ready\n/, "")
    .split("\n")
    .map(timesOf);
}

/** @returns the board's files, with the programs of this measurement. */
function prepare(folder: string, action: string | undefined) {
  // What was built some time ago may be another nound than the host's.
  execFileSync("npm", ["run", "--silent", "build", "--", "armv7"], {
    cwd: top,
    stdio: ["ignore", "ignore", "inherit"],
  });
  prepareBoard(virtReaction, kernelPackage(), compileGuest());
  const program = join(folder, "reaction");
  const options = ["-std=c11", "-Os", "-static", "-s", "-Wall", "-Wextra", "-Werror", "-fno-sanitize=all"];
  const source = join(top, "test/bench/reaction/reaction.c");
  execFileSync(join(top, "build/armv7/zig/cc"), [...options, source, "-o", program], { stdio: "inherit" });
  const files = [{ path: "reaction", content: readFileSync(program), executable: true }];
  if (action !== undefined) {
    files.push({ path: "mygpiod", content: readFileSync(action), executable: true });
    for (const name of ["mygpiod.conf", "gpio.d/0.in", "gpio.d/1.out"]) {
      const content = readFileSync(join(top, "test/bench/reaction/mygpiod", name));
      files.push({ path: name, content, executable: false });
    }
  }
  const boot = bootFiles(virtReaction);
  const path = join(folder, "initramfs");
  writeFileSync(path, Buffer.concat([readFileSync(boot.initramfs), initramfs(files)]));
  return { ...boot, initramfs: path };
}

/** @returns the table and a sentence on how it was measured. */
export async function measureReaction(scratch: string, progress: (step: string) => void): Promise<string> {
  progress("preparing the board");
  const action = process.env["NOUND_MYGPIOD_ARMV7"];
  const files = prepare(scratch, action);
  const [control, served] = [await freePort(), await freePort()];
  const emulator = await Emulator.start(virtReaction, files, scratch, [
    [control, controlPort],
    [served, nounPort],
  ]);
  const results = new Map<string, Times[]>();
  const missing = new Map<string, string>();
  try {
    await emulator.boot();
    const board = new ReactionBoard(new Guest(control), served);
    for (const isLoaded of [false, true]) {
      const load = async () => {
        if (isLoaded) await board.run("ready", "/reaction", "load", String(nounPort));
      };
      const note = (title: string, times: Times) => {
        if (times.length < edges / 2 || times.includes(0)) {
          throw new Error(`${title}: ${times.filter((time) => time > 0).length} of ${edges / 2} edges were followed`);
        }
        results.set(title, [...(results.get(title) ?? []), times]);
      };
      const rows = [floor, ...(action === undefined ? [] : [mygpiod]), ...ofNound].map(({ title, measure }) => ({
        titles: [title],
        measure: async () => [await measure(board, load)],
      }));
      const broker = { titles: brokerTitles, measure: async () => await measureBroker(board, load) };
      for (const { titles, measure } of [...rows, broker]) {
        if (titles.some((title) => missing.has(title))) continue;
        progress(`${titles.join(", ")}${isLoaded ? " beside requests" : ""}`);
        try {
          const measured = await measure();
          for (const [at, title] of titles.entries()) note(title, measured[at] ?? []);
        } catch (error) {
          for (const title of titles) missing.set(title, error instanceof Error ? error.message : String(error));
        }
        await board.end();
      }
    }
  } finally {
    await emulator.stop();
  }
  const ms = (times: Times = [], part: number) => percentile(times, part).toFixed(3);
  const rows = [...results]
    .filter(([title]) => !missing.has(title))
    .map(([title, [idle, loaded]]) => [title, ...[ms(idle, 0.5), ms(idle, 0.99), ms(loaded, 0.5), ms(loaded, 0.99)]]);
  const leftOut = Array.from(
    missing,
    ([title, why]) => `Left out: ${title}: ${why.replace(/[\d\s]{40,}/g, " … ")}\n`,
  ).join("");
  return `${leftOut}${markdownTable(["ms", "idle, p50", "p99", "50 requests a second, p50", "p99"], rows)}
Debian's ARM kernel in QEMU, at 500 million instructions a second; ${edges / 2} edges a row${
    action === undefined ? "; without myGPIOd: NOUND_MYGPIOD_ARMV7 names no program" : ""
  }.`;
}
