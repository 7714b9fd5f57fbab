/** The command lines of the project's own programs. */
import { type ParseArgsConfig, parseArgs } from "node:util";

type Described = NonNullable<ParseArgsConfig["options"]>;

/**
 * Reads the options of this process. `--help` prints `help` and ends it with 0; an option that is not known or lacks
 * its value ends it with 2 and a sentence.
 * @param name of the program, before the sentence.
 */
export function readOptions<const T extends Described>(name: string, help: string, options: T) {
  try {
    // The type of what is parsed with an option that is not in T is lost on the compiler.
    const { help: wantsHelp } = parseArgs({ options: { ...options, help: { type: "boolean" } } }).values as {
      readonly help?: boolean;
    };
    if (wantsHelp === true) {
      process.stdout.write(help);
      process.exit(0);
    }
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}
