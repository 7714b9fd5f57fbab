import fc from "fast-check";
import { expect, test } from "vitest";
import { HttpError } from "../../../ts/core/http/http-error.ts";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { readsItself, readWritten } from "../../../ts/core/noun/noun-face.ts";
import { checkState, partialShape } from "../../../ts/core/noun/shape.ts";
import type { Scalar, State } from "../../../ts/core/noun/state.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { Bus } from "../../../ts/parts/modbus/bus.ts";
import { type ModbusKey, valueIn } from "../../../ts/parts/modbus/modbus-key.ts";
import { ModbusNoun, modbusNoun, modbusShape } from "../../../ts/parts/modbus/modbus-noun.ts";
import { SimulatedUnits } from "../../../ts/parts/modbus/simulated-units.ts";
import { ModbusUnit } from "../../../ts/parts/modbus/unit.ts";

function make(keys: { readonly [key: string]: ModbusKey }, gap = 0, more: object = {}) {
  const clock = new SimulatedClock();
  const units = new SimulatedUnits("tcp");
  const questions: number[] = [];
  const answer = units.answer.bind(units);
  units.answer = (bytes) => {
    questions.push(bytes.charCodeAt(7));
    return answer(bytes);
  };
  const reports: string[] = [];
  const bus = new Bus(clock, units, { framing: "tcp", baud: 0, isConnection: true });
  const modbus = new ModbusUnit(bus, 1, 500, () => bus.close());
  const noun = new ModbusNoun(modbus, { server: "a:502", keys, gap, ...more }, (error) => reports.push(String(error)));
  return { clock, units, unit: units.unit(1), questions, reports, noun };
}

