/**
 * A static build for 32-bit MIPS by Debian's cross compiler, whose 64-bit atomic operations are functions of libatomic.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freePort } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import { run, temporaryFolder, top } from "../release/work-folder.ts";

const compiler = "mips-linux-gnu-gcc";
const options = [
  "-DCMAKE_SYSTEM_NAME=Linux",
  "-DCMAKE_SYSTEM_PROCESSOR=mips",
  `-DCMAKE_C_COMPILER=${compiler}`,
  "-DCMAKE_EXE_LINKER_FLAGS=-static",
  "-DNOUND_LIBGPIOD=off",
  "-DNOUND_ENGINE_OPTIONS=-O1",
];

beforeAll(() => {
  installHostPackages({ [compiler]: "gcc-mips-linux-gnu", "qemu-mips-static": "qemu-user-static" }, "The test of MIPS");
});

test("links libatomic after what needs it, and serves under qemu", async () => {
  const build = temporaryFolder();
  run("cmake", ["-S", top, "-B", build, "-G", "Ninja", ...options]);
  run("cmake", ["--build", build]);
  const [, libraries = ""] =
    readFileSync(join(build, "build.ninja"), "utf8").match(/LINK_LIBRARIES = (.*quickjs.*)/) ?? [];
  expect(libraries).toMatch(/libquickjs\.a .*-latomic$/);
  expect(run("file", [join(build, "nound")])).toMatch(/ELF 32-bit MSB executable, MIPS.*statically linked/);

  const address = `127.0.0.1:${await freePort()}`;
  const configuration = join(build, "nound.json");
  writeFileSync(configuration, '{ "nouns": { "lamp": { "kind": "switch", "key": "on" } } }');
  const nound = spawn("qemu-mips-static", [join(build, "nound"), "--config", configuration, "--listen", address]);
  try {
    const headers = { "Content-Type": "application/json" };
    await eventually("nound serves", async () => {
      const answer = await fetch(`http://${address}/lamp`, { method: "PUT", headers, body: '{"on":1}' }).catch(
        () => undefined,
      );
      return answer?.status === 200;
    });
    expect(await (await fetch(`http://${address}/lamp`)).json()).toEqual({ on: 1 });
  } finally {
    nound.kill();
  }
});
