/** `nound --find` on a tree of files, as an ordinary user, and in an empty container: it changes nothing. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasSanitizers } from "../harness/environment.ts";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const title = noSysfsTree === undefined ? "" : ` (skipped: ${noSysfsTree})`;
const canTrace = !hasSanitizers && spawnSync("strace", ["true"]).status === 0;
const noStrace = canTrace ? "" : " (skipped: strace cannot trace here, or LeakSanitizer would)";

function device(): SysfsTree {
  const sys = new SysfsTree();
  sys.put("/sys/class/leds/green/brightness", "0\n");
  sys.put("/sys/class/leds/green/max_brightness", "255\n");
  sys.put("/sys/class/leds/green/trigger", "[none] heartbeat\n");
  sys.put("/sys/class/pwm/pwmchip0/npwm", "2\n");
  sys.put("/sys/class/pwm/pwmchip0/export", "");
  sys.put("/sys/class/hwmon/hwmon0/name", "lm75\n");
  sys.put("/sys/class/hwmon/hwmon0/temp1_input", "23500\n");
  sys.put("/sys/bus/w1/devices/28-0316a2796ee1/w1_slave", "a1 01 : crc=5e YES\n t=26062\n");
  return sys;
}

async function run(args: readonly string[], wrapper: readonly string[]) {
  return await endedByThisTest(new NoundProcess([...args], "", { wrapper })).ending();
}

test.skipIf(noSysfsTree !== undefined)(`what --find prints passes --check${title}`, async () => {
  const sys = device();
  const { status, stdout, stderr } = await run(["--find"], sys.wrapper);
  expect(status).toBe(0);
  expect(Object.keys(JSON.parse(stdout).nouns)).toEqual(["system", "lm75-temp1", "28-0316a2796ee1", "green"]);
  expect(stderr).toContain('pwmchip0, channels 0 to 1: "kind": "pwm", "chip": "pwmchip0"');
  const checked = await run(["--check", "--config", configurationFile(stdout)], sys.wrapper);
  expect(checked).toMatchObject({ status: 0, stderr: "" });
});

test.skipIf(noSysfsTree !== undefined || noStrace !== "")(
  `--find opens no file to write to it, and requests no line${title}${noStrace}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "nound-find-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const trace = join(folder, "trace");
    const sys = device();
    const calls = "open,openat,creat,mkdir,unlink,ioctl,write,pwrite64";
    const tracer = ["strace", "-f", "-o", trace, "-e", `trace=${calls}`];
    const { status } = await run(["--find"], [...sys.wrapper, ...tracer]);
    expect(status).toBe(0);
    const lines = readFileSync(trace, "utf8").split("\n");
    expect(lines.filter((line) => line.includes("lm75") || line.includes("/sys/class/leds/green"))).not.toEqual([]);
    expect(lines.filter((line) => /O_WRONLY|O_RDWR|O_CREAT|GPIO_V2_GET_LINE_IOCTL|mkdir|unlink/.test(line))).toEqual(
      [],
    );
    // Words for people, and the threads' own eventfd.
    expect(lines.filter((line) => /\bwrite\(/.test(line) && /"(?:0|1|none|[0-9]+\\n)"/.test(line))).toEqual([]);
    expect(sys.cat("/sys/class/pwm/pwmchip0/export")).toBe("");
  },
);

test("in an empty container, and for a user without rights, --find has sensible words and status 0", async () => {
  for (const wrapper of [[], ["setpriv", "--reuid=65534", "--clear-groups"]]) {
    if (wrapper.length > 0 && process.getuid?.() !== 0) continue;
    const { status, stdout, stderr } = await run(["--find"], wrapper);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).nouns.system).toMatchObject({ kind: "system", title: "This machine" });
    expect(stderr).toMatch(/, Linux \S+, nound \S+: .* in the configuration on standard output\n/);
  }
});
