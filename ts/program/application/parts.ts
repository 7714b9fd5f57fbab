/** The options of a server, and its parts in the order in which it asks them. */
import type { AccessOptions } from "../../core/access/access.ts";
import type { ServerLimits } from "../../core/server/options.ts";
import type { PartPlan } from "../../core/server/part.ts";
import type { HttpServer } from "../../core/server/server.ts";
import { type ChangesOptions, changes } from "../../parts/changes/part.ts";
import { type DeviceOptions, documents } from "../../parts/documents/part.ts";
import { guards } from "../../parts/guards/part.ts";
import { type HistoryOptions, history } from "../../parts/history/part.ts";
import { type ModbusServerOptions, modbusServer } from "../../parts/modbus/server/part.ts";
import { type MqttOptions, mqtt } from "../../parts/mqtt/part.ts";
import { type PairingOptions, pairing } from "../../parts/pairing/part.ts";
import { rules } from "../../parts/rules/part.ts";
import { streams } from "../../parts/streams/part.ts";
import { type HttpsOptions, https, httpsKey } from "../../parts/tls/part.ts";
import { keptFailures, type LogLevel, logFailure, logLine } from "../../platform/log.ts";
import { randomNumber } from "../../platform/random-number.ts";
import { deviceFacts } from "./device-facts.ts";

/**
 * The options of a server.
 *
 * @example
 * const options: ServerOptions = { limits: { bodyBytes: 1_024 }, log: "errors" };
 * const server = new Server(options);
 */
export interface ServerOptions extends ChangesOptions, HistoryOptions {
  /** Limits that differ from `defaultLimits`. */
  readonly limits?: Partial<ServerLimits>;
  /**
   * What is logged to standard error while the server runs; nothing if left out. `--debug` and NOUND_DEBUG=1 have
   * requests logged.
   */
  readonly log?: LogLevel;
  /**
   * Access: tokens, hosts and origins. Without it, everyone who reaches the server may do everything; pages of other
   * origins may change nothing.
   */
  readonly access?: AccessOptions;
  /**
   * The broker to which the server speaks from its first `listen` on. Of the servers of a program, one may have a
   * broker.
   */
  readonly mqtt?: MqttOptions;
  /** The certificate, for addresses that begin with `https://`. */
  readonly https?: HttpsOptions;
  /** Nouns as coils and registers, for masters of Modbus. It opens with the first `listen`. */
  readonly modbusServer?: ModbusServerOptions;
  /** @internal */
  readonly pairing?: PairingOptions | undefined;
}

/**
 * @param listens the addresses that the server listens on. Those that come later are added.
 * @param server gives the server, once it is made.
 * @throws RangeError or TypeError for an option that is malformed.
 */
export function partsOf(
  options: ServerOptions & DeviceOptions,
  listens: readonly string[],
  server: () => HttpServer,
): readonly PartPlan[] {
  const { access = {} } = options;
  const certificate = () => server().parts.find(httpsKey)?.certificate?.certificate;
  const plans = [
    // Guards judge what the nouns begin with, before the list of changes notes it.
    guards(logFailure),
    // A stream of the changes has the path of a document.
    changes(options, { log: logLine, failures: keptFailures }),
    // Documents and the page have paths that no noun has.
    documents(options, deviceFacts(options, access, { certificate })),
    options.pairing && pairing(options.pairing, server),
    // Any other request that prefers events is for the streams, any other one that prefers CSV for the history.
    streams(randomNumber),
    history(options),
    modbusServer(options.modbusServer),
    mqtt(options.mqtt, options, listens),
    rules,
    https(options.https ?? {}, access.hosts, server),
  ];
  return plans.filter((plan) => plan !== undefined);
}
