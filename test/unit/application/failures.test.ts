import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkSysfsLine, findSysfsLine } from "../../../ts/hardware/open/sysfs-lines.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { world } from "../../../ts/native/simulated/world.ts";
import { explain, holderOf } from "../../../ts/platform/failures.ts";

const gpio = "/sys/class/gpio";

beforeEach(() => {
  const { files } = world();
  for (const [name, label, base] of [
    ["gpiochip0", "soc", 0],
    ["gpiochip480", "expander", 480],
    ["gpiochip504", "expander", 504],
  ] as const) {
    files.set(`${gpio}/${name}/label`, `${label}\n`);
    files.set(`${gpio}/${name}/base`, `${base}\n`);
    files.set(`${gpio}/${name}/ngpio`, "8\n");
  }
  files.set("/sys/bus/gpio/devices/gpiochip1/../gpio/gpiochip480/base", "480\n");
  files.set(`${gpio}/gpio507/value`, "0\n");
  files.set(
    "/sys/kernel/debug/gpio",
    " gpio-50  (NAME                |LONGER              ) out hi\n" +
      " gpio-5   (                    |motor control       ) out hi\n",
  );
});

afterEach(beginProgram);

test.each([
  ["the name of a chip", "gpiochip504", 3, { chip: "gpiochip504", offset: 3, number: 507 }],
  ["its label", "soc", 5, { chip: "gpiochip0", offset: 5, number: 5 }],
  ["the path of its character device", "/dev/gpiochip1", 7, { chip: "gpiochip480", offset: 7, number: 487 }],
])("a line of sysfs is found by %s", (_, chip, offset, found) => {
  expect(findSysfsLine({ chip, offset })).toEqual(found);
});

test.each([
  ["expander", 0, 'the GPIO chip "expander" is not unique: gpiochip480, gpiochip504; give one of these names'],
  ["soc", 8, "the GPIO chip gpiochip0 has no line 8: its offsets are 0 to 7"],
  [
    "none",
    0,
    'there is no GPIO chip "none" in /sys/class/gpio; available: gpiochip0 (soc), ' +
      "gpiochip480 (expander), gpiochip504 (expander)",
  ],
])("the line %s %i is refused with what to do", (chip, offset, sentence) => {
  expect(() => findSysfsLine({ chip, offset })).toThrow(sentence);
});

test("a line that another program has is refused with its name, and one that is exported is in order", () => {
  expect(() => checkSysfsLine({ chip: "gpiochip0", offset: 5, number: 5 })).toThrow('in use by "motor control"');
  expect(() => checkSysfsLine({ chip: "gpiochip504", offset: 3, number: 507 })).not.toThrow();
  expect(holderOf("6")).toBe("");
});

test.each([
  [
    "foreign",
    "",
    ["folder", "/opt/x", "", "worker", "/opt", "trust /opt/x/nound.json"],
    "cannot trust /opt/x/nound.json: the folder /opt/x belongs to the user worker, who is neither root nor the user " +
      "of nound; start nound as worker, without root, or with --user worker, or move the file to a folder of root, " +
      "such as /etc",
  ],
  [
    "foreign",
    "",
    ["folder", "/opts", "", "worker", "/opt", "trust it"],
    "cannot trust it: the folder /opts belongs to the user worker, who is neither root nor the user of nound; start " +
      "nound as worker, without root, or with --user worker, or chown that folder",
  ],
  [
    "open",
    "EACCES",
    ["read", "/a"],
    "cannot read /a: this user has no permission, or the program's restrictions do not allow it; as root, " +
      "this lets the service read it: chgrp nound /a && chmod 640 /a",
  ],
  ["use", "", ["read", "/a"], "cannot read /a: the kernel's text"],
  [
    "gpioAttribute",
    "EBUSY",
    ["export", "gpiochip0 5", "", "5"],
    'the GPIO line gpiochip0 5 is in use by "motor control"',
  ],
  [
    "bus",
    "EACCES",
    ["/dev/i2c-1", "i2c-dev", "i2c", ""],
    "cannot open /dev/i2c-1: this user may not; the group i2c may: add the user to it",
  ],
  [
    "bus",
    "ENOENT",
    ["/dev/i2c-9", "i2c-dev", "", "i2c-0, i2c-1"],
    "cannot open /dev/i2c-9: there is no such bus; the kernel's module i2c-dev may not be loaded; " +
      "available: /dev/i2c-0, /dev/i2c-1",
  ],
])("%s %s is explained", (what, error, values, sentence) => {
  expect(explain(what, error, "the kernel's text", values)).toBe(sentence);
});

test("each failure of C has a sentence", () => {
  const native = join(import.meta.dirname, "../../../native");
  const files = readdirSync(native, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".c"));
  const source = files.map((file) => readFileSync(join(native, file), "utf8"));
  const names = source.flatMap((text) =>
    [
      ...text.matchAll(
        /failure_(?:note|throw_new)\(\s*[^,"]+,\s*(?:is_number \? "userGroup" : )?"(\w+)"|\*what = (?:is_given \? "listen" : )?"(\w+)"/g,
      ),
    ].map(([, name, other]) => name ?? other ?? ""),
  );
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => explain(name, "", "", []).startsWith(`${name} `))).toEqual([]);
});
