/**
 * Messages of D-Bus, as `--find mirrors` exchanges them with Avahi (D-Bus Specification, "Type System" and "Message
 * Protocol"). Texts are bytes, one character each. Only those types are known that Avahi uses.
 */

/** A number for `y`, `q`, `i` and `u`; bytes for `s`, `o` and `g`; a list for an array and a struct. */
export type BusValue = number | string | readonly BusValue[];

/** A call of a method. */
export interface BusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** The types of `values`; "" for none. */
  readonly signature: string;
  readonly values: readonly (number | string)[];
}

/** Bytes of a message: those of Avahi have a few hundred. */
const mostBytes = 65_536;

/** Bytes of a head up to the length of its fields, with that length. */
const fixedHead = 16;

/** The services are started by nobody's question: flag NO_AUTO_START. */
const noAutoStart = 2;

const unknownType = "a value has a type that is not known here";

const kinds = ["other", "call", "answer", "error", "signal"] as const;

const codes = { path: 1, interface: 2, member: 3, error: 4, answers: 5, destination: 6, signature: 8 } as const;

const bytesOf = (...codePoints: readonly number[]) => String.fromCharCode(...codePoints);
const lengthTo = (alignment: number, length: number) => (alignment - (length % alignment)) % alignment;

const uint32 = (value: number) => bytesOf(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24);

/** @returns the bytes, and zeros so that the next value begins at a multiple of `alignment`. */
const padded = (bytes: string, alignment: number) => bytes + "\0".repeat(lengthTo(alignment, bytes.length));

/** @returns the bytes with one more value. @param type `i`, `u`, `s`, `o` or `g`. */
function withValue(bytes: string, type: string, value: number | string): string {
  if (typeof value === "number") return padded(bytes, 4) + uint32(value);
  if (type === "g") return `${bytes}${bytesOf(value.length)}${value}\0`;
  return `${padded(bytes, 4)}${uint32(value.length)}${value}\0`;
}

/** @param serial not 0, and another one for each call. @returns the bytes of a call. */
export function callBytes({ signature, values, ...fields }: BusCall, serial: number): string {
  const body = values.reduce<string>((bytes, value, index) => withValue(bytes, signature[index] ?? "", value), "");
  const typed = [
    [codes.path, "o", fields.path],
    [codes.interface, "s", fields.interface],
    [codes.member, "s", fields.member],
    [codes.destination, "s", fields.destination],
    [codes.signature, "g", signature],
  ] as const;
  let array = "";
  for (const [code, type, value] of typed) {
    if (value !== "") array = withValue(`${padded(array, 8)}${bytesOf(code, 1)}${type}\0`, type, value);
  }
  const head = `l${bytesOf(1, noAutoStart, 1)}${uint32(body.length)}${uint32(serial)}${uint32(array.length)}`;
  return padded(head + array, 8) + body;
}

/** Reads values one after the other. */
class ValueReader {
  private readonly bytes: string;
  private readonly isLittle: boolean;
  position: number;

  constructor(bytes: string, isLittle: boolean, position: number) {
    this.bytes = bytes;
    this.isLittle = isLittle;
    this.position = position;
  }

  /** @param signature of all values. @throws Error for bytes that are not of these types. */
  readAll(signature: string): readonly BusValue[] {
    const values: BusValue[] = [];
    for (let rest = signature; rest !== ""; ) {
      const type = firstType(rest);
      values.push(this.read(type));
      rest = rest.slice(type.length);
    }
    return values;
  }

  align(alignment: number): void {
    this.position += lengthTo(alignment, this.position);
  }

  private read(type: string): BusValue {
    switch (type[0]) {
      case "y":
        return this.unsigned(1);
      case "q":
        return this.unsigned(2);
      case "u":
        return this.unsigned(4);
      case "i":
        return this.unsigned(4) | 0;
      case "s":
      case "o":
        return this.text(this.unsigned(4));
      case "g":
        return this.text(this.unsigned(1));
      case "v":
        return this.read(firstType(this.text(this.unsigned(1))));
      case "(":
        this.align(8);
        return this.readAll(type.slice(1, -1));
      case "a":
        return this.array(type.slice(1));
      default:
        throw new Error(unknownType);
    }
  }

  private array(type: string): BusValue {
    const length = this.unsigned(4);
    if (type.startsWith("(")) this.align(8);
    const end = this.position + length;
    if (end > this.bytes.length) throw new Error("an array is longer than its message");
    const values: BusValue[] = [];
    while (this.position < end) values.push(this.read(type));
    return values;
  }

  private unsigned(size: number): number {
    this.align(size);
    const bytes = this.take(size);
    let value = 0;
    for (let index = 0; index < size; index++) {
      value = value * 256 + bytes.charCodeAt(this.isLittle ? size - 1 - index : index);
    }
    return value;
  }

  private text(length: number): string {
    const text = this.take(length);
    this.take(1); // the zero at its end
    return text;
  }

  private take(length: number): string {
    const end = this.position + length;
    if (end > this.bytes.length) throw new Error("a value is longer than its message");
    const bytes = this.bytes.slice(this.position, end);
    this.position = end;
    return bytes;
  }
}

/** @returns the first complete type of a signature. @throws Error for one that is not known here. */
function firstType(signature: string): string {
  const [type] = /^a*(?:[b-z]|\([b-z]+\))/.exec(signature) ?? [];
  if (type === undefined) throw new Error(unknownType);
  return type;
}

/** @param fields pairs of a code and a value. @returns the text of one; "" if it is not there. */
function textField(fields: readonly BusValue[], code: number): string {
  const field = fieldOf(fields, code);
  return typeof field === "string" ? field : "";
}

function fieldOf(fields: readonly BusValue[], code: number): BusValue | undefined {
  const pair = fields.find((field): field is readonly BusValue[] => typeof field === "object" && field[0] === code);
  return pair?.[1];
}

/**
 * @param bytes that have come and were not read yet.
 * @returns the first message with its length in bytes; undefined if it has not come whole.
 * @throws Error with the end of a sentence for what is none, or is too long.
 */
export function readMessage(bytes: string) {
  if (bytes.length < fixedHead) return undefined;
  if (bytes[0] !== "l" && bytes[0] !== "B") throw new Error("what comes is no message of D-Bus");
  const isLittle = bytes[0] === "l";
  const [bodyBytes = 0, , fieldBytes = 0] = new ValueReader(bytes, isLittle, 4).readAll("uuu") as readonly number[];
  const headBytes = fixedHead + fieldBytes + lengthTo(8, fieldBytes);
  const length = headBytes + bodyBytes;
  if (length > mostBytes) throw new Error(`a message has ${length} bytes`);
  if (bytes.length < length) return undefined;
  const reader = new ValueReader(bytes.slice(0, length), isLittle, fixedHead - 4);
  const [fields = []] = reader.readAll("a(yv)") as readonly (readonly BusValue[])[];
  reader.align(8);
  const answers = fieldOf(fields, codes.answers);
  const message = {
    kind: kinds[bytes.charCodeAt(1)] ?? "other",
    /** The serial number of the call that an answer or an error is for; 0 for others. */
    answers: typeof answers === "number" ? answers : 0,
    member: textField(fields, codes.member),
    /** The name of an error; "" for others. */
    error: textField(fields, codes.error),
    values: reader.readAll(textField(fields, codes.signature)),
  };
  return { message, length };
}

/** A message that came. */
export type BusMessage = NonNullable<ReturnType<typeof readMessage>>["message"];
