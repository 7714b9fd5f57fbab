/** The simulated twin of `nound:files`, and what an application reads through it. */
import { beforeEach, expect, test } from "vitest";
import { listFolder, readText } from "../../../../ts/hardware/open/application-files.ts";
import { SimulatedFiles } from "../../../../ts/native/simulated/files.ts";
import { putFile, removeFile, reset } from "../../../../ts/program/testing/test-program.ts";

beforeEach(reset);

test("a file that was put there is read, and one that was removed is none", async () => {
  putFile("/proc/uptime", "8.02 15.11\n");
  expect(await readText("/proc/uptime")).toBe("8.02 15.11\n");
  removeFile("/proc/uptime");
  await expect(readText("/proc/uptime")).rejects.toThrow("cannot read /proc/uptime: there is no such file");
});

test("a limit counts the bytes of UTF-8", async () => {
  putFile("/tmp/text", "äöü€😀");
  expect(await readText("/tmp/text", 13)).toBe("äöü€😀");
  await expect(readText("/tmp/text", 12)).rejects.toThrow("cannot read /tmp/text: it is too large");
});

test("a folder has the files and folders beneath it, sorted, and goes with the last of them", async () => {
  putFile("/sys/bus/w1/devices/28-1/temperature", "1");
  putFile("/sys/bus/w1/devices/28-1/name", "28-1");
  putFile("/sys/bus/w1/devices/00-1/name", "00-1");
  expect(await listFolder("/sys/bus/w1/devices")).toEqual(["00-1", "28-1"]);
  await expect(listFolder("/sys/bus/w1/devices", 1)).rejects.toThrow("it has too many entries");
  removeFile("/sys/bus/w1");
  await expect(listFolder("/sys/bus/w1/devices")).rejects.toThrow("there is no such file");
});

test("a path that does not begin with a slash is refused by a rejected promise", async () => {
  await expect(readText("uptime")).rejects.toThrow(
    '"uptime" is not the path of a file or folder; such a path begins with /',
  );
});

test("a path must lead into the folder that it is to be within, and a write changes a file that exists", async () => {
  const files = new SimulatedFiles(new Map([["/sys/brightness", "1\n"]]));
  await files.writeText("/sys/brightness", "200", "/sys");
  expect(await files.readText("/sys/brightness", 4_096, "/sys")).toBe("200\n");
  await expect(files.writeText("/sys/absent", "1", "/sys")).rejects.toThrow("there is no such file");
  for (const path of ["/sys/../etc/passwd", "/etc/passwd", "/sysfs/x", "/sys"]) {
    await expect(files.readText(path, 4_096, "/sys")).rejects.toThrow(
      `cannot read ${path}: its path does not lead into /sys`,
    );
  }
});

test("several files are read together, and refused by the first that cannot be read", () => {
  const files = new SimulatedFiles(
    new Map([
      ["/sys/raw", "1\n"],
      ["/sys/scale", "2\n"],
    ]),
  );
  expect(files.readTexts(["/sys/scale", "/sys/raw"], 4_096, "/sys")).toEqual(["2\n", "1\n"]);
  expect(() => files.readTexts(["/sys/raw", "/sys/a", "/sys/b"], 4_096)).toThrow("cannot read /sys/a: there is no");
});
