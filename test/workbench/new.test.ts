/** `nound new`: a project that works as it is, inside of the clone and outside. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { nound, Project, RunningCommand, temporaryFolder } from "../harness/project.ts";
import { top } from "../harness/top.ts";

test("a new project's types and tests are right, without a download", async () => {
  const project = await Project.create();
  expect(project.npm("test")).toMatch(/3 passed/);
  const installed = readdirSync(join(project.folder, "node_modules")).filter((name) => !name.startsWith("."));
  expect(installed).toEqual(["nound"]);
});

test("a new project links the clone, also by npm 9 of Debian 13, which copies such a package", async () => {
  const defaults = join(temporaryFolder(), "npmrc");
  writeFileSync(defaults, "install-links=true\n");
  vi.stubEnv("NPM_CONFIG_USERCONFIG", defaults);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { folder } = await Project.create();
  expect(lstatSync(join(folder, "node_modules/nound")).isSymbolicLink()).toBe(true);
});

test("the noun that README shows joins a new project, and its tests pass", async () => {
  const [, fan = ""] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(top, "README.md"), "utf8")) ?? [];
  const project = await Project.create();
  project.write("src/fan.ts", fan);
  project.edit("src/main.ts", (text) =>
    text
      .replace("import { led }", 'import { fan } from "./fan.ts";\nimport { led }')
      .replace('led: led("GPIO17")', 'led: led("GPIO17"), fan: fan(40_000)'),
  );
  expect(project.npm("test")).toMatch(/3 passed/);
  const dev = new RunningCommand(project.folder, "npm", "run", "dev");
  await dev.until("the fan is served", () => project.get("/fan"));
  await project.put("/fan", '{"speed":30}');
  expect(await project.get("/fan")).toBe('{"speed":30}');
});

test("a project inside of the clone works, too", async () => {
  const folder = join(top, "build", `my-device-${process.pid}`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = await Project.create(folder);
  expect(project.npm("test")).toMatch(/3 passed/);
});

test("a test that fails, and a type that is wrong, make `npm test` fail", async () => {
  const project = await Project.create();
  const noun = project.read("src/led.ts");
  project.write("src/led.ts", noun.replace("setValue(state.led)", "setValue(0)"));
  expect(nound(project.folder, "test")).toMatchObject({ status: 1, printed: expect.stringContaining("1 failed") });
  project.write("src/led.ts", noun.replace("setValue(state.led)", 'setValue("on")'));
  expect(nound(project.folder, "test")).toMatchObject({ status: 1, printed: expect.stringContaining("src/led.ts(") });
});

test("a folder with something in it, a name that no program can have, and no folder are refused in one line", () => {
  const folder = join(temporaryFolder(), "full");
  mkdirSync(folder);
  writeFileSync(join(folder, "mine.txt"), "mine");
  for (const args of [[folder], [join(folder, "my device")], []]) {
    const { status, printed } = nound(top, "new", ...args);
    expect(status).toBe(1);
    expect(printed).toMatch(/^nound: [^\n]+\n$/);
  }
  expect(readdirSync(folder)).toEqual(["mine.txt"]);
});

test.each(["new", "dev", "test", "build"])(
  "`nound %s --help` says how the command is used, and does nothing",
  (command) => {
    const { status, printed } = nound(temporaryFolder(), command, "--help");
    expect(status).toBe(0);
    expect(printed).toContain(`nound ${command}`);
  },
);

test("an unknown command, and a command outside of a project, are refused in one line", () => {
  for (const args of [["zqx"], ["dev"], ["build"], ["test"]]) {
    const { status, printed } = nound(top, ...args);
    expect(status).toBe(1);
    expect(printed).toMatch(/^nound: [^\n]+\n$/);
  }
});
