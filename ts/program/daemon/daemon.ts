/** The stock program as an application: the nouns of a configuration on a server, until a signal ends it. */
import * as keeper from "nound:keeper";
import * as privileges from "nound:privileges";
import { releaseInherited } from "../../hardware/nouns/inherited-hardware.ts";
import { startConnections } from "../../parts/client/connections.ts";
import { areServersNamed } from "../../parts/client/servers.ts";
import { sealedAddress } from "../../platform/listen-address.ts";
import { logLack, logLine, logMessage } from "../../platform/log.ts";
import { freePassingParts } from "../../platform/passing-parts.ts";
import { system } from "../../platform/platform.ts";
import { withNeeds } from "../../platform/reach.ts";
import { attempt, end, exitStatus, HttpsError, StartError, sentenceOf } from "../../platform/start-error.ts";
import type { Server } from "../application/server.ts";
import type { ServeCommand } from "./command-line.ts";
import { announceDemonstration } from "./demonstration.ts";
import { prepare, registerAll } from "./prepare.ts";

/**
 * Listens on all addresses. If the certificate for some cannot be used, the log says so, and nound listens on the
 * others.
 * @returns the addresses as bound.
 * @throws Error with a sentence if one cannot be listened on otherwise, or if there are no others.
 */
function listenOn(server: Server, asked: readonly string[]): readonly string[] {
  const mayLackHttps = asked.some((address) => sealedAddress(address) === undefined);
  return asked.flatMap((address) => {
    try {
      return server.listen(address);
    } catch (error) {
      if (!(error instanceof HttpsError && mayLackHttps)) throw error;
      logLack("https", `nound does not listen on ${address} until a reload: ${error.message}`);
      return [];
    }
  });
}

/** Begins to serve. @throws StartError when it cannot, after which all is closed in order and the program ends. */
export function serve(command: ServeCommand): void {
  const { server, configuration, asked } = prepare(command);
  try {
    registerAll(server, configuration, command.config ?? "");
    // Before the broker's client is loaded, which takes the memory.
    freePassingParts();
    logMessage("errors", () => `nound ${system.version}`);
    const { former } = configuration;
    if (former)
      logMessage("errors", () => `${command.config}: ${former.length} words of an earlier version; see --check`);
    const { unavailable } = exitStatus;
    const addresses = attempt(unavailable, () => listenOn(server, asked));
    if (keeper.isSuccessor()) releaseInherited();
    if (areServersNamed()) attempt(unavailable, startConnections);
    // After this, a noun can open only files in the folders that it holds open, and files that it has asked for.
    logLine(`serving with ${attempt(unavailable, () => privileges.restrict(withNeeds({})))}`);
    if (command.config === undefined)
      announceDemonstration(
        addresses,
        server.nouns.map(([name]) => name),
      );
  } catch (error) {
    // The path of a Unix socket must be removed. An unexpected error is a mistake in this program.
    const reason = error instanceof StartError ? error : new StartError(sentenceOf(error), exitStatus.software);
    void server.close().then(() => end(reason));
  }
}
