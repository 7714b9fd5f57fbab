/** `nound --reload` of a process in a jail, where processes have numbers of their own, and see none outside. */
import { spawn, spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { hasSanitizers } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { reloadProcess, Service } from "../harness/reloaded-service.ts";

const inJail = ["unshare", "--pid", "--fork", "--kill-child"];
/** LeakSanitizer waits for ever in a process that has joined another namespace of processes. */
const isPossible = !hasSanitizers && spawnSync("unshare", [...inJail.slice(1), "true"]).status === 0;
const title = isPossible ? "" : " (skipped: only root can make such a jail, or LeakSanitizer cannot trace there)";
const switches = { lamp: { kind: "switch", key: "on" } };

/** The keeper in the jail, by its number outside. */
function jailedKeeper(jail: number): number {
  return Number(spawnSync("pgrep", ["-P", String(jail)], { encoding: "utf8" }).stdout);
}

test.skipIf(!isPossible)(`the jail's process, and the one in it, are reloaded from outside${title}`, async () => {
  const service = await Service.start(switches, { wrapper: inJail });
  const jail = service.process.keeper;
  // unshare passes no signal on.
  onTestFinished(() => void process.kill(jail, "SIGKILL"));
  await service.ask("PUT", "/lamp", { on: 1 });
  for (const [name, id] of [
    ["first", jail],
    ["second", jailedKeeper(jail)],
  ] as const) {
    service.configure({ ...switches, [name]: switches.lamp });
    expect(await reloadProcess(id)).toEqual({ status: 0, stderr: "" });
    expect(await service.ask("GET", "/")).toEqual({ lamp: { on: 1 }, [name]: { on: 0 } });
  }
  service.configure({ lamp: { kind: "swich" } });
  expect(await reloadProcess(jail)).toEqual({
    status: 69,
    stderr: `nound: cannot reload process ${jail}: nothing has changed; its log says why\n`,
  });
});

test("--reload does not wait for a process that ends", async () => {
  const sleeping = spawn("sh", ["-c", "trap 'exit 0' HUP; echo ready; while :; do sleep 0.1; done"]);
  await eventually("the shell waits for the signal", () => sleeping.stdout.read() !== null);
  expect(await reloadProcess(sleeping.pid ?? 0)).toEqual({
    status: 75,
    stderr: `nound: cannot reload process ${sleeping.pid}: it has ended\n`,
  });
});
