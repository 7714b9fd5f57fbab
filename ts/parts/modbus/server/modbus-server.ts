/** The server of Modbus of a server of nouns: its listeners, its clients and its line. */

import { addressOf } from "../../../core/access/client-address.ts";
import { grantOf } from "../../../core/access/grant.ts";
import { networkOf } from "../../../core/grammar/ip-network.ts";
import type { Verb } from "../../../core/noun/verb.ts";
import type { Host } from "../../../core/server/host.ts";
import type { Part } from "../../../core/server/part.ts";
import { Alarm } from "../../../core/time/alarm.ts";
import type { Listener, Socket } from "../../../native/net.ts";
import { logFailure, logLine } from "../../../platform/log.ts";
import { isSimulated } from "../../../platform/platform.ts";
import { modbusSerial, serialLink } from "../modbus.ts";
import { ModbusClient } from "./client.ts";
import { ModbusLine } from "./line.ts";
import type { ModbusServerOptions } from "./options.ts";
import { RegisterMap } from "./register-map.ts";

/**
 * Clients at once. At the limit, one that has asked nothing is closed for a new one: the first one of the address that
 * has most of them. So a crowd from one address takes no place of others, which are about to ask. Where all have asked,
 * it is the one whose last question is oldest.
 */
const mostClients = 32;

export class ModbusServer implements Part {
  private readonly host: Host;
  private readonly isFrom: (address: string) => boolean;
  private readonly map: RegisterMap;
  private readonly clients = new Set<ModbusClient>();
  private readonly listeners: Listener[] = [];
  private readonly line: ModbusLine | undefined;
  private isClosed = false;
  private finished: (() => void) | undefined;

  /** @throws Error with a sentence if an address cannot be listened on. */
  constructor(host: Host, options: ModbusServerOptions) {
    const { listen = [], device, unit = 1, may = "GET *", from, registers } = options;
    this.host = host;
    const networks = from?.map((text) => {
      const isInside = networkOf(text);
      if (isInside === undefined) throw new TypeError(`A network is such as 192.0.2.0/24; this is ${text}.`);
      return isInside;
    });
    this.isFrom = (address) => networks === undefined || networks.some((isInside) => isInside(address));
    const grants = [may].flat().map((one) => grantOf("may", one));
    const allows = (verb: Verb, noun: string) => grants.some((grant) => grant.allows(verb, noun));
    this.map = new RegisterMap(host.nouns, allows, registers, logFailure);
    for (const address of listen) {
      const listener = host.net.listen(address, (socket) => this.accept(socket));
      this.listeners.push(listener);
      logLine(`listening for Modbus on ${listener.address}`);
    }
    if (device === undefined || isSimulated) return;
    const settings = modbusSerial(options);
    const report = (sentence: string) => logFailure("modbusServer", sentence);
    this.line = new ModbusLine(
      host.clock,
      serialLink(device, settings),
      { unit, baud: settings.baudRate },
      this.map,
      report,
    );
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const listener of this.listeners) listener.close();
    this.line?.close();
    for (const client of [...this.clients]) client.finish();
  }

  finish(time: number): Promise<void> | undefined {
    this.close();
    if (this.clients.size === 0) return undefined;
    return new Promise((resolve) => {
      const { clock } = this.host;
      const alarm = new Alarm(clock, () => {
        for (const client of [...this.clients]) client.close();
      });
      this.finished = () => {
        alarm.stop();
        resolve();
      };
      alarm.set(clock.now() + time);
    });
  }

  private accept(socket: Socket): void {
    const address = addressOf(socket.peer);
    if (this.isClosed || !this.isFrom(address) || !this.makeRoom()) {
      socket.close();
      return;
    }
    const client = new ModbusClient(socket, this.host, this.map, `modbus ${address}`, () => {
      this.clients.delete(client);
      if (this.clients.size === 0) this.finished?.();
    });
    this.clients.add(client);
    socket.handler = client;
  }

  /** @returns whether there is room for one more client. */
  private makeRoom(): boolean {
    if (this.clients.size < mostClients) return true;
    const counts = new Map<string, number>();
    for (const { hasAsked, of } of this.clients) if (!hasAsked) counts.set(of, (counts.get(of) ?? 0) + 1);
    const count = ({ hasAsked, of }: ModbusClient) => (hasAsked ? 0 : (counts.get(of) ?? 0));
    let oldest: ModbusClient | undefined;
    for (const client of this.clients) {
      if (client.isBusy) continue;
      const more = count(client) - (oldest === undefined ? -1 : count(oldest));
      if (more > 0 || (more === 0 && client.usedAt < (oldest?.usedAt ?? 0))) oldest = client;
    }
    oldest?.close();
    return oldest !== undefined;
  }
}

/** Opens it: its module is loaded with that. */
export function openModbusServer(host: Host, options: ModbusServerOptions): ModbusServer {
  return new ModbusServer(host, options);
}
