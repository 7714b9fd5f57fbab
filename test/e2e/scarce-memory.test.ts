/** `nound:memory` in the engine: when memory is scarce, and what is collected when. */
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { isListening } from "../harness/address.ts";
import { printedBy } from "../harness/engine-program.ts";
import { eventually } from "../harness/eventually.ts";
import { temporaryPath } from "../harness/nound-process.ts";
import { expectMedian, judgesTime } from "../harness/waiting-time.ts";

/** Runs a program in the engine, with a limit of 8 MB. @returns what it prints. */
async function printed(source: string): Promise<string> {
  const program = `
    import { exit, now, setTimer } from "nound:loop";
    import { isScarce, limitMemory } from "nound:memory";
    import { printOutput } from "nound:system";
    const print = (...values) => printOutput(values.join(" ") + "\\n");
    limitMemory(8 * 1024 * 1024);
    const kept = [];
    const megabyte = () => "x".repeat(1 << 20);
    const keep = (megabytes) => { for (let count = 0; count < megabytes; count++) kept.push(megabyte()); };
    /** Objects that hold on to themselves: only a collection frees them. */
    const cycles = (count) => {
      const made = [];
      for (let index = 0; index < count; index++) {
        const cycle = {};
        cycle.self = cycle;
        made.push(cycle);
      }
      return made;
    };
    /** Makes a megabyte of garbage of each, without an object that the engine could collect before. */
    const litter = (cycles) => { for (let index = 0; index < cycles.length; index++) cycles[index].text = megabyte(); };
    ${source}
  `;
  return await printedBy(program);
}

describe("memory is scarce", () => {
  test("while three quarters of the limit are in use", async () => {
    const source = `print(isScarce()); keep(4); print(isScarce()); keep(2); print(isScarce());
      kept.length = 0; print(isScarce()); exit(0);`;
    expect(await printed(source)).toBe("false\nfalse\ntrue\nfalse\n");
  });

  test("never without a limit", async () => {
    expect(await printed("limitMemory(0); keep(32); print(isScarce()); exit(0);")).toBe("false\n");
  });

  test("only where collecting garbage does not help", async () => {
    expect(await printed("litter(cycles(6)); print(isScarce()); exit(0);")).toBe("false\n");
  });
});

test("what waits for clients that take nothing counts, until they are gone", async () => {
  const path = temporaryPath("deaf.sock");
  const output = printed(`
    import { listen } from "nound:net";
    const sockets = [];
    listen("unix:${path}", (socket) => {
      socket.write(megabyte());
      sockets.push(socket);
      if (sockets.length < 8) return;
      print(isScarce());
      for (const socket of sockets) socket.close();
      print(isScarce());
      exit(0);
    });
  `);
  await eventually("it listens", () => isListening(`unix:${path}`));
  const deaf = Array.from({ length: 8 }, () =>
    connect({ path })
      .on("error", () => undefined)
      .pause(),
  );
  expect(await output).toBe("true\nfalse\n");
  for (const client of deaf) client.destroy();
});

test("while collecting does not help, it is done once a second", async () => {
  const source = `
    const since = now();
    keep(6);
    const isScarceFirst = isScarce();
    const garbage = cycles(1);
    const gone = new WeakRef(garbage[0]);
    garbage.length = 0;
    setTimer(() => {
      const second = [isScarce(), gone.deref() === undefined];
      setTimer(() => (now() - since < 1000 ? judge(second) : exit(0)), 0);
    }, 1);
    const judge = (second) => {
      print(isScarceFirst);
      print(...second);
      setTimer(() => { print(isScarce(), gone.deref() === undefined); exit(0); }, 1050);
    };
  `;
  let text = "";
  // Where the machine has stopped meanwhile, the second since the first collection, while keep filled the memory, may
  // be over already.
  while (text === "") text = await printed(source);
  expect(text).toBe("true\ntrue false\ntrue true\n");
});

test("a program that keeps half of the limit may make any amount of garbage", async () => {
  const source = `
    keep(4);
    for (let round = 0; round < 50; round++) litter(cycles(1));
    print("made"); exit(0);
  `;
  expect(await printed(source)).toBe("made\n");
});

test("garbage of more than half a megabyte is collected within three seconds, without being asked for", async () => {
  const source = `
    const garbage = cycles(1);
    const gone = new WeakRef(garbage[0]);
    litter(garbage);
    garbage.length = 0;
    setTimer(() => { print(gone.deref() === undefined); exit(0); }, 3000);
  `;
  expect(await printed(source)).toBe("true\n");
});

test.runIf(judgesTime)(
  "a program that has nothing left to wait for ends before the next collection (judged by test:time)",
  async () => {
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const since = performance.now();
      await printed("litter(cycles(2));");
      times.push(performance.now() - since);
    }
    expectMedian("to the end, with a collection after 2,000", times, 1_900);
  },
);
