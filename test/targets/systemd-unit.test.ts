/**
 * That the systemd unit lets nound make all system calls it makes, as one that is refused keeps it from starting. There
 * is no systemd to run it under here: the calls are those that the emulator tells of, the filter is what systemd makes
 * of the unit.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { isListening } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";

const top = resolve(import.meta.dirname, "../..");
const nound = join(top, "build/x86_64/nound");
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

/** The calls of a system call set such as `@system-service`, or the one call. */
function callsIn(name: string): readonly string[] {
  if (!name.startsWith("@")) return [name];
  const { stdout, status } = spawnSync("systemd-analyze", ["syscall-filter", "--no-pager", name], { encoding: "utf8" });
  expect(status, name).toBe(0);
  const [, ...lines] = stdout.split("\n").map((line) => line.trim());
  return lines.filter((line) => /^[@\w]/.test(line)).flatMap(callsIn);
}

/** What the lines `SystemCallFilter=` of a unit allow together (systemd.exec(5)). */
function allowedCalls(unit: string): ReadonlySet<string> {
  const allowed = new Set<string>();
  for (const [, sign, names = ""] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    for (const name of names.split(" ").flatMap(callsIn)) {
      if (sign === "~") allowed.delete(name);
      else allowed.add(name);
    }
  }
  return allowed;
}

/** Numbers of x86-64 that the emulator has no names for. */
const unnamed: Readonly<Record<string, string>> = {
  444: "landlock_create_ruleset",
  445: "landlock_add_rule",
  446: "landlock_restrict_self",
};

/** Starts nound, has it answer a request, ends it. @returns the names of the system calls it made. */
async function callsMade(folder: string): Promise<ReadonlySet<string>> {
  const socket = join(folder, "nound.sock");
  const configuration = join(folder, "nound.json");
  const nouns = { note: { kind: "value", default: { text: "hello" } } };
  writeFileSync(
    configuration,
    JSON.stringify({ listen: `unix:${socket}`, stateDirectory: join(folder, "state"), nouns }),
  );
  const child = spawn("qemu-x86_64-static", ["-strace", nound, "--config", configuration], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let trace = "";
  child.stderr.on("data", (bytes: Buffer) => {
    trace += bytes.toString("latin1");
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  // The socket is in its folder before it is listened to.
  await eventually("nound listens", () => isListening(`unix:${socket}`));
  const status = await new Promise((resolve, reject) => {
    const sent = request({ socketPath: socket, path: "/note", headers: { Host: "localhost" } }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode));
    });
    sent.once("error", reject);
    sent.end();
  });
  child.kill("SIGTERM");
  await ended;
  expect(status).toBe(200);
  const calls = [...trace.matchAll(/^\d+ (?:Unknown syscall (\d+)|([a-z]\w*)\()/gm)];
  return new Set(calls.map(([, number = "", name]) => name ?? unnamed[number] ?? `the call ${number}`));
}

test.skipIf(!hasSystemd || !existsSync(nound))(
  "the systemd unit allows every system call that nound makes",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "nound-unit-"));
    const made = await callsMade(folder);
    rmSync(folder, { recursive: true });
    const allowed = allowedCalls(readFileSync(join(top, "packaging/systemd/nound.service"), "utf8"));
    expect(made.size).toBeGreaterThan(20);
    // The emulator has no seccomp: what sets up the filter is not among the calls it tells of.
    expect([...made, "seccomp", "prctl"].filter((name) => !allowed.has(name))).toEqual([]);
  },
);
