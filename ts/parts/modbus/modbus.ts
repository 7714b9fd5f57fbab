/** Opens Modbus units. A bus has one owner here, whatever nouns and applications use its units. */
import * as serial from "nound:serial";
import { awaitReturn, stopWaiting } from "../../hardware/open/returning.ts";
import type { Socket } from "../../native/net.ts";
import { ofProgram } from "../../native/of-program.ts";
import type { SerialPort, SerialSettings } from "../../native/serial.ts";
import type { Milliseconds } from "../../native/units.ts";
import { nounClock } from "../../platform/noun-clock.ts";
import { isSimulated, system } from "../../platform/platform.ts";
import { addReach, opening } from "../../platform/reach.ts";
import { sentenceOf } from "../../platform/start-error.ts";
import { connect, numberOf } from "../client/connections.ts";
import { baudPattern } from "./baud.ts";
import { Bus, type Link, type LinkHandler } from "./bus.ts";
import { SimulatedUnits } from "./simulated-units.ts";
import { ModbusUnit } from "./unit.ts";

/**
 * Where a unit is.
 *
 * @example
 * const place: ModbusPlace = { server: "192.0.2.9:502", unit: 1 };
 * const inverter = openModbus(place);
 */
export interface ModbusPlace {
  /** The serial device of Modbus RTU: `/dev/ttyS1`. Give it or `server`. */
  readonly device?: string;
  /** The server of Modbus TCP: `192.0.2.9:502`. An application names it before `restrict`. */
  readonly server?: string;
  /** `rtu` for a server that passes on the bytes of a serial line as they are; `tcp` if left out. */
  readonly framing?: "tcp" | "rtu";
  /** The number of the unit: 1 to 247 on a serial line, 0 to 255 at a server; 1 if left out. */
  readonly unit?: number;
  /**
   * Bits a second, of a serial device; 9600 if left out. A text may have the form of a character behind it, and
   * `rs485` if the kernel must switch an RS-485 driver to sending by RTS: `19200 8E1 rs485`. The form is 8N1 if left
   * out; the standard has 8N2 for a line without parity.
   */
  readonly baud?: number | string;
  /** ms that the unit has for an answer, less than a noun has for an operation; 500 if left out. */
  readonly timeout?: Milliseconds;
}

/**
 * A serial device as a link. While its file is absent, it is looked for, because one that comes has another file: only
 * the next process may open it.
 */
export function serialLink(path: string, settings: SerialSettings): Link {
  const isThere = () => system.accessOf(path) !== undefined;
  let port: SerialPort | undefined;
  return {
    open(handler, done) {
      try {
        port = opening(path, () => serial.openPort(path, settings));
        port.handler = {
          onBytes: (bytes) => handler.onBytes(bytes),
          onDrain: () => {},
          onGone: () => {
            awaitReturn(isThere);
            handler.onGone(`${path} is gone`);
          },
        };
      } catch (error) {
        if (!isThere()) awaitReturn(isThere);
        done(sentenceOf(error));
        return;
      }
      stopWaiting(isThere);
      done();
    },
    send: (bytes) => void port?.write(bytes),
    close() {
      stopWaiting(isThere);
      port?.close();
      port = undefined;
    },
  };
}

/** ms for a connection. */
const connectTime = 4_000;

/** A connection to a server as a link. */
function socketLink(server: string): Link {
  const target = numberOf(server);
  let socket: Socket | undefined;
  /** The number of the attempt, so that a connection that comes too late is closed. */
  let attempt = 0;

  function close(): void {
    attempt += 1;
    socket?.close();
    socket = undefined;
  }

  function use(connected: Socket, handler: LinkHandler): void {
    const end = (reason: string) => {
      if (socket !== connected) return;
      close();
      handler.onGone(`${server} ${reason}`);
    };
    socket = connected;
    connected.handler = {
      onBytes: handler.onBytes, // that of a bus, which is a function of its own
      onEnd: () => end("has closed the connection"),
      onDrain: () => {},
      onGone: () => end("has broken the connection"),
    };
    connected.setLongLived();
  }

  return {
    open(handler, done) {
      attempt += 1;
      const asked = attempt;
      connect(target, connectTime, (connected, reason) => {
        if (asked !== attempt) connected?.close();
        else if (connected === undefined) done(`${server} cannot be reached: ${reason}`);
        else {
          use(connected, handler);
          done();
        }
      });
    },
    send: (bytes) => void socket?.writeBytes(bytes),
    close,
  };
}

