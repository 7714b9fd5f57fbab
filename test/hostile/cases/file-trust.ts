/** Another user of the device prepares the files of a server that root starts. */

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freeAddress } from "../../harness/address.ts";
import { callHardware } from "../../harness/hardware-calls.ts";
import { configurationFile, NoundProcess } from "../../harness/nound-process.ts";
import { nouns } from "../../wire/nouns.ts";
import type { HostileCase, Outcome } from "../case.ts";

/** nobody, and its group. */
const other = 65_534;

/** A command of the other user's, which must succeed. */
function asOther(folder: string, script: string): void {
  const { status, stderr } = spawnSync(
    "setpriv",
    [`--reuid=${other}`, `--regid=${other}`, "--clear-groups", "sh", "-euc", script],
    { cwd: folder },
  );
  if (status !== 0) throw new Error(`The other user could not do its part: ${stderr}`);
}

const evil = JSON.stringify({ nouns: { evil: { kind: "value" } } });

const folders: string[] = [];

/** A folder that everyone may reach. */
function sharedFolder(mode: number): string {
  const folder = mkdtempSync("/tmp/nound-hostile-");
  folders.push(folder);
  chmodSync(folder, mode);
  return folder;
}

function ownFile(folder: string, text: string): string {
  const path = join(folder, "file");
  writeFileSync(path, text, { mode: 0o644 });
  return path;
}

/** What the other user has done: how root falls for it or is told why not, and what the refusal tells root to do. */
interface Trap {
  readonly said: () => Promise<string>;
  readonly advice: RegExp;
}

/** Starts a server with a configuration, which is to be refused. @returns what it says. */
function withConfig(path: string): () => Promise<string> {
  return async () => {
    const nound = new NoundProcess(["--config", path, "--listen", await freeAddress()], "");
    try {
      const { status, stdout, stderr } = await nound.ending();
      return status === 78 && stdout === "" && /^nound: [^\n]+\n$/.test(stderr)
        ? stderr
        : `${status}: ${stdout}${stderr}`;
    } finally {
      nound.kill();
    }
  };
}

const withTokens = (tokens: string) => withConfig(configurationFile({ nouns, access: { tokens } }));

/** Opens a folder of states. @returns what is thrown. */
function withStates(folder: string): () => Promise<string> {
  return async () => {
    const [result] = await callHardware(["storage", "openStore", folder]);
    return JSON.stringify(result);
  };
}

/** A token line that lets in everyone who knows the token. */
const line = `evil GET,PUT,POST,DELETE * ${"0".repeat(64)}\n`;

const traps: { readonly [name: string]: () => Trap } = {
  "a link in the middle of the path": () => {
    const [shared, mine] = [sharedFolder(0o1777), sharedFolder(0o755)];
    ownFile(mine, evil);
    asOther(shared, `ln -s ${mine} link`);
    return { said: withConfig(`${shared}/link/file`), advice: /remove that link/ };
  },
  "a link at the end of the path": () => {
    const [shared, mine] = [sharedFolder(0o1777), sharedFolder(0o755)];
    asOther(shared, `ln -s ${ownFile(mine, evil)} link`);
    return { said: withConfig(`${shared}/link`), advice: /remove that link/ };
  },
  "a configuration that a group may write": () => {
    const path = ownFile(sharedFolder(0o755), "{}");
    chownSync(path, 0, other);
    chmodSync(path, 0o664);
    asOther("/", `echo '${evil}' > ${path}`);
    return { said: withConfig(path), advice: /chmod g-w it/ };
  },
  "a token file that a group may write": () => {
    const path = ownFile(sharedFolder(0o755), "");
    chownSync(path, 0, other);
    chmodSync(path, 0o664);
    asOther("/", `echo '${line}' > ${path}`);
    return { said: withTokens(path), advice: /chmod g-w it/ };
  },
  "a folder that a group may write": () => {
    const folder = sharedFolder(0o775);
    chownSync(folder, 0, other);
    const path = ownFile(folder, evil);
    asOther(folder, "mv file old; cp old file; mv -f old file");
    chownSync(path, 0, 0);
    return { said: withConfig(path), advice: /chmod g-w that folder/ };
  },
  "another user's folder": () => {
    const shared = sharedFolder(0o1777);
    asOther(shared, "mkdir mine");
    return { said: withConfig(ownFile(`${shared}/mine`, evil)), advice: /chown that folder/ };
  },
  "another user's folder for states": () => {
    const shared = sharedFolder(0o1777);
    asOther(shared, "mkdir states");
    return { said: withStates(`${shared}/states`), advice: /chown that folder/ };
  },
  "a folder for states that everyone may write": () => {
    const folder = join(sharedFolder(0o755), "states");
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    asOther(folder, `echo '{"evil":1}' > kept`);
    return { said: withStates(folder), advice: /chmod o-w that folder/ };
  },
  "a folder for states behind another user's link": () => {
    const shared = sharedFolder(0o1777);
    asOther(shared, "ln -s /etc states");
    return { said: withStates(`${shared}/states/nound`), advice: /remove that link/ };
  },
};

async function expectRefused(name: string, { said, advice }: Trap): Promise<void> {
  const sentence = await said();
  if (!/cannot (?:trust|store states in)/.test(sentence) || !advice.test(sentence))
    throw new Error(`Root took ${name}, or was not told what to do: ${sentence}`);
}

async function run(): Promise<Outcome> {
  const tried = Object.entries(traps);
  try {
    for (const [name, prepare] of tried) await expectRefused(name, prepare());
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
  return { tried: tried.length, refused: tried.length, survived: "each with a sentence that says what to change" };
}

/** The case; only root can be attacked so. */
export const fileTrust: readonly HostileCase[] =
  process.getuid?.() === 0 ? [{ name: "files that another user prepares for root", run }] : [];
