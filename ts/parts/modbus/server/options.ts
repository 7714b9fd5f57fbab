/** The options of a server of Modbus. */
import type { Table } from "../functions.ts";
import type { ValueOrder, ValueType } from "../values.ts";

/**
 * A key of a noun in registers.
 *
 * @example
 * const cellar: ServedRegister = { key: "cellar.celsius", as: "int16", scale: 0.1, none: 32_768 };
 */
export interface ServedRegister {
  /** The noun, a dot and the key: `cellar.celsius`. */
  readonly key: string;
  /** The type in registers; `uint16` if left out. */
  readonly as?: ValueType;
  /** The order of bytes; `ABCD` if left out. */
  readonly order?: ValueOrder;
  /** Of a `string`: its bytes, two in each register. */
  readonly length?: number;
  /** The value is the number of the registers, times this; 1 if left out. */
  readonly scale?: number;
  /** A number to add to that; 0 if left out. */
  readonly offset?: number;
  /** The number of the registers while there is no value; a question for them is refused then if left out. */
  readonly none?: number;
}

/**
 * The tables of a server: by its first address, a key of a noun, or that key with its form.
 *
 * @example
 * const celsius: ServedRegister = { key: "cellar.celsius", as: "float32" };
 * const registers: ServedRegisters = { coil: { 0: "heater.on" }, input: { 0: celsius } };
 */
export type ServedRegisters = { readonly [table in Table]?: { readonly [address: string]: string | ServedRegister } };

/**
 * A server of Modbus: nouns as coils and registers.
 *
 * @example
 * const modbusServer: ModbusServerOptions = { listen: ["127.0.0.1:502"], registers: { coil: { 0: "heater.on" } } };
 * const server = new Server({ modbusServer });
 */
export interface ModbusServerOptions {
  /** The addresses of Modbus TCP: `0.0.0.0:502`. */
  readonly listen?: readonly string[];
  /** The serial device on whose line the server is a unit. */
  readonly device?: string;
  /** The number of that unit, 1 to 247; 1 if left out. By TCP, each number is answered. */
  readonly unit?: number;
  /** Bits a second, of the serial device, and the form of a character: `19200 8E1`, as for a unit; 9600 if left out. */
  readonly baud?: number | string;
  /** Verbs and nouns, as in a token file: `GET,POST heater`; or several. Reading alone, `GET *`, if left out. */
  readonly may?: string | readonly string[];
  /** The networks whose clients may connect: `192.0.2.0/24`. All if left out. */
  readonly from?: readonly string[];
  /** The nouns' keys, by table and address. */
  readonly registers: ServedRegisters;
}
