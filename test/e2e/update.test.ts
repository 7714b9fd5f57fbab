/** An update that fails: the program before it runs again, by itself (native/keeper/trial.h). */
import { spawnSync } from "node:child_process";
import { copyFileSync, readlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { commandOf, isLong } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { Installed } from "../harness/installed-program.ts";
import { temporaryPath } from "../harness/nound-process.ts";
import { comesToRest } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { Service } from "../harness/reloaded-service.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const nouns = { lamp: { kind: "switch", key: "on" } };
const [built] = commandOf("nound");

const start = (installed: Installed, rest: object = {}): Promise<Service> =>
  Service.start(nouns, { wrapper: installed.wrapper, ...rest });

const programOf = (service: Service): string => readlinkSync(`/proc/${service.process.keeper}/exe`);

/** Kills the process with the nouns, and waits for the next one. */
async function crash(service: Service): Promise<void> {
  const { pid } = service.process;
  process.kill(pid, "SIGKILL");
  await service.replaced(pid);
}

test("a program that dies three times after an update is given up for the one before it", async () => {
  const installed = new Installed();
  const service = await start(installed);
  installed.update();
  expect(await service.command()).toMatchObject({ status: 0 });
  expect(programOf(service)).toBe(installed.path);
  await crash(service);
  await crash(service);
  expect(programOf(service)).toBe(installed.path);
  await crash(service);
  expect(programOf(service)).toBe(`${installed.path} (deleted)`);
  const line =
    "nound: the new program is given up: it died three times within ten minutes; the previous one runs again\n";
  await eventually("the log says so", () => service.process.printed.includes(line));
  // A reload does not run the same file again, but another update does.
  expect(await service.command()).toMatchObject({ status: 0 });
  expect(programOf(service)).toBe(`${installed.path} (deleted)`);
  installed.update();
  expect(await service.command()).toMatchObject({ status: 0 });
  expect(programOf(service)).toBe(installed.path);
});

test("after a start, the program before it is the one that an installer has kept beside it", async () => {
  const installed = new Installed();
  copyFileSync(built, `${installed.path}.previous`);
  const service = await start(installed);
  for (let deaths = 1; deaths <= 3; deaths++) await crash(service);
  expect(programOf(service)).toBe(`${installed.path}.previous`);
  // It ends as any program does: this start was no trial.
  expect((await service.process.stop()).status).toBe(0);
});

test("without a program before it, a program that dies is started again as ever", async () => {
  const installed = new Installed();
  const service = await start(installed);
  for (let deaths = 1; deaths <= 4; deaths++) await crash(service);
  expect(programOf(service)).toBe(installed.path);
});

test.runIf(isLong)(
  "a program that does not reach its broker in two minutes is given up",
  { timeout: 200_000 },
  async () => {
    const installed = new Installed();
    const service = await start(installed);
    service.configure(nouns, { mqtt: { server: await freeAddress(), id: "hall" } });
    await service.ask("PUT", "/lamp", { on: 1 });
    installed.update();
    expect(await service.command()).toMatchObject({ status: 0 });
    await eventually("it goes back", () => programOf(service) === `${installed.path} (deleted)`);
    expect(await service.ask("GET", "/lamp")).toEqual({ on: 1 });
  },
);

test("a program that is no nound is refused, and the one that runs goes on", async () => {
  const installed = new Installed();
  const service = await start(installed);
  const { pid } = service.process;
  installed.update("/bin/true");
  expect(await service.command()).toMatchObject({ status: 69 });
  expect(service.process.printed).toContain(`nound: not reloaded: the new program ${installed.path} is no nound\n`);
  expect(service.process.pid).toBe(pid);
  expect(await service.ask("GET", "/lamp")).toEqual({ on: 0 });
});

test("commands that reload at once all end when it is done", async () => {
  const installed = new Installed();
  const service = await start(installed);
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => service.command()));
  expect(outcomes).toEqual(Array.from({ length: 4 }, () => ({ status: 0, stderr: "" })));
  installed.update();
  const again = await Promise.all(Array.from({ length: 4 }, () => service.command()));
  expect(again.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
});

test.runIf(isLong)(
  "a process that hangs and is to hand over is ended, and the next one takes over",
  { timeout: 100_000 },
  async () => {
    const installed = new Installed();
    const service = await start(installed, { limits: { shutdownTimeout: 1 } });
    const { pid } = service.process;
    installed.update();
    process.kill(pid, "SIGSTOP");
    process.kill(service.process.keeper, "SIGHUP");
    await service.replaced(pid);
    expect(service.process.printed).toContain("nound: the process with the nouns does not answer, so nound ends it\n");
    expect(programOf(service)).toBe(installed.path);
  },
);

