/** The stock program: performs its command line, or prints one line that says why it cannot. */
import { loop, system } from "../../platform/platform.ts";
import { end, exitStatus, StartError } from "../../platform/start-error.ts";
import { parseCommandLine } from "./command-line.ts";
import { perform } from "./commands.ts";
import { serve } from "./daemon.ts";

/** If a server listens, the loop runs until a signal. Otherwise the program ends once the command is done. */
function main(): void {
  const command = parseCommandLine(system.args);
  if (command.action === "serve") serve(command);
  else perform(command).then(() => loop.exit(exitStatus.success), fail);
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
