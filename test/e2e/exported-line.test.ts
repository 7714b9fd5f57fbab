/** A GPIO line that a device tree exports under a name for scripts, as OpenWrt's gpio-export does, on a tree of files. */
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { cleanEnding, endedByThisTest, forThisTest } from "../harness/served.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const title = noSysfsTree === undefined ? "" : ` (skipped: ${noSysfsTree})`;

/** The kernel makes no `direction` for a line whose direction is fixed. */
function exported(activeLow: 0 | 1): SysfsTree {
  const sys = new SysfsTree();
  sys.put("/sys/class/gpio/usb_power/value", "1\n");
  sys.put("/sys/class/gpio/usb_power/active_low", `${activeLow}\n`);
  return sys;
}

const file = (listen: string, options: object = {}) =>
  configurationFile(
    JSON.stringify({
      listen,
      nouns: { usb: { kind: "gpio-output", line: "usb_power", key: "on", default: 1, boot: "as-is", ...options } },
    }),
  );

async function ask(nound: NoundProcess, bytes: string) {
  const connection = await RawConnection.open(nound.address);
  connection.send(bytes);
  const { status, body } = await connection.response();
  connection.drop();
  return { status, state: JSON.parse(body.toString()) };
}

test.skipIf(noSysfsTree !== undefined)(
  `a line is found by its name, read and set, and its polarity stays as scripts know it${title}`,
  async () => {
    const sys = exported(1);
    const address = await freeAddress();
    const nound = forThisTest(new NoundProcess(["--config", file(address)], address, { wrapper: sys.wrapper }));
    await nound.listening();
    expect(await ask(nound, get("/usb"))).toEqual({ status: 200, state: { on: 1 } });
    expect(await ask(nound, put("/usb", { on: 0 }))).toEqual({ status: 200, state: { on: 0 } });
    expect(sys.cat("/sys/class/gpio/usb_power/value")).toMatch(/^0/);
    expect(sys.cat("/sys/class/gpio/usb_power/active_low")).toBe("1\n");
  },
);

test.skipIf(noSysfsTree !== undefined)(
  `a start that fails puts back the polarity that it was asked to change${title}`,
  async () => {
    const sys = exported(0);
    sys.put("/sys/class/gpio/usb_power/edge", "none\n");
    sys.put("/sys/class/gpio/usb_power/direction/no-file", "");
    const options = { activeLow: true, boot: "default" };
    const address = await freeAddress();
    const nound = endedByThisTest(
      new NoundProcess(["--config", file(address, options)], address, { wrapper: sys.wrapper }),
    );
    await nound.listening();
    expect((await ask(nound, get("/usb"))).status).toBe(500);
    // nound looks for the line again and again.
    await eventually("the polarity is as it was", () => sys.cat("/sys/class/gpio/usb_power/active_low") === "0\n");
    // It is said once, at the default log level, too.
    const said = expect.stringMatching(/^usb: the kernel refuses direction of .*\n$/);
    expect(await nound.stop()).toEqual({ ...cleanEnding, stderr: said });
  },
);

test.skipIf(noSysfsTree !== undefined)(`--find prints the name of the line${title}`, async () => {
  const finding = new NoundProcess(["--find"], "", { wrapper: exported(0).wrapper });
  const { stderr } = await endedByThisTest(finding).ending();
  expect(stderr).toContain('exported by the device tree: "line": "usb_power", now 1');
});