test.runIf(isLong)(
  "a new program that hangs is given up, and the previous one runs again",
  { timeout: 300_000 },
  async () => {
    const installed = new Installed();
    const service = await start(installed, { limits: { shutdownTimeout: 1 } });
    service.configure(nouns, { mqtt: { server: await freeAddress(), id: "hall" } });
    await service.ask("PUT", "/lamp", { on: 1 });
    installed.update();
    expect(await service.command()).toMatchObject({ status: 0 });
    const { pid } = service.process;
    process.kill(pid, "SIGSTOP");
    await service.replaced(pid);
    expect(service.process.printed).toContain(
      "nound: the new program is given up: it did not reach its broker within two minutes; " +
        "the previous one runs again\n" +
        "nound: the process with the nouns does not answer, so nound ends it\n",
    );
    expect(programOf(service)).toBe(`${installed.path} (deleted)`);
    expect(await service.ask("GET", "/lamp")).toEqual({ on: 0 });
  },
);

test.runIf(isLong && noSysfsTree === undefined)(
  "a new program that hangs while it starts is given up, and the previous one runs again",
  { timeout: 300_000 },
  async () => {
    const sys = new SysfsTree();
    const led = "/sys/class/leds/green/max_brightness";
    sys.put("/sys/class/leds/green/brightness", "0\n");
    sys.put("/sys/class/leds/green/trigger", "[none]\n");
    sys.put(led, "255\n");
    const installed = new Installed();
    const green = { green: { kind: "led", device: "green" } };
    const wrapper = [...sys.wrapper, ...installed.wrapper];
    const service = await Service.start({ ...nouns, ...green }, { wrapper });
    await service.ask("PUT", "/lamp", { on: 1 });
    const { pid } = service.process;
    // The check has passed, and the server waits for the end of a request, when its connections without one end.
    const [idle, slow] = [await RawConnection.open(service.address), await RawConnection.open(service.address)];
    slow.send("PUT /lamp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{");
    await comesToRest(pid);
    installed.update();
    const reloaded = service.command();
    await idle.gone();
    sys.remove(led);
    spawnSync("mkfifo", [sys.outside(led)]);
    slow.send('"on":1}');
    const hung = await eventually("the new program starts", () => {
      const { pid: now, keeper } = service.process;
      return now !== pid && now !== keeper && now;
    });
    await comesToRest(hung);
    // It waits for a writer of the FIFO that it has opened; the next one finds what it needs.
    sys.remove(led);
    sys.put(led, "255\n");
    await service.replaced(hung);
    expect(service.process.printed).toContain(
      "nound: the process with the nouns does not answer, so nound ends it\n" +
        "nound: the new program is given up: it did not start within a minute; the previous one runs again\n",
    );
    expect(programOf(service)).toBe(`${installed.path} (deleted)`);
    expect(await service.ask("GET", "/lamp")).toEqual({ on: 1 });
    expect((await reloaded).status).not.toBe(0);
  },
);

test.runIf(isLong)(
  "a check that hangs is ended after a minute, and the next reload works",
  { timeout: 150_000 },
  async () => {
    const installed = new Installed();
    const service = await start(installed);
    const hanging = temporaryPath("hanging");
    const source = `${hanging}.c`;
    // It has in it what a nound has, and never ends.
    writeFileSync(
      source,
      '#include <unistd.h>\nconst char *name = "NOUND_KEPT";\nint main(void) { for (;;) pause(); }\n',
    );
    expect(spawnSync("cc", ["-o", hanging, source]).status).toBe(0);
    installed.update(hanging);
    expect((await service.command()).status).toBe(69);
    const line = "nound: the check of the configuration has not ended within a minute, so nound ends it\n";
    await eventually("the log says so", () => service.process.printed.includes(line));
    installed.update();
    expect(await service.command()).toMatchObject({ status: 0 });
  },
);

test("a FIFO in the place of a certificate of an authority stops no reload", async () => {
  const service = await start(new Installed());
  const authorities = temporaryPath("fifo");
  spawnSync("mkfifo", ["-m", "600", authorities]);
  service.configure(nouns, { mqtt: { server: `mqtts://${await freeAddress()}`, id: "hall", tls: { authorities } } });
  expect((await service.command()).status).toBe(0);
  await eventually("the log says so", () => service.process.printed.includes("it is not a regular file"));
});
