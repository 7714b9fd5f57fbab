/** What the check of a reload leaves for the process that serves. */
import * as keeper from "nound:keeper";
import { readTokenText, tokensOf } from "../../core/access/token-file.ts";
import { interruption, system } from "../../platform/platform.ts";
import { isSame } from "../../platform/read-text.ts";
import { parseJson } from "../../settings/json.ts";
import type { LeftByCheck } from "../application/hand-over.ts";
import { readConfiguration } from "../configuration/configuration.ts";
import { type AccessFiles, changedFiles, tokenTextOf } from "./configured-files.ts";

/**
 * Leaves what has changed for the process that serves, which may still have requests under way: the tokens, and which
 * nouns the next process has. If only the tokens have changed, the check ends here.
 * @param unchanged those nouns, if the process that serves has guards.
 */
export function leaveChanges(configuration: AccessFiles, unchanged: LeftByCheck["outputs"]): void {
  const { tokens: path } = configuration.access;
  const changed = changedFiles();
  const text = path !== undefined && changed.has("tokens") ? tokenTextOf(configuration, path) : undefined;
  // Only another process begins to pair again.
  const hasTokens = text !== undefined && (text !== "" || configuration.pairing === undefined);
  const areAlone = hasTokens && changed.size === 1;
  const outputs = areAlone ? undefined : unchanged;
  if (!hasTokens && outputs === undefined) return;
  const left: LeftByCheck = {
    areAlone,
    ...(hasTokens && { text }),
    ...(outputs && { outputs }),
  };
  keeper.leave(JSON.stringify(left), true);
  keeper.handOver(!areAlone);
}

/**
 * Leaves the token file for the process that serves, and ends the check: all else is refused, but a token that was
 * withdrawn ends. Without a right token file, it returns.
 * @param served the text of the configuration that is served.
 */
export function leaveTokens(served: string): void {
  const { access } = interruption.exempt(() => readConfiguration(parseJson(served)));
  if (access.tokens === undefined) return;
  try {
    const text = readTokenText(system, access.tokens);
    tokensOf(access.tokens, text);
    const left: LeftByCheck = { areAlone: true, text, isOld: isSame("tokens", text) };
    keeper.leave(JSON.stringify(left), true);
    keeper.handOver();
  } catch {
    // The check that has refused all else has said so.
  }
}