/** Lets time pass until something has come. */
async function passing<T>(clock: SimulatedClock, coming: Promise<T>): Promise<T> {
  let isComing = true;
  const end = () => {
    isComing = false;
  };
  coming.then(end, end);
  while (isComing) {
    clock.advance(50);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
  return await coming;
}

const nothingWrong = {
  timeouts: 0,
  garbled: 0,
  strays: 0,
  misnumbered: 0,
  late: 0,
  exceptions: 0,
  lastException: null,
};

test("neighbours are read by one question, and gaps as wide as is allowed", async () => {
  const keys = {
    a: { read: "input", at: 0, as: "float32" },
    b: { read: "input", at: 2, scale: 0.1, offset: -40 },
    c: { read: "input", at: 6 },
    d: { read: "coil", at: 6 },
  } as const;
  const { noun, unit, questions } = make(keys, 3);
  unit.input.set(0, 0x4366).set(1, 0x199a).set(2, 615).set(6, 7);
  unit.coil.set(6, 1);
  expect(await noun.getState()).toEqual({ a: 230.1, b: 21.5, c: 7, d: true, ...nothingWrong });
  expect(questions).toEqual([1, 4]);
  const narrow = make(keys, 2);
  await narrow.noun.getState();
  expect(narrow.questions).toEqual([1, 4, 4]);
});

test("an address that the unit lacks takes neither its neighbours nor those over a gap", async () => {
  const keys = { a: { read: "input", at: 0 }, b: { read: "input", at: 1 }, c: { read: "input", at: 3 } } as const;
  for (const lacking of [1, 2]) {
    const { noun, unit, questions, reports } = make(keys, 1);
    for (const at of [0, 1, 3]) unit.input.set(at, 7);
    const answer = unit.answer.bind(unit);
    unit.answer = (question) => {
      const [at, count] = [question.charCodeAt(2), question.charCodeAt(4)];
      return at <= lacking && lacking < at + count ? "\x84\x02" : answer(question);
    };
    expect(await noun.getState()).toMatchObject({ a: 7, b: lacking === 1 ? null : 7, c: 7 });
    // The halves of a question that is refused, and their halves.
    expect(questions).toHaveLength(lacking === 1 ? 5 : 3);
    await noun.getState();
    // It is remembered what must be asked for alone.
    expect(questions).toHaveLength(lacking === 1 ? 8 : 5);
    expect(reports).toHaveLength(lacking === 1 ? 1 : 0);
  }
});

test("a single bit of a register is true or false", async () => {
  const { noun, unit } = make({ alarm: { read: "holding", at: 0, as: "bits", bit: 3 } });
  expect(await noun.getState()).toMatchObject({ alarm: false });
  unit.holding.set(0, 8);
  expect(await noun.getState()).toMatchObject({ alarm: true });
  expect(noun.settable).toBe(false);
});

test("a range of bits is a number, and a text ends at its first 0", async () => {
  const { noun, unit } = make({
    mode: { read: "holding", at: 0, as: "bits", bit: [4, 7] },
    name: { read: "holding", at: 1, as: "string", length: 7, writable: true },
    maker: { read: "holding", at: 5, as: "string", length: 4, order: "BADC" },
  });
  unit.holding.set(0, 0xabcd).set(1, 0x4dc3).set(2, 0xbc6c).set(3, 0x6c20).set(4, 0x2000);
  unit.holding.set(5, 0x4241).set(6, 0x0043);
  expect(await noun.getState()).toMatchObject({ mode: 12, name: "Müll", maker: "ABC" });
  expect(await noun.setState({ name: "Küche" })).toMatchObject({ name: "Küche" });
  expect([1, 2, 3, 4].map((at) => unit.holding.get(at))).toEqual([0x4bc3, 0xbc63, 0x6865, 0]);
  await expect(noun.setState({ name: "Küchenbüro" })).rejects.toThrow("The text has more than 7 bytes.");
});

test("a text that is not UTF-8 is ISO 8859-1", async () => {
  const { noun, unit } = make({ name: { read: "input", at: 0, as: "string", length: 4 } });
  unit.input.set(0, 0x4dfc).set(1, 0x6c6c);
  expect(await noun.getState()).toMatchObject({ name: "Müll" });
});

test.each<[Partial<ModbusKey>, number[], Scalar]>([
  [{ as: "int16", none: 32_768 }, [0x8000], null],
  [{ as: "int16", none: -32_768, scale: 0.1 }, [0x8000], null],
  [{ as: "int16", none: 32_768, scale: 0.1 }, [0x7fff], 3_276.7],
  [{ as: "int32", none: [0x80000000, 0] }, [0x8000, 0], null],
  [{ as: "int32", none: [0x80000000, 0] }, [0, 0], null],
  [{ none: 65_535, offset: 5 }, [0xffff], null],
  [{ as: "uint64", none: 2 ** 64 - 1 }, [0xffff, 0xffff, 0xffff, 0xffff], null],
  [{ as: "int64", none: -(2 ** 63) }, [0x8000, 0, 0, 0], null],
  [{ as: "float32", none: -9_999.9 }, [0xc61c, 0x3f9a], null],
  [{ as: "string", length: 4, none: ["", "n/a"] }, [0, 0], null],
  [{ as: "bits", bit: [0, 3], none: 15 }, [0x1f], null],
  [{ as: "bits", bit: [0, 3], none: 15 }, [0x11], 1],
])("what a unit has in place of a value is null, and no failure: %j of %j", async (key, registers, value) => {
  const { noun, unit, reports } = make({ it: { read: "input", at: 0, ...key } });
  for (const [at, register] of registers.entries()) unit.input.set(at, register);
  expect(await noun.getState()).toMatchObject({ it: value });
  expect(reports).toEqual([]);
});

test("the power of ten of another key scales a value, in both directions", async () => {
  const keys = {
    watts: { read: "holding", at: 0, as: "int16", scaleBy: "power", writable: true },
    power: { read: "holding", at: 1, as: "int16", none: 32_768 },
  } as const;
  const { noun, unit, reports } = make(keys);
  unit.holding.set(0, 1_234);
  for (const [power, watts] of [
    [0, 1_234],
    [0xffff, 123.4],
    [2, 123_400],
    [0x8000, null],
  ] as const) {
    unit.holding.set(1, power);
    expect(await noun.getState()).toMatchObject({ watts });
  }
  expect(reports).toEqual([]);
  unit.holding.set(1, 100);
  expect(await noun.getState()).toMatchObject({ watts: null, power: 100 });
  expect(reports).toEqual(['Error: "power" is 100, which is no power of ten']);
  unit.holding.set(1, 0xfffe);
  expect(await noun.setState({ watts: 12.34 })).toMatchObject({ watts: 12.34 });
  expect(unit.holding.get(0)).toBe(1_234);
  await expect(noun.setState({ watts: 400 })).rejects.toThrow("The value is beyond what its registers can hold now.");
  expect(unit.holding.get(0)).toBe(1_234);
});

test("a question has no more registers than the unit takes, if that is said", async () => {
  const keys = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, { read: "input", at } as const]));
  const { noun, questions } = make(keys, 0, { most: 4 });
  await noun.getState();
  expect(questions).toEqual([4, 4, 4]);
});

