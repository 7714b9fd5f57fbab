/** Texts that survive the process. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callHardware } from "../harness/hardware-calls.ts";
import { temporaryPath } from "../harness/nound-process.ts";

const done = { returned: null };
const nothing = { returned: null };

/** A folder that exists. */
function newFolder(): string {
  const path = temporaryPath("states");
  mkdirSync(path);
  return path;
}

test("a text is read back as it was written, by another process too", async () => {
  const folder = newFolder();
  const text = '{"note":"crème brûlée"}\n';
  expect(await callHardware(["storage", "openStore", folder], [0, "write", "note", text], [0, "read", "note"])).toEqual(
    [{ opened: 0 }, done, { returned: text }],
  );
  expect(await callHardware(["storage", "openStore", folder], [0, "read", "note"])).toEqual([
    { opened: 0 },
    { returned: text },
  ]);
});

test("a second text replaces the first, and nothing else is left behind", async () => {
  const folder = newFolder();
  await callHardware(
    ["storage", "openStore", folder],
    [0, "write", "relay", "a long text"],
    [0, "write", "relay", "b"],
  );
  expect(readdirSync(folder)).toEqual(["relay"]);
  expect(readFileSync(join(folder, "relay"), "utf8")).toBe("b");
});

test("the folder and the texts are their user's alone", async () => {
  const folder = temporaryPath("states");
  await callHardware(["storage", "openStore", folder], [0, "write", "relay", "1"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "relay")).mode & 0o777).toBe(0o600);
});

test("what a killed process left half written is cleared away, and other files are left alone", async () => {
  const folder = newFolder();
  for (const name of [".relay.new", ".hidden", "relay.new"]) {
    writeFileSync(join(folder, name), "half");
  }
  await callHardware(["storage", "openStore", folder]);
  expect(readdirSync(folder).sort()).toEqual([".hidden", "relay.new"]);
});

test("a name without a text reads as undefined, and a text over 64 KiB or not in UTF-8 as an empty one", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "large"), "x".repeat(65_537));
  writeFileSync(join(folder, "largest"), "x".repeat(65_536));
  writeFileSync(join(folder, "latin"), Buffer.from([0x63, 0x72, 0xe8, 0x6d, 0x65]));
  mkdirSync(join(folder, "folder"));
  symlinkSync("/etc/hostname", join(folder, "link"));
  const damaged = ["large", "latin", "folder", "link"];
  const calls = ["none", ...damaged, "largest"].map((name) => [0, "read", name]);
  const results = await callHardware(["storage", "openStore", folder], ...calls);
  const expected = [nothing, ...damaged.map(() => ({ returned: "" })), { returned: "x".repeat(65_536) }];
  expect(results).toEqual([{ opened: 0 }, ...expected]);
});

test("a text over 64 KiB is not written", async () => {
  const folder = newFolder();
  const calls = Array.from({ length: 2 }, (_, more) => [0, "write", "relay", "x".repeat(65_536 + more)]);
  expect(await callHardware(["storage", "openStore", folder], ...calls)).toEqual([
    { opened: 0 },
    done,
    { thrown: `cannot write ${folder}/relay: it is over 65536 bytes` },
  ]);
  expect(statSync(join(folder, "relay")).size).toBe(65_536);
});

test.each(["", ".", "..", ".relay", "../relay", "/etc/passwd", "a b", "relay\0", "x".repeat(201)])(
  "a name that is none is refused: %j",
  async (name) => {
    const [, read, write] = await callHardware(
      ["storage", "openStore", newFolder()],
      [0, "read", name],
      [0, "write", name, "1"],
    );
    const reason = name.includes("\0") ? "must not contain a NUL" : "cannot be stored: a name has letters";
    expect(read).toEqual({ thrown: expect.stringContaining(reason) });
    expect(write).toEqual(read);
  },
);

test.each([
  ["/no/such/folder", "the folder around it does not exist"],
  ["/dev/null", "it is not a folder"],
])("a folder that cannot be opened is refused: %s", async (path, reason) => {
  expect(await callHardware(["storage", "openStore", path])).toEqual([
    { thrown: `cannot store states in ${path}: ${reason}` },
  ]);
});