/** A bus that is open. */
interface OpenBus {
  readonly bus: Bus;
  /** How its line is set. */
  readonly settings: string;
  users: number;
}

/** By device or server. */
const openBuses = ofProgram(() => new Map<string, OpenBus>());

/** The units of the simulated device, by device or server. */
const simulated = ofProgram(() => new Map<string, SimulatedUnits>());

/** @returns the units at a device or server of the simulated device. */
export function simulatedUnits(options: ModbusPlace): SimulatedUnits {
  const [place, framing] = [placeOf(options), framingOf(options)];
  const units = simulated().get(place) ?? new SimulatedUnits(framing);
  simulated().set(place, units);
  return units;
}

const parities = { N: "none", E: "even", O: "odd" } as const;

/** @returns the settings of a serial device. @throws TypeError for a text of another form. */
export function modbusSerial({ baud = 9_600 }: Pick<ModbusPlace, "baud">): SerialSettings {
  const [, rate, parity = "N", stop = "1", rs485] = baudPattern.exec(String(baud)) ?? [];
  if (rate === undefined) throw new TypeError(`The baud is a number, or a text such as 19200 8E1; it is ${baud}.`);
  return {
    baudRate: Number(rate),
    dataBits: 8,
    parity: parities[parity as keyof typeof parities],
    stopBits: stop === "2" ? 2 : 1,
    flowControl: "none",
    rs485: rs485 !== undefined,
  };
}

/** @returns the device or the server. @throws TypeError unless it is one of them. */
export function placeOf({ device, server }: ModbusPlace): string {
  if ((device === undefined) === (server === undefined)) {
    throw new TypeError('A Modbus unit has a "device" such as "/dev/ttyS1", or a "server" such as "192.0.2.9:502".');
  }
  return device ?? server ?? "";
}

function framingOf({ device, framing = device === undefined ? "tcp" : "rtu" }: ModbusPlace): "tcp" | "rtu" {
  return framing;
}

function makeBus(place: string, options: ModbusPlace): Bus {
  const settings = modbusSerial(options);
  const isConnection = options.device === undefined;
  if (!isConnection && !isSimulated && system.accessOf(place) !== undefined) addReach({ writable: [place] });
  const link = isSimulated ? simulatedUnits(options) : isConnection ? socketLink(place) : serialLink(place, settings);
  return new Bus(nounClock, link, { framing: framingOf(options), baud: settings.baudRate, isConnection });
}

/** Opens and closes the serial device. @throws Error with a sentence if it cannot be used. */
export function checkModbusDevice(options: ModbusPlace): void {
  const { device } = options;
  if (device !== undefined) serial.openPort(device, modbusSerial(options)).close();
}

/**
 * Opens a Modbus unit, behind a server or on a serial device. The device is opened when the first question is asked,
 * and again when it was gone. All units of a device or server share it.
 * @throws TypeError for options that are none, and for a device that is open with other settings.
 *
 * @example
 * const inverter = openModbus({ server: "192.0.2.9:502", unit: 1 });
 * const [watts = 0] = await inverter.read("holding", 40_083, 1);
 */
export function openModbus(options: ModbusPlace): ModbusUnit {
  const place = placeOf(options);
  const { unit = 1, timeout = 500 } = options;
  const [least, most] = options.device === undefined ? [0, 255] : [1, 247];
  if (!Number.isSafeInteger(unit) || unit < least || unit > most) {
    throw new TypeError(`A unit has a number from ${least} to ${most}; it is ${JSON.stringify(unit)}.`);
  }
  const settings = JSON.stringify([framingOf(options), modbusSerial(options)]);
  const open = openBuses().get(place) ?? { bus: makeBus(place, options), settings, users: 0 };
  if (open.settings !== settings) {
    throw new TypeError(`${place} has other settings already: all units of a line have the same baud and framing.`);
  }
  open.users += 1;
  openBuses().set(place, open);
  return new ModbusUnit(open.bus, unit, timeout, () => {
    open.users -= 1;
    if (open.users > 0) return;
    open.bus.close();
    if (openBuses().get(place) === open) openBuses().delete(place);
  });
}
