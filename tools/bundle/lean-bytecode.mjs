/**
 * Takes out of bytecode what a device does not need: the columns of lines, and the descriptions and names of variables,
 * which the engine reads for direct `eval` and for variables that inner functions use. Stack traces keep their lines.
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

/** The size of each instruction in bytes, in the order of quickjs-opcode.h, as hexadecimal digits. */
const instructionSizes = Array.from(
  "155555111111231111111111111111111333333311111111165311155551166655511111111551111126" +
    "2663333333333333333355555111111aaaaaa77751111211121111111111122211115111111111111111" +
    "111111111513311211111111112322122211111111111111111111111111111111111111222311111111",
  (digit) => Number.parseInt(digit, 16),
);

/** The instructions with an atom, OP_FMT_atom and its like, by their numbers. */
const instructionsWithAtom = new Set([
  4, 5, 49, 55, 56, 57, 58, 61, 62, 63, 64, 65, 66, 75, 76, 83, 85, 86, 115, 116, 117, 118, 119, 120, 121, 122, 123,
  124, 152,
]);

/** Atoms below are the engine's own, those from here on are in a table before the code. JS_ATOM_END. */
const firstAtom = 242;
const leastNumber = 2 ** 31; // Atoms from here on are numbers: JS_ATOM_TAG_INT.

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

/** Reads bytecode, and copies it but for what is replaced. Of the atoms in its table, it copies those that are used. */
class Copy {
  #bytes;
  #at = headSize;
  #copied = headSize;
  #parts = [];
  /** The bytes of each atom in the table. */
  #atoms = [];
  /** The new numbers of those that are used, by the old ones. */
  #numbers = new Map();

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

  /** Reads the table of atoms. */
  atoms() {
    this.times(this.number(), () => {
      const from = this.#at;
      const type = this.byte();
      if (type >= 0xc0) this.number();
      else if (type < 0x80) this.text();
      this.#atoms.push(this.#bytes.subarray(from, this.#at));
    });
    this.#copied = this.#at;
  }

  /** @returns the new number of an atom, which is used from now on. */
  #numberOf(atom) {
    if (atom < firstAtom || atom >= leastNumber) return atom;
    const known = this.#numbers.get(atom);
    if (known !== undefined) return known;
    const next = firstAtom + this.#numbers.size;
    this.#numbers.set(atom, next);
    return next;
  }

  /** @returns the bytes for an atom, or for the number that can stand in its place. */
  renumbered(value) {
    return number((value & 1) === 0 ? this.#numberOf(value >>> 1) * 2 : value);
  }

  /** Copies an atom. */
  atom() {
    this.replace(this.#at, this.renumbered(this.number()));
  }

  /** Copies instructions. */
  code(size) {
    const end = this.#at + size;
    while (this.#at < end) {
      const from = this.#at;
      const instruction = this.byte();
      if (instructionsWithAtom.has(instruction)) {
        const atom = Buffer.alloc(4);
        atom.writeUInt32LE(this.#numberOf(this.#bytes.readUInt32LE(this.#at)));
        this.replace(from + 1, atom, from + 5);
      }
      this.#at = from + (instructionSizes[instruction] ?? size);
    }
    if (this.#at !== end) throw new Error(`Bytecode has an unknown instruction before ${end}.`);
  }

  /** @throws Error if this is not the end. */
  finish() {
    if (this.#at !== this.#bytes.length) throw new Error(`Bytecode ends at ${this.#at} of ${this.#bytes.length}.`);
    this.replace(this.#at, []);
    const used = Array.from(this.#numbers.keys(), (atom) => this.#atoms[atom - firstAtom]);
    const head = [this.#bytes.subarray(0, headSize), Uint8Array.from(number(used.length))];
    return Buffer.concat([...head, ...used, ...this.#parts]);
  }
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
  // The `arguments` of a function that is not strict read them.
  if (!isUsedInside && isStrict) copy.replace(start, [0]);
  else for (const [from, to] of names) copy.replace(from, [0], to);
}

/** A variable of an outer function. A global variable is found by its name, others by their numbers. */
function copyOuterVariable(copy) {
  const start = copy.at;
  const name = copy.number();
  const end = copy.at;
  copy.number();
  const kind = copy.number() & 7;
  const isGlobal = kind >= 3 && kind <= 5; // JS_CLOSURE_GLOBAL_REF, _DECL and JS_CLOSURE_GLOBAL
  copy.replace(start, isGlobal ? copy.renumbered(name) : [0], end);
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
  copy.atom(); // its name
  copy.times(5, () => copy.number()); // counts
  const [outerVariables, constants, codeSize] = [copy.number(), copy.number(), copy.number()];
  copyVariables(copy, isStrict);
  copy.times(outerVariables, () => copyOuterVariable(copy));
  copy.times(constants, () => copyValue(copy));
  copy.code(codeSize);
  copy.atom(); // the file
  copy.number(); // the line
  const column = copy.at;
  copy.number();
  copy.replace(column, [1]);
  copyLines(copy);
  if (copy.number() !== 0) throw new Error("Bytecode contains a source.");
}

function copyExport(copy) {
  const isOfModule = copy.byte() !== 0; // not JS_EXPORT_TYPE_LOCAL
  copy.number(); // its variable, or the module
  if (isOfModule) copy.atom();
  copy.atom();
}

function copyImport(copy) {
  copy.number(); // its variable
  copy.atom();
  copy.number(); // the module
}

function copyModule(copy) {
  copy.atom(); // its name
  copy.times(copy.number(), () => copy.atom()); // the modules that it imports
  copy.times(copy.number(), () => copyExport(copy));
  copy.times(copy.number(), () => copy.number()); // modules whose exports it exports
  copy.times(copy.number(), () => copyImport(copy));
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
  copy.atoms();
  copyValue(copy);
  const lean = copy.finish();
  lean.writeUInt32LE(checksum(lean.subarray(headSize)), 1);
  return lean;
}