test.each([undefined, 2, 3, 4])(
  "how many registers a unit takes is found out, by silence or the exception %s, and remembered",
  async (exception) => {
    const keys = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, { read: "input", at } as const]));
    const { noun, unit, units, clock, questions } = make(keys);
    for (let at = 0; at < 60; at++) unit.input.set(at, 100 + at);
    const answer = units.answer.bind(units);
    units.answer = (bytes) => {
      if (bytes.charCodeAt(11) <= 32) return answer(bytes);
      questions.push(0);
      return exception === undefined ? "" : `${bytes.slice(0, 5)}\x03\x01\x84${String.fromCharCode(exception)}`;
    };
    const all = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, 100 + at]));
    expect(await passing(clock, noun.getState())).toMatchObject(all);
    questions.splice(0);
    expect(await passing(clock, noun.getState())).toMatchObject(all);
    expect(questions).toEqual([4, 4]);
  },
);

test("a unit that refuses all is asked as before once it does not", async () => {
  const keys = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, { read: "input", at } as const]));
  const { noun, unit, questions } = make(keys);
  unit.exception = 4;
  await noun.getState();
  unit.exception = undefined;
  questions.splice(0);
  expect(await noun.getState()).toMatchObject({ k0: 0, k19: 0 });
  expect(questions).toEqual([4]);
});

test("a value that the unit takes later is read until it is there", async () => {
  const { noun, unit, clock } = make({ a: { read: "holding", at: 0, writable: true } });
  const answer = unit.answer.bind(unit);
  unit.answer = (question) => {
    if (question.charCodeAt(0) !== 6) return answer(question);
    clock.setTimer(() => void answer(question), 200);
    return question;
  };
  expect(await passing(clock, noun.setState({ a: 5 }))).toMatchObject({ a: 5 });
});

test.each(["noun", "key"])(
  "a register of a command needs no more than the unit's answer, if its %s says so",
  async (where) => {
    const confirm = { confirm: "answer" } as const;
    const keys = { reset: { read: "holding", at: 0, writable: true, ...(where === "key" ? confirm : {}) } } as const;
    const { noun, unit, questions } = make(keys, 0, where === "noun" ? confirm : {});
    const answer = unit.answer.bind(unit);
    unit.answer = (question) => (question.charCodeAt(0) === 6 ? question : answer(question));
    expect(await noun.setState({ reset: 1 })).toMatchObject({ reset: 0 });
    expect(questions).toEqual([6, 3]);
  },
);

test("a write whose answer is lost is no failure if the value is there, and is written again if not", async () => {
  for (const isDone of [true, false]) {
    const { noun, units, clock, questions } = make({ a: { read: "holding", at: 0, writable: true } });
    const answer = units.answer.bind(units);
    let isFirst = true;
    units.answer = (bytes) => {
      if (bytes.charCodeAt(7) !== 6 || !isFirst) return answer(bytes);
      isFirst = false;
      if (isDone) answer(bytes);
      return "";
    };
    expect(await passing(clock, noun.setState({ a: 5 }))).toMatchObject({ a: 5, timeouts: 1 });
    expect(questions.filter((one) => one === 6)).toHaveLength(1);
  }
});

test("an absent unit is null, reported once, and one timeout long", async () => {
  const { noun, unit, clock, questions, reports } = make({
    a: { read: "input", at: 0 },
    b: { read: "input", at: 9 },
  });
  unit.isAbsent = true;
  const state = noun.getState();
  clock.advance(500);
  expect(await state).toMatchObject({ a: null, b: null, timeouts: 1 });
  expect(questions).toEqual([4]);
  expect(await noun.getState()).toMatchObject({ a: null, timeouts: 1 });
  await noun.getState();
  expect(reports).toHaveLength(2);
  unit.isAbsent = false;
  clock.advance(500);
  expect(await noun.getState()).toMatchObject({ a: 0, b: 0 });
});

test("a refused write is a 500 with what the unit says; without an answer it is a 503", async () => {
  const { noun, unit, clock } = make({ a: { read: "holding", at: 0, writable: true } });
  unit.exception = 4;
  await expect(noun.setState({ a: 1 })).rejects.toEqual(
    HttpError.keeping(500, 'The unit did not take "a": it has failed (4).'),
  );
  unit.exception = undefined;
  unit.isAbsent = true;
  await expect(passing(clock, noun.setState({ a: 1 }))).rejects.toEqual(
    HttpError.keeping(503, 'The unit did not take "a": it did not answer within 500 ms, so it may have been written.'),
  );
  await expect(noun.setState({ a: null })).rejects.toThrow("Null means that the unit does not answer.");
});

