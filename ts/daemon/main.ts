/** The stock program: performs its command line, or prints one line that says why it cannot. */
import { hardware, loop, system } from "../application/platform.ts";
import { Server } from "../application/server.ts";
import { end, exitStatus, StartError } from "../application/start-error.ts";
import { find } from "../find/find.ts";
import { findButton } from "../find/find-button.ts";
import { findMirrors } from "../find/find-mirrors.ts";
import { findUnits } from "../find/find-units.ts";
import { fingerprints } from "./certificate.ts";
import { announcement, check } from "./check.ts";
import type { RegisterNouns } from "./check-nouns.ts";
import { parseCommandLine } from "./command-line.ts";
import { serve } from "./daemon.ts";
import { printHelp } from "./help.ts";
import { printNewToken } from "./new-token.ts";
import { haveGuards, registerNouns } from "./register-nouns.ts";
import { runApplication } from "./run-application.ts";

/** Puts nouns on a server that does not listen. */
const register: RegisterNouns = (configuration, attempt) => {
  const server = new Server();
  const hasGuards = haveGuards(configuration.nouns);
  return { rules: registerNouns(server, { ...configuration, hasGuards }, attempt), nouns: server.core.nouns };
};

/** If a server listens or an application runs, the loop runs until a signal. Otherwise the program ends here. */
function main(): void {
  const command = parseCommandLine(system.args);
  switch (command.action) {
    case "serve":
      serve(command);
      return;
    case "run":
      runApplication(command);
      return;
    case "help":
      printHelp();
      break;
    case "version":
      system.printOutput(`nound ${system.version} (${system.build}; GPIO: ${hardware().gpio.backends.join(", ")})\n`);
      break;
    case "check":
      check(command, register).then((summary) => {
        system.printOutput(summary);
        loop.exit(exitStatus.success);
      }, fail);
      return;
    case "find":
      find().then(() => loop.exit(exitStatus.success), fail);
      return;
    case "find-button":
      findButton().catch(fail);
      return;
    case "find-mirrors":
      findMirrors().then(() => loop.exit(exitStatus.success), fail);
      return;
    case "find-units":
      findUnits(command.line).then(() => loop.exit(exitStatus.success), fail);
      return;
    case "avahi":
      system.printOutput(announcement(command));
      break;
    case "certificate":
      system.printOutput(fingerprints(command.config, command.listen));
      break;
    case "new-token":
      printNewToken(command.name);
      break;
  }
  loop.exit(exitStatus.success);
}

function fail(error: unknown): void {
  if (!(error instanceof StartError)) throw error;
  end(error);
}

try {
  main();
} catch (error) {
  fail(error);
}
