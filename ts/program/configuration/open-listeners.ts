/** The listeners of a configuration that the network reaches and that need no token. */
import { isLocalAddress } from "../../platform/listen-address.ts";
import { system } from "../../platform/platform.ts";
import type { Configuration } from "./configuration.ts";

type Listening = Pick<Configuration, "access" | "modbusServer">;

/**
 * @param addresses that nound listens on, from the configuration or the command line.
 * @returns those that the network reaches without a token. A token file is read at the start, which fails if it has
 *   none.
 */
export function openAddresses({ access }: Listening, addresses: readonly string[]): readonly string[] {
  return access.tokens === undefined ? addresses.filter((address) => !isLocalAddress(address)) : [];
}

/** @returns why a configuration cannot be served: a line for each address that needs a token and has none. */
export function mistakesOfAccess(configuration: Listening, addresses: readonly string[]): readonly string[] {
  const { access, modbusServer } = configuration;
  if (access.required !== true && !system.isAccessRequired()) return [];
  const why = access.required === true ? '"access" has "required": true' : "this nound was built to require tokens";
  const open = openAddresses(configuration, addresses).map(
    (address) =>
      `$.listen: ${why}, and the network reaches ${address} without a token: name a token file as "tokens" in ` +
      '"access" (nound --new-token NAME makes a token), or listen on 127.0.0.1 or a Unix socket',
  );
  const masters = [modbusServer?.listen ?? []].flat().filter((address) => !isLocalAddress(address));
  const ofMasters = masters.map(
    (address) =>
      `$.modbusServer.listen: ${why}, and the network reaches ${address}, but Modbus has no tokens: listen on ` +
      '127.0.0.1, or serve a serial line ("device")',
  );
  return [...open, ...ofMasters];
}
