/** What another user of the device, and the end of the keeper, may do to a server at its reload and at its start. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { commandOf } from "../../harness/environment.ts";
import { eventually } from "../../harness/eventually.ts";
import { configurationFile, NoundProcess } from "../../harness/nound-process.ts";
import { nouns } from "../../wire/nouns.ts";
import type { HostileCase, Outcome } from "../case.ts";

const [program] = commandOf("nound");

/** Starts a command as nobody. */
function asOther(...command: readonly string[]): ChildProcess {
  const words = ["--reuid=65534", "--regid=65534", "--clear-groups", ...command];
  return spawn("setpriv", words, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Serves on a port of the kernel's choice. */
function start(path: string, wrapper: readonly string[] = []): NoundProcess {
  return new NoundProcess(["--config", path, "--listen", "127.0.0.1:0"], "", { wrapper });
}

/** Waits until the start is over. */
async function started(nound: NoundProcess): Promise<void> {
  await eventually("it serves", () => nound.pid !== nound.keeper && nound.printed.includes("listening on"));
}

const file = () => configurationFile(JSON.stringify({ nouns, log: "requests" }));

/** Reloads by the command line. @returns its status. */
async function reload(nound: NoundProcess): Promise<number | null> {
  const command = execFile(program, ["--reload", String(nound.keeper)], () => undefined);
  const [status] = (await once(command, "exit")) as [number | null];
  return status;
}

/** The program lies in a folder of everyone: another user removes it, and puts his own there. */
async function replaceProgram(): Promise<Outcome> {
  const tries = 3;
  for (let index = 0; index < tries; index++) {
    const folder = mkdtempSync("/tmp/nound-hostile-");
    const [path, mark] = [join(folder, "nound"), join(folder, "root-was-here")];
    copyFileSync(program, path);
    chmodSync(path, 0o755);
    chmodSync(folder, 0o777);
    const nound = start(file(), ["sh", "-c", `shift; exec ${path} "$@"`, "sh"]);
    try {
      await started(nound);
      const { pid } = nound;
      const script = `rm ${path}; printf '#!/bin/sh\\nid -u > ${mark}\\n' > ${path}; chmod 755 ${path}`;
      const [status] = (await once(asOther("sh", "-euc", script), "exit")) as [number | null];
      if (status !== 0) throw new Error("The other user could not replace the program.");
      if ((await reload(nound)) !== 69) throw new Error("The reload did not fail.");
      if (existsSync(mark)) throw new Error("Root has executed another user's file.");
      if (!/not reloaded: root cannot trust the new program/.test(nound.printed)) throw new Error("The log is silent.");
      if (nound.pid !== pid) throw new Error("The process with the nouns is another one.");
      await nound.stop();
    } finally {
      nound.kill();
      rmSync(folder, { recursive: true });
    }
  }
  return { tried: tries, refused: tries, survived: "the running one goes on" };
}

/** Takes the abstract names nound-reload-N of the next thousands of processes, or tells each that it is reloaded. */
const names = `
  use Socket;
  my ($first, $binds) = @ARGV;
  my @held;
  socket(my $sender, PF_UNIX, SOCK_DGRAM, 0);
  for my $process ($first .. $first + 4000) {
    my $name = pack_sockaddr_un("\\0nound-reload-$process");
    last if !$binds;
    socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die;
    bind($socket, $name) and push @held, $socket;
  }
  $| = 1;
  print "ready\\n";
  while (!$binds) {
    send($sender, "1", 0, pack_sockaddr_un("\\0nound-reload-$_")) for $first .. $first + 4000;
  }
  sleep 600;
`;

/** Another user takes the names of sockets, or answers in the keeper's place, where names can be known. */
async function takeNames(): Promise<Outcome> {
  const path = file();
  const nound = start(path);
  const tries = 5;
  const good = readFileSync(path, "utf8");
  const attack = async (binds: "0" | "1", expected: number): Promise<void> => {
    const words = ["sh", "-c", `ulimit -n 5000; exec "$@"`, "sh", "perl", "-e", names, String(nound.keeper), binds];
    const other = asOther(...words);
    try {
      if (other.stdout !== null) await once(other.stdout, "data");
      for (let index = 0; index < tries; index++) {
        const status = await reload(nound);
        if (status !== expected) throw new Error(`The command ended with ${status}, and should with ${expected}.`);
      }
    } finally {
      other.kill("SIGKILL");
    }
  };
  try {
    await started(nound);
    await attack("1", 0);
    writeFileSync(path, good.replace(/"kind":"\w+"/, '"kind":"wrong"'));
    await attack("0", 69);
    writeFileSync(path, good);
    await nound.stop();
  } finally {
    nound.kill();
  }
  return { tried: 2 * tries, refused: 2 * tries, survived: "each command told what has happened" };
}

/** @returns the processes that have a word on their command line. */
function processesWith(word: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "latin1").includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The keeper is killed at any moment of the start. */
async function killKeepers(): Promise<Outcome> {
  const [tried, path] = [1_000, file()];
  for (let index = 0; index < tried; index++) {
    const nound = start(path);
    await eventually("it is started", () => nound.pid !== nound.keeper);
    if (index % 2 === 1) await delay(Math.random() * 30);
    nound.kill(); // its end is not awaited: a server that went on would hold its pipes
  }
  try {
    await eventually("no process has outlived its keeper", () => processesWith(path).length === 0);
  } finally {
    for (const id of processesWith(path)) process.kill(id, "SIGKILL");
  }
  return { tried, refused: 0, survived: "no server outlived its keeper" };
}

const ofRoot: readonly HostileCase[] = [
  { name: "another user's program in place of root's at a reload", run: replaceProgram },
  { name: "another user's answers to a command that reloads", run: takeNames },
];

/** The cases; only root can become another user. */
export const otherUsers: readonly HostileCase[] = [
  ...(process.getuid?.() === 0 ? ofRoot : []),
  { name: "keepers killed at the start of a server", run: killKeepers },
];
