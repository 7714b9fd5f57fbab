/** What the stock program does at a command instead of serving. It prints or deletes something, and ends. */
import { rulesKey } from "../../parts/rules/part.ts";
import { hardware, system } from "../../platform/platform.ts";
import { Server } from "../application/server.ts";
import { find } from "../find/find.ts";
import { findButton } from "../find/find-button.ts";
import { findUnits } from "../find/find-units.ts";
import { billOfMaterials } from "./bom.ts";
import { fingerprints } from "./certificate.ts";
import { announcement, check } from "./check.ts";
import type { RegisterNouns } from "./check-nouns.ts";
import type { Command, ServeCommand } from "./command-line.ts";
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

/** @returns a promise that the command is done. @throws StartError if it cannot be. */
export async function perform(command: Exclude<Command, ServeCommand>): Promise<void> {
  switch (command.action) {
    case "help":
      return system.printOutput(helpText());
    case "version":
      return system.printOutput(
        `nound ${system.version} (${system.build}; GPIO: ${hardware().gpio.backends.join(", ")})\n`,
      );
    case "bom":
      return system.printOutput(billOfMaterials());
    case "check":
      return system.printOutput(await check(command, register));
    case "forget":
      return forget(command);
    case "evidence":
      return system.printOutput(evidence(command, register));
    case "find":
      return find();
    case "find-button":
      await findButton();
      // It ends the program once somebody presses.
      return new Promise(() => {});
    case "find-units":
      return findUnits(command.line);
    case "avahi":
      return system.printOutput(announcement(command));
    case "certificate":
      return system.printOutput(fingerprints(command.config, command.listen));
    case "new-token":
      return printNewToken(command.name);
  }
}