test("a unit without the functions for one value gets those for several, and only once asks twice", async () => {
  const { noun, unit, questions } = make({ a: { read: "holding", at: 0, writable: true } });
  const answer = unit.answer.bind(unit);
  unit.answer = (question) => (question.charCodeAt(0) === 6 ? "\x86\x01" : answer(question));
  expect(await noun.setState({ a: 5 })).toMatchObject({ a: 5 });
  expect(await noun.setState({ a: 6 })).toMatchObject({ a: 6 });
  expect(questions).toEqual([6, 16, 3, 3, 16, 3, 3]);
});

test("DELETE resets the counts and writes the defaults; the counts go on in the next process", async () => {
  const keys = { a: { read: "holding", at: 0, writable: true, default: 9 } } as const;
  const { noun, unit } = make(keys);
  unit.exception = 2;
  await noun.getState();
  const next = make(keys).noun;
  next[takeOver](noun[leave]());
  expect(await next.getState()).toMatchObject({ exceptions: 1, lastException: 2 });
  unit.exception = undefined;
  expect(await noun.deleteState()).toEqual({ a: 9, ...nothingWrong });
});

test("DELETE tries every key, and gives the first failure", async () => {
  const key = { read: "coil", writable: true, default: false } as const;
  const { noun, unit } = make({ a: { ...key, at: 0 }, b: { ...key, at: 1 }, c: { ...key, at: 2 } });
  for (const at of [0, 1, 2]) unit.coil.set(at, 1);
  const answer = unit.answer.bind(unit);
  unit.answer = (question) => (question.startsWith("\x05\0\0") ? "\x85\x04" : answer(question));
  await expect(noun.deleteState()).rejects.toThrow('The unit did not take "a"');
  expect([0, 1, 2].map((at) => unit.coil.get(at))).toEqual([1, 0, 0]);
});

test.each<[{ [key: string]: ModbusKey }, string]>([
  [{ late: { read: "input", at: 0 } }, 'The key "late" is that of a count.'],
  [{ a: { read: "input", at: 0, writable: true } }, 'The key "a" cannot be written.'],
  [{ a: { read: "holding", at: 0, as: "bits", bit: 1, writable: true } }, 'The key "a" cannot be written.'],
  [{ a: { read: "holding", at: 0, as: "string" } }, 'The option "length" of the key "a": expected the number of bytes'],
  [{ a: { read: "holding", at: 0, scaleBy: "a" } }, 'The option "scaleBy" of the key "a": expected another key'],
])("keys of an application that do not fit are refused: %j", (keys, sentence) => {
  expect(() => modbusNoun({ server: "a:502", keys })).toThrow(sentence);
});

test.each([
  [{ server: "a:502", device: "/dev/ttyS1" }, 'A Modbus unit has a "device"'],
  [{}, 'A Modbus unit has a "device"'],
  [{ device: "/dev/ttyS1", unit: 248 }, "A unit has a number from 1 to 247; it is 248."],
])("a place of an application that is none is refused: %j", (place, sentence) => {
  expect(() => modbusNoun({ ...place, keys: { a: { read: "input", at: 0 } } })).toThrow(sentence);
});

/** The bytes of a value by its registers, written without the code under test. */
function modelOf({ as = "uint16", order = "ABCD" }: ModbusKey, registers: readonly number[]): number | null {
  const bytes = registers.flatMap((one) => [one >> 8, one & 0xff]);
  const pairs = Array.from({ length: bytes.length / 2 }, (_, index) => [
    bytes[2 * index] ?? 0,
    bytes[2 * index + 1] ?? 0,
  ]);
  if (order === "DCBA" || order === "CDAB") pairs.reverse();
  if (order === "DCBA" || order === "BADC") for (const one of pairs) one.reverse();
  const buffer = Buffer.from(pairs.flat());
  if (as === "float32") return Number.isFinite(buffer.readFloatBE()) ? buffer.readFloatBE() : null;
  if (as === "float64") return Number.isFinite(buffer.readDoubleBE()) ? buffer.readDoubleBE() : null;
  if (as === "int64" || as === "uint64") {
    const value = Number(as === "int64" ? buffer.readBigInt64BE() : buffer.readBigUInt64BE());
    return Number.isSafeInteger(value) ? value : null;
  }
  const isSigned = as.startsWith("int");
  return isSigned ? buffer.readIntBE(0, buffer.length) : buffer.readUIntBE(0, buffer.length);
}

