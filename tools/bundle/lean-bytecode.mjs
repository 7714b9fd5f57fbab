/**
 * Takes out of bytecode what a device does not need: the columns of lines, and the descriptions of variables, which
 * the engine reads for direct `eval` and for variables that inner functions use. Stack traces keep their lines.
 *
 * The format is that of JS_WriteObject in the pinned engine's quickjs.c. Bytecode of another version is refused, so a
 * new engine fails the build and not a device.
 */

const version = 28; // BC_VERSION
const headSize = 5; // the version and the checksum

/** Tags of values, BCTagEnum. */
const tags = {
  null: 1,
  undefined: 2,
  false: 3,
  true: 4,
  int32: 5,
  float64: 6,
  string: 7,
  array: 9,
  bigInt: 10,
  template: 11,
  function: 12,
  module: 13,
  regExp: 17,
};

/** The first byte of an entry in the table of lines has both its differences, that of the line and of the place. */
const leastLine = -1; // PC2LINE_BASE
const lineRange = 5; // PC2LINE_RANGE
const mostPlaces = Math.floor((255 - 1) / lineRange); // PC2LINE_DIFF_PC_MAX

/** A number in LEB128. */
function number(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

const signedNumber = (value) => number(value < 0 ? -value * 2 - 1 : value * 2);

/** An entry of the table of lines, whose column never differs. */
function lineEntry(places, lines) {
  const isShort = lines >= leastLine && lines < leastLine + lineRange && places <= mostPlaces;
  return isShort ? [lines - leastLine + places * lineRange + 1, 0] : [0, ...number(places), ...signedNumber(lines), 0];
}

/** Reads bytecode, and copies it but for what is replaced. */
class Copy {
  #bytes;
  #at = headSize;
  #copied = 0;
  #parts = [];

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get at() {
    return this.#at;
  }

  byte() {
    return this.#bytes[this.#at++];
  }

  skip(length) {
    this.#at += length;
  }

  number() {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  signedNumber() {
    const value = this.number();
    return (value >>> 1) ^ -(value & 1);
  }

  text() {
    const length = this.number();
    this.skip((length >>> 1) << (length & 1));
  }

  times(count, read) {
    for (let index = 0; index < count; index++) read();
  }

  /** Replaces the bytes between two places, if not told otherwise up to the next byte to read. */
  replace(from, bytes, to = this.#at) {
    this.#parts.push(this.#bytes.subarray(this.#copied, from), Uint8Array.from(bytes));
    this.#copied = to;
  }

  /** @throws Error if this is not the end. */
  finish() {
    if (this.#at !== this.#bytes.length) throw new Error(`Bytecode ends at ${this.#at} of ${this.#bytes.length}.`);
    this.replace(this.#at, []);
    return Buffer.concat(this.#parts);
  }
}

function copyAtoms(copy) {
  copy.times(copy.number(), () => {
    const type = copy.byte();
    if (type >= 0xc0) copy.number();
    else if (type < 0x80) copy.text();
  });
}

/** The variables of a function. They have no names, and without one that inner functions use, they are left out. */
function copyVariables(copy, isStrict) {
  const start = copy.at;
  const names = [];
  let isUsedInside = false;
  copy.times(copy.number(), () => {
    const from = copy.at;
    copy.number();
    names.push([from, copy.at]);
    copy.times(2, () => copy.number()); // scope, the next one of the scope
    if ((copy.byte() & 0x40) === 0) return;
    copy.number();
    isUsedInside = true;
  });
  if (isUsedInside) for (const [from, to] of names) copy.replace(from, [0], to);
  // The `arguments` of a function that is not strict read them.
  else if (isStrict) copy.replace(start, [0]);
}

/** A variable of an outer function. A global variable is found by its name, others by their numbers. */
function copyOuterVariable(copy) {
  const start = copy.at;
  copy.number();
  const end = copy.at;
  copy.number();
  const kind = copy.number() & 7;
  const isGlobal = kind >= 3 && kind <= 5; // JS_CLOSURE_GLOBAL_REF, _DECL and JS_CLOSURE_GLOBAL
  if (!isGlobal) copy.replace(start, [0], end);
}

/** The table of a function's lines, without their columns. */
function copyLines(copy) {
  const start = copy.at;
  const end = copy.number() + copy.at;
  const entries = [];
  let [places, lines] = [0, 0];
  while (copy.at < end) {
    const first = copy.byte();
    places += first === 0 ? copy.number() : Math.floor((first - 1) / lineRange);
    lines += first === 0 ? copy.signedNumber() : ((first - 1) % lineRange) + leastLine;
    copy.signedNumber(); // the column
    if (lines === 0) continue;
    entries.push(...lineEntry(places, lines));
    [places, lines] = [0, 0];
  }
  copy.replace(start, [...number(entries.length), ...entries]);
}

function copyFunction(copy) {
  copy.skip(2); // flags
  const isStrict = copy.byte() !== 0;
  copy.times(6, () => copy.number()); // its name and counts
  const [outerVariables, constants, codeSize] = [copy.number(), copy.number(), copy.number()];
  copyVariables(copy, isStrict);
  copy.times(outerVariables, () => copyOuterVariable(copy));
  copy.times(constants, () => copyValue(copy));
  copy.skip(codeSize);
  copy.times(2, () => copy.number()); // the file and the line
  const column = copy.at;
  copy.number();
  copy.replace(column, [1]);
  copyLines(copy);
  if (copy.number() !== 0) throw new Error("Bytecode contains a source.");
}

function copyModule(copy) {
  copy.number(); // its name
  copy.times(copy.number(), () => copy.number()); // the modules that it imports
  copy.times(copy.number(), () => copy.times(copy.byte() === 0 ? 2 : 3, () => copy.number())); // exports
  copy.times(copy.number(), () => copy.number()); // modules whose exports it exports
  copy.times(copy.number(), () => copy.times(3, () => copy.number())); // imports
  copy.skip(1);
  copyValue(copy);
}

const nothing = () => undefined;
const copyValues = (copy) => copy.times(copy.number(), () => copyValue(copy));

const copies = new Map([
  [tags.null, nothing],
  [tags.undefined, nothing],
  [tags.false, nothing],
  [tags.true, nothing],
  [tags.int32, (copy) => copy.number()],
  [tags.float64, (copy) => copy.skip(8)],
  [tags.string, (copy) => copy.text()],
  [tags.array, copyValues],
  [tags.bigInt, (copy) => copy.skip(copy.number())],
  [
    tags.template,
    (copy) => {
      copyValues(copy);
      copyValue(copy);
    },
  ],
  [tags.function, copyFunction],
  [tags.module, copyModule],
  [
    tags.regExp,
    (copy) => {
      copy.text();
      copy.text();
    },
  ],
]);

function copyValue(copy) {
  const at = copy.at;
  const copyContent = copies.get(copy.byte());
  if (copyContent === undefined) throw new Error(`Bytecode has an unknown value at ${at}.`);
  copyContent(copy);
}

/** The checksum of the engine, bc_csum. It leaves out a last word that is whole. */
function checksum(bytes) {
  let sum = 0;
  const add = (value) => {
    sum = Math.imul(sum + value, 0x9e370001);
  };
  let at = 0;
  for (; at + 4 < bytes.length; at += 4) add(bytes.readUInt32LE(at));
  const rest = bytes.length - at;
  add(rest < 4 ? bytes.readUIntLE(at, rest) : 0);
  return sum >>> 0;
}

/**
 * @param {Buffer} bytes of a module or a script without direct `eval`, little-endian, without its source.
 * @returns {Buffer} its bytecode, which does the same.
 * @throws Error if the bytecode is of another version of the engine.
 */
export function leanBytecode(bytes) {
  if (bytes[0] !== version) throw new Error(`Bytecode is of version ${bytes[0]}; lean-bytecode.mjs knows ${version}.`);
  const copy = new Copy(bytes);
  copyAtoms(copy);
  copyValue(copy);
  const lean = copy.finish();
  lean.writeUInt32LE(checksum(lean.subarray(headSize)), 1);
  return lean;
}
