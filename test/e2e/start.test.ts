/** `npm start`, as the README says: a demonstration, built by the system's compiler and without TLS. */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freeAddress, isListening } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, temporaryPath } from "../harness/nound-process.ts";
import { top } from "../harness/top.ts";

test.each([
  { what: "the demonstration", says: (address: string) => `open http://${address}/` },
  {
    what: "a configuration",
    nouns: { led: { kind: "switch", key: "led" } },
    says: (address: string) => `1 noun, listens on ${address}, `,
  },
])("npm start serves $what, says where in few lines, until Ctrl-C", async ({ nouns, says }) => {
  const address = await freeAddress();
  const configured = nouns === undefined ? [] : ["--config", configurationFile(JSON.stringify({ nouns }))];
  const options = { cwd: top, detached: true } as const;
  const started = spawn("npm", ["start", "--silent", "--", "--listen", address, ...configured], options);
  let printed = "";
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  const ended = new Promise((resolve) => started.once("close", resolve));
  await eventually(`it serves: ${printed}`, () => isListening(address) || started.exitCode !== null);
  const answer = await fetch(`http://${address}/led`);
  expect(await answer.json()).toEqual({ led: 0 });
  await eventually("it says where", () => printed.includes(says(address)));
  expect(printed.trimEnd().split("\n").length).toBeLessThanOrEqual(5);
  // As a terminal sends it: to all of the group.
  process.kill(-(started.pid ?? 0), "SIGINT");
  await ended;
  expect(isListening(address)).toBe(false);
});

test("the demonstration's stack is as deep as that of the optimized program", () => {
  const words = ["tools/build/build.mjs", "demonstration", "--part=nound-runtime"];
  const build = spawnSync(process.execPath, words, { cwd: top, encoding: "utf8" });
  expect(build.status, build.stderr).toBe(0);
  const script = temporaryPath("deep.js");
  writeFileSync(
    script,
    `let deepest = 0;
const deeper = (n) => [n].map(() => ((deepest = n), deeper(n + 1)));
try { deeper(1); } catch { throw new Error("depth " + deepest); }`,
  );
  const environment = { ...process.env, NOUND_APPLICATION: script };
  const program = join(top, "build/demonstration/nound-runtime");
  const { stderr } = spawnSync(program, { env: environment, encoding: "utf8" });
  expect(Number(/depth (\d+)/.exec(stderr)?.[1])).toBeGreaterThan(70);
});

test.each(["nound.js", "page.c"])("the build makes %s beside the engine, not after it", (file) => {
  const build = spawnSync(process.execPath, ["tools/build/build.mjs", "demonstration"], { cwd: top, encoding: "utf8" });
  expect(build.status, build.stderr).toBe(0);
  const statements = readFileSync(join(top, "build/demonstration/build.ninja"), "utf8");
  const [statement = ""] = statements.split("\n").filter((line) => line.startsWith(`build ${file} `));
  expect(statement).toMatch(/: CUSTOM_COMMAND /);
  // What follows || must be there first.
  expect(statement.split("||")[1] ?? "").not.toContain("quickjs");
});

test("a program without TLS is smaller, and refuses each encrypted address by its build", () => {
  const build = spawnSync(process.execPath, ["tools/build/build.mjs", "demonstration"], { cwd: top, encoding: "utf8" });
  expect(build.status, build.stderr).toBe(0);
  const program = join(top, "build/demonstration/nound");
  console.log(`Without TLS: ${Math.ceil(statSync(program).size / 1_000)} KB by the system's compiler`);
  const plain = { listen: "127.0.0.1:18080", stateDirectory: "/tmp", nouns: { led: { kind: "switch", key: "led" } } };
  const run = (configuration: object, ...args: readonly string[]) => {
    const file = configurationFile(JSON.stringify({ ...plain, ...configuration }));
    return spawnSync(program, ["--simulate", ...args, "--config", file], { encoding: "utf8" });
  };
  expect(run({}, "--check")).toMatchObject({ status: 0, stderr: "" });
  for (const encrypted of [
    { mqtt: { server: "mqtts://broker.example", id: "hall" } },
    { nouns: { bell: { kind: "webhook", url: "https://bell.example/" } } },
    { listen: "https://127.0.0.1:18443" },
  ]) {
    for (const args of [["--check"], []]) {
      const { status, stderr } = run(encrypted, ...args);
      expect(stderr).toMatch(/^nound: .*this nound was built without TLS \(-DNOUND_TLS=off\)\n$/);
      expect(status).not.toBe(0);
    }
  }
});
