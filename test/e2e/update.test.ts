/** An update that fails: the program before it runs again, by itself (native/keeper/trial.h). */
import { copyFileSync, readlinkSync, renameSync } from "node:fs";
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { commandOf, isLong } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { temporaryPath } from "../harness/nound-process.ts";
import { Service } from "../harness/reloaded-service.ts";

const nouns = { lamp: { kind: "switch", key: "on" } };
const [built] = commandOf("nound");

/** An installed program. */
class Installed {
  readonly path = temporaryPath("nound");

  constructor() {
    copyFileSync(built, this.path);
  }

  /** Replaces it, as an installer does. */
  update(): void {
    copyFileSync(built, `${this.path}.new`);
    renameSync(`${this.path}.new`, this.path);
  }

  start(rest: object = {}): Promise<Service> {
    return Service.start(nouns, { wrapper: ["sh", "-c", `shift; exec ${this.path} "$@"`, "sh"], ...rest });
  }
}

const programOf = (service: Service): string => readlinkSync(`/proc/${service.process.keeper}/exe`);

/** Kills the process with the nouns, and waits for the next one. */
async function crash(service: Service): Promise<void> {
  const { pid } = service.process;
  process.kill(pid, "SIGKILL");
  await service.replaced(pid);
}

test("a program that dies three times after an update is given up for the one before it", async () => {
  const installed = new Installed();
  const service = await installed.start();
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
  const service = await installed.start();
  for (let deaths = 1; deaths <= 3; deaths++) await crash(service);
  expect(programOf(service)).toBe(`${installed.path}.previous`);
  // It ends as any program does: this start was no trial.
  expect((await service.process.stop()).status).toBe(0);
});

test("without a program before it, a program that dies is started again as ever", async () => {
  const installed = new Installed();
  const service = await installed.start();
  for (let deaths = 1; deaths <= 4; deaths++) await crash(service);
  expect(programOf(service)).toBe(installed.path);
});

test.runIf(isLong)(
  "a program that does not reach its broker in two minutes is given up",
  { timeout: 200_000 },
  async () => {
    const installed = new Installed();
    const service = await installed.start();
    service.configure(nouns, { mqtt: { broker: await freeAddress(), id: "hall" } });
    await service.ask("PUT", "/lamp", { on: 1 });
    installed.update();
    expect(await service.command()).toMatchObject({ status: 0 });
    await eventually("it goes back", () => programOf(service) === `${installed.path} (deleted)`);
    expect(await service.ask("GET", "/lamp")).toEqual({ on: 1 });
  },
);
