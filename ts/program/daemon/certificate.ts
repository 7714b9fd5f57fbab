/** What `--certificate` prints: the fingerprints of the certificate for https, and of its key. */
import { dayOf } from "../../parts/client/certificate-watch.ts";
import { certificateOf } from "../../parts/tls/part.ts";
import { sealedAddress } from "../../platform/listen-address.ts";
import { attempt, exitStatus, StartError } from "../../platform/start-error.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { loadConfiguration } from "./configured-files.ts";

/** @returns whether a configuration has encrypted connections from clients. @param listen replaces its addresses. */
export function isSealed({ listen: own }: Configuration, listen: readonly string[]): boolean {
  return (listen.length > 0 ? listen : own).some((address) => sealedAddress(address) !== undefined);
}

/** @returns the lines. @throws StartError if there is no certificate. */
export function fingerprints(config: string, listen: readonly string[]): string {
  const configuration = loadConfiguration(config);
  if (!isSealed(configuration, listen)) {
    throw new StartError(`${config}: no address in "listen" begins with https://`, exitStatus.configuration);
  }
  const { https, stateDirectory } = configuration;
  const options = { ...https, ...(stateDirectory !== undefined && { stateDirectory }) };
  const { certificate, key, end } = attempt(exitStatus.configuration, () => certificateOf(options), `${config}: `);
  return `SHA-256 of the certificate: ${certificate}\nSHA-256 of its key: ${key}\nvalid until ${dayOf(end)}\n`;
}
