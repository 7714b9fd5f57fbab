/** Tries the hardware of a configuration without moving it, for `--check`. */
import { observeFailures } from "../../platform/log.ts";
import { hardware } from "../../platform/platform.ts";
import { sentenceOf } from "../../platform/start-error.ts";
import type { NounContext, TriedHardware } from "../../settings/noun-kind.ts";
import type { Configuration } from "./configuration.ts";

/** What came of trying. */
export interface Trial {
  /** By the noun's name, why it could not be made or read: a sentence. */
  readonly mistakes: ReadonlyMap<string, string>;
  /** The names of the nouns with hardware that this machine has none of. */
  readonly untried: readonly string[];
}

/** @returns whether this machine has any such hardware. A folder of only `export` and `unexport` has none. */
async function isHere({ folders }: TriedHardware): Promise<boolean> {
  for (const folder of folders) {
    const names = await hardware()
      .files.listFolder(folder, 4_096)
      .catch(() => []);
    if (names.some((name) => !name.endsWith("export"))) return true;
  }
  return false;
}

/** @returns what came of trying the hardware of all nouns, one after the other. */
export async function tryHardware({ nouns }: Configuration): Promise<Trial> {
  const mistakes = new Map<string, string>();
  const untried: string[] = [];
  let failure: string | undefined;
  // Sensors tell the log why they cannot be read, and clients only that.
  observeFailures((_what, description) => {
    failure ??= description;
  });
  const openStore: NounContext["openStore"] = () => hardware().storage.openStore("");
  for (const [name, { hardware: tried }] of nouns) {
    if (tried === undefined) continue;
    if (!(await isHere(tried))) {
      untried.push(name);
      continue;
    }
    failure = undefined;
    try {
      await tried.attempt({ name, openStore, report: () => {} });
    } catch (error) {
      failure ??= sentenceOf(error);
    }
    if (failure !== undefined) mistakes.set(name, failure);
  }
  return { mistakes, untried };
}