const key = fc.record(
  {
    read: fc.constantFrom("coil" as const, "discrete" as const, "holding" as const, "input" as const),
    at: fc.nat(60),
    as: fc.constantFrom<NonNullable<ModbusKey["as"]>[]>(
      ...(["int16", "uint16", "int32", "uint32", "float32", "int64", "uint64", "float64", "bits"] as const),
    ),
    order: fc.constantFrom("ABCD" as const, "DCBA" as const, "BADC" as const, "CDAB" as const),
  },
  { requiredKeys: ["read", "at"] },
);

const isBit = ({ read }: ModbusKey) => read === "coil" || read === "discrete";
const sizeOf = (one: ModbusKey) => (isBit(one) ? 1 : one.as?.endsWith("64") ? 4 : one.as?.endsWith("32") ? 2 : 1);

test("1,000 random maps of registers read as the model says, and what is written changes nothing else", async () => {
  const maps = fc.record({
    keys: fc.array(key, { minLength: 1, maxLength: 60 }),
    gap: fc.nat(8),
    memory: fc.array(fc.nat(65_535), { minLength: 64, maxLength: 64 }),
    changed: fc.array(fc.tuple(fc.nat(63), fc.nat(65_535)), { maxLength: 4 }),
    written: fc.integer({ min: -32_768, max: 32_767 }),
    which: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(maps, async ({ keys: list, gap, memory, changed, written, which }) => {
      const keys = Object.fromEntries(
        list.map((one, index): [string, ModbusKey] => {
          const writable = one.read === "coil" || one.read === "holding";
          return [`k${index}`, isBit(one) ? { read: one.read, at: one.at, writable } : { ...one, writable }];
        }),
      );
      const { noun, unit } = make(keys, gap);
      const put = (at: number, value: number) => {
        for (const table of ["holding", "input"] as const) unit[table].set(at, value);
        for (const table of ["coil", "discrete"] as const) unit[table].set(at, value & 1);
      };
      for (const [at, value] of memory.entries()) put(at, value);
      const model = () => {
        const state: { [key: string]: Scalar } = {};
        for (const [name, one] of Object.entries(keys)) {
          const values = Array.from({ length: sizeOf(one) }, (_, index) => unit[one.read].get(one.at + index) ?? 0);
          state[name] = isBit(one) ? values[0] === 1 : modelOf(one, values);
        }
        return state;
      };
      const same = (state: State) => {
        for (const [name, value] of Object.entries(model())) {
          const isSingle = keys[name]?.as === "float32" && typeof state[name] === "number";
          // A single is shown in as few digits as tell it apart.
          expect([name, isSingle ? Math.fround(Number(state[name])) : state[name]]).toEqual([name, value]);
        }
      };
      same(await noun.getState());
      for (const [at, value] of changed) put(at, value);
      const served = await noun[readWritten]();
      same(JSON.parse(noun.writeState(served)));
      expect(await noun[readWritten]()).toBe(served);
      const settable = Object.entries(keys).filter(([, { writable }]) => writable);
      const [name, chosen] = settable[which % settable.length] ?? [];
      if (name === undefined || chosen === undefined) return;
      const { as = "uint16" } = chosen;
      const bounded = as.startsWith("u") || as === "bits" ? Math.abs(written) : written;
      const value = isBit(chosen) ? written > 0 : bounded;
      checkState(partialShape(modbusShape(keys)), { [name]: value });
      const before = new Map(unit.holding);
      same(await noun.updateState({ [name]: value }));
      for (const [at, register] of unit.holding) {
        const isWritten = chosen.read === "holding" && at >= chosen.at && at < chosen.at + sizeOf(chosen);
        if (!isWritten) expect([at, register]).toEqual([at, before.get(at)]);
      }
      expect((await noun.getState())[name]).toBe(value);
    }),
    { numRuns: 1_000 },
  );
});

/** A noun that reads itself, for one who reads it when it tells. */
async function followed(keys: { readonly [key: string]: ModbusKey }) {
  const made = make(keys);
  const { noun, clock, unit } = made;
  for (const { at } of Object.values(keys)) unit.input.set(at, 7);
  await passing(clock, noun.getState());
  const told: string[] = [];
  const stop = noun[readsItself]({ hasRead: () => void told.push("changed") });
  /** Lets the time of one reading pass. */
  const turn = async () => {
    clock.advance(noun.poll);
    await passing(clock, Promise.resolve());
  };
  return { ...made, told, stop, turn };
}

const twoQuestions = { a: { read: "input", at: 0 }, b: { read: "input", at: 9 } } as const;

test("it reads itself while somebody follows it, tells only of what has changed, and has it read already", async () => {
  const { noun, unit, questions, told, stop, turn } = await followed(twoQuestions);
  for (let times = 1; times <= 3; times++) {
    await turn();
    expect([questions.length, told.length]).toEqual([2 + 2 * times, 0]);
  }
  unit.input.set(9, 8);
  await turn();
  expect(told).toHaveLength(1);
  const read = noun[readWritten]();
  expect(read).not.toBeInstanceOf(Promise);
  expect(JSON.parse((await read).text)).toEqual({ a: 7, b: 8, ...nothingWrong });
  expect(questions).toHaveLength(10);
  expect(await noun.getState()).toMatchObject({ b: 8 });
  expect(questions).toHaveLength(12);
  stop();
  await turn();
  expect(questions).toHaveLength(12);
});

test("what it has read by itself is not its state later, nor after a write", async () => {
  const { noun, unit, clock, told, turn } = await followed({ a: { read: "input", at: 0 } });
  unit.input.set(0, 8);
  await turn();
  clock.advance(200);
  unit.input.set(0, 9);
  expect(await noun.getState()).toMatchObject({ a: 9 });
  unit.input.set(0, 10);
  await turn();
  unit.input.set(0, 11);
  expect(await noun.setState({})).toMatchObject({ a: 11 });
  expect(told).toHaveLength(2);
});

test("a client that asks while it reads itself gets the state, and it is told of afterwards", async () => {
  for (const as of ["uint16", "string"] as const) {
    const word = { read: "input", as, ...(as === "string" && { length: 2 }) } as const;
    const { noun, unit, clock, questions, told, turn } = await followed({
      a: { ...word, at: 0 },
      b: { ...word, at: 9 },
    });
    for (const at of [0, 9]) unit.input.set(at, 0x3838);
    const before = questions.length;
    clock.advance(noun.poll);
    // The first question is answered, the second one is not.
    await Promise.resolve();
    expect(questions).toHaveLength(before + 2);
    const texts: string[] = [];
    void Promise.resolve(noun[readWritten]()).then(({ text }) => texts.push(text));
    for (let times = 0; times < 4; times++) await passing(clock, Promise.resolve());
    const value = as === "string" ? "88" : 0x3838;
    expect(texts.map((text) => JSON.parse(text) as State)).toEqual([{ a: value, b: value, ...nothingWrong }]);
    expect(told).toHaveLength(1);
    await turn();
    expect(told).toHaveLength(1);
  }
});

test("a unit that does not answer is told of, with the reason of that question, and asked again", async () => {
  const { noun, unit, clock, reports, stop } = await followed(twoQuestions);
  stop();
  const read: unknown[] = [];
  const told = () =>
    void Promise.resolve(noun[readWritten]()).then(({ text }) => read.push((JSON.parse(text) as State)["b"]));
  noun[readsItself]({ hasRead: told });
  const passes = (time: number) => passing(clock, new Promise<void>((resolve) => clock.setTimer(resolve, time)));
  unit.isAbsent = true;
  await passes(3 * noun.poll);
  expect([reports, new Set(read)]).toEqual([
    [expect.stringContaining("it did not answer within 500 ms")],
    new Set([null]),
  ]);
  unit.isAbsent = false;
  await passes(3 * noun.poll);
  expect(read.at(-1)).toBe(7);
});

test("counts that have changed are told of", async () => {
  const { noun, told, turn } = await followed({ a: { read: "input", at: 0 } });
  await noun.deleteState();
  await turn();
  expect(told).toHaveLength(0);
  noun[takeOver]({ strays: 3 });
  await turn();
  expect(told).toHaveLength(1);
  expect(JSON.parse((await noun[readWritten]()).text)).toMatchObject({ a: 7, strays: 3 });
});

test("a scale of tenths, hundredths or thousandths gives each register as many digits as it has", () => {
  for (const scale of [0.1, 0.01, 0.001]) {
    const key: ModbusKey = { read: "input", at: 0, as: "int16", scale };
    for (let raw = -32_768; raw < 32_768; raw++) {
      const value = valueIn(key, [raw & 0xffff]);
      if (value !== Number((raw * scale).toPrecision(12))) throw new Error(`${raw} is ${value}`);
    }
  }
});
