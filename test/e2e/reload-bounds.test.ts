/** What a reload keeps has bounds: within them all of it is kept, and beyond them the log says what is not. */
import { expect, test } from "vitest";
import { Service } from "../harness/reloaded-service.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const title = noSysfsTree === undefined ? "" : ` (skipped: ${noSysfsTree})`;
const value = { kind: "value", default: { text: "" } };

test("a noun of any name keeps its state", async () => {
  const service = await Service.start({ ["__proto__"]: value, constructor: value, other: value });
  for (const name of ["__proto__", "constructor"]) await service.ask("PUT", `/${name}`, { text: name });
  await service.reload();
  for (const name of ["__proto__", "constructor"]) {
    expect(await service.ask("GET", `/${name}`)).toEqual({ text: name });
  }
});

test("states of 20 MB are kept", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `note${index}`);
  const service = await Service.start(Object.fromEntries(names.map((name) => [name, value])), {
    limits: { memoryBytes: 200_000_000, bodyBytes: 1_048_576, stateBytes: 1_048_576 },
  });
  const textOf = (name: string) => name.padEnd(1_000_000, "x");
  for (const name of names) await service.ask("PUT", `/${name}`, { text: textOf(name) });
  await service.reload();
  for (const name of names) expect(await service.ask("GET", `/${name}`)).toEqual({ text: textOf(name) });
});

test("a reload whose states cannot be written is refused, and the process serves on", async () => {
  const service = await Service.start(
    { note: value },
    {
      limits: { bodyBytes: 300_000, stateBytes: 300_000 },
      wrapper: ["sh", "-c", 'ulimit -f 200 && exec "$@"', "sh"],
    },
  );
  const { pid } = service.process;
  const text = "x".repeat(250_000);
  await service.ask("PUT", "/note", { text });
  expect(await service.command()).toMatchObject({ status: 69 });
  expect(service.process.printed).toMatch(
    /reload: not reloaded, and nothing has changed: Error: the states cannot be written: File too large/,
  );
  expect(service.process.printed).toContain("nound: not reloaded: it cannot hand over");
  expect(await service.ask("GET", "/note")).toEqual({ text });
  await service.ask("PUT", "/note", { text: "short" });
  expect(await service.command()).toMatchObject({ status: 0 });
  expect(service.process.pid).not.toBe(pid);
  expect(await service.ask("GET", "/note")).toEqual({ text: "short" });
});

test.skipIf(noSysfsTree !== undefined)(`none of 200 lines moves${title}`, async () => {
  const sys = new SysfsTree();
  const lines = Array.from({ length: 200 }, (_, line) => line);
  for (const file of ["export", "unexport"]) sys.put(`/sys/class/gpio/${file}`, "");
  sys.put("/sys/class/gpio/gpiochip0/base", "0\n");
  sys.put("/sys/class/gpio/gpiochip0/ngpio", "200\n");
  sys.put("/sys/class/gpio/gpiochip0/label", "chip\n");
  for (const line of lines) {
    for (const file of ["direction", "value", "active_low", "edge"]) {
      sys.put(`/sys/class/gpio/gpio${line}/${file}`, "0\n");
    }
  }
  const output = { kind: "gpio-output", chip: "gpiochip0", key: "on" };
  const outputs = Object.fromEntries(lines.map((line) => [`line${line}`, { ...output, offset: line }]));
  const service = await Service.start(outputs, { wrapper: sys.wrapper });
  const direction = (line: number) => `/sys/class/gpio/gpio${line}/direction`;
  for (const line of lines) sys.put(direction(line), "untouched");
  await service.reload();
  expect(lines.filter((line) => sys.cat(direction(line)) !== "untouched")).toEqual([]);
});
