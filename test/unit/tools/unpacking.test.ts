/** What CMake unpacks while it configures. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { top } from "../../harness/top.ts";

const hasCmake = spawnSync("cmake", ["--version"]).status === 0;

test.skipIf(!hasCmake).each(["C", "de_DE.not-installed"])(
  "an archive is unpacked in a folder that is not ASCII, with the locale %s (skipped without CMake)",
  (locale) => {
    const folder = join(mkdtempSync(join(tmpdir(), "nound-unpacking-")), "Jörg Müller");
    onTestFinished(() => rmSync(join(folder, ".."), { recursive: true }));
    mkdirSync(join(folder, "one/part"), { recursive: true });
    writeFileSync(join(folder, "one/part/file"), "");
    execFileSync("tar", ["-cf", "archive.tar", "one"], { cwd: folder });
    const script = join(folder, "script.cmake");
    const [input, destination] = [join(folder, "archive.tar"), join(folder, "unpacked")];
    writeFileSync(
      script,
      `file(ARCHIVE_EXTRACT INPUT "${input}" DESTINATION "${destination}" PATTERNS "one/part/*")\n`,
    );
    const program = `import { runCmake } from ${JSON.stringify(join(top, "tools/build/configuration.mjs"))};
      runCmake(["-P", ${JSON.stringify(script)}]);`;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      env: { ...process.env, LC_ALL: locale },
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(existsSync(join(destination, "one/part/file"))).toBe(true);
  },
);
