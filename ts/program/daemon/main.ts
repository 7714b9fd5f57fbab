/** The stock program: performs its command line, or prints one line that says why it cannot. */
import { rulesKey } from "../../parts/rules/part.ts";
import { hardware, loop, system } from "../../platform/platform.ts";
import { end, exitStatus, StartError } from "../../platform/start-error.ts";
import { Server } from "../application/server.ts";
import { find } from "../find/find.ts";
import { findButton } from "../find/find-button.ts";
import { findUnits } from "../find/find-units.ts";
import { billOfMaterials } from "./bom.ts";
import { fingerprints } from "./certificate.ts";
import { announcement, check } from "./check.ts";
import type { RegisterNouns } from "./check-nouns.ts";
import { parseCommandLine } from "./command-line.ts";
import { serve } from "./daemon.ts";
import { evidence } from "./evidence.ts";
import { forget } from "./forget.ts";
import { helpText } from "./help.ts";
import { printNewToken } from "./new-token.ts";
import { haveGuards, registerNouns } from "./register-nouns.ts";

/** Puts nouns on a server that does not listen. */
const register: RegisterNouns = (configuration, attempt) => {
  const server = new Server();
  registerNouns(server, { ...configuration, hasGuards: haveGuards(configuration.nouns) }, attempt);
  return { rules: server.core.parts.find(rulesKey), nouns: server.core.nouns };
};

/** If a server listens, the loop runs until a signal. Otherwise the program ends here. */
function main(): void {
  const command = parseCommandLine(system.args);
  switch (command.action) {
    case "serve":
      serve(command);
      return;
    case "help":
      system.printOutput(helpText());
      break;
    case "version":
      system.printOutput(`nound ${system.version} (${system.build}; GPIO: ${hardware().gpio.backends.join(", ")})\n`);
      break;
    case "bom":
      system.printOutput(billOfMaterials());
      break;
    case "check":
      endAfter(check(command, register).then(system.printOutput));
      return;
    case "forget":
      endAfter(forget(command));
      return;
    case "evidence":
      system.printOutput(evidence(command, register));
      break;
    case "find":
      endAfter(find());
      return;
    case "find-button":
      findButton().catch(fail);
      return;
    case "find-units":
      endAfter(findUnits(command.line));
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

function endAfter(work: Promise<void>): void {
  work.then(() => loop.exit(exitStatus.success), fail);
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
