/** The Modbus units that a program asks, as a test plays them. */

import { ofProgram } from "../../native/of-program.ts";
import type { SimulatedPeer } from "../../native/simulated/net.ts";
import { world } from "../../native/simulated/world.ts";
import { numberOf } from "../../parts/client/connections.ts";
import { type SimulatedUnit, SimulatedUnits } from "../../parts/modbus/simulated-units.ts";

/** By device or server. */
const units = ofProgram(() => new Map<string, SimulatedUnits>());

/** Answers with the units' words once the program has sent its question. */
function answerSoon(all: SimulatedUnits, question: string, send: (bytes: string) => void): void {
  void Promise.resolve().then(() => send(all.answer(question)));
}

function playLine(path: string): SimulatedUnits {
  const all = new SimulatedUnits("rtu");
  const line = world().serial.line(path);
  line.onBytes = (question) => answerSoon(all, question, (bytes) => line.send(bytes));
  return all;
}

function playServer(target: string): SimulatedUnits {
  const all = new SimulatedUnits("tcp");
  numberOf(target);
  world().connector.servers.set(target, (peer: SimulatedPeer) => {
    const answer = () => {
      const question = peer.take();
      if (question !== "") answerSoon(all, question, (bytes) => peer.send(bytes));
    };
    peer.onEvent(answer);
    answer();
  });
  return all;
}

/**
 * A simulated Modbus unit, which `openModbus` and `modbusNoun` ask. It has 0 at each address until the test sets
 * another value, and stays until the next `reset`. A unit that no test has named does not answer.
 * @param place the serial device, or the server.
 * @param unit its number.
 *
 * @example
 * modbusUnit("/dev/ttyS1", 1).input.set(0, 2_301);
 * expect(await openModbus({ device: "/dev/ttyS1" }).read("input", 0, 1)).toEqual([2_301]);
 */
export function modbusUnit(place: string, unit = 1): SimulatedUnit {
  const all = units().get(place) ?? (place.startsWith("/") ? playLine(place) : playServer(place));
  units().set(place, all);
  return all.unit(unit);
}
