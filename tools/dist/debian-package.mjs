/**
 * nound_<version>_<architecture>.deb: the binary of a target with the systemd unit, its user, the permissions of
 * devices and a configuration. Its parts are an archive of `ar`, as deb(5) describes it; tar and xz make what is
 * inside.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { releaser } from "../../packaging/releaser.mjs";
import { archiveContents } from "./archive.mjs";

const root = resolve(import.meta.dirname, "../..");
const templates = resolve(root, "packaging/debian");

/** Debian's names of the targets that it has. */
export const architectures = { x86_64: "amd64", aarch64: "arm64", armv7: "armhf", riscv64: "riscv64" };

/** Where the files of packaging/systemd go, and with which mode. */
const common = {
  "nound.service": ["usr/lib/systemd/system/nound.service", 0o644],
  "nound.sysusers": ["usr/lib/sysusers.d/nound.conf", 0o644],
  "60-nound.rules": ["usr/lib/udev/rules.d/60-nound.rules", 0o644],
  "announce.sh": ["usr/lib/nound/announce.sh", 0o755],
  "nound.json": ["etc/nound/nound.json", 0o644],
};

/**
 * Names the authors and licences of everything that is linked in. Every Debian system has the texts of the LGPL and
 * of Apache's licence.
 */
function copyright({ version, components }) {
  const own = readFileSync(resolve(root, "LICENSE"), "utf8");
  const others = components.map(({ name, what, version, license, address, notice }) => {
    const [text, ...later] = notice.split(/^ *(GNU LESSER GENERAL PUBLIC LICENSE|Apache License)$/m);
    const [title] = later;
    const file = title === "Apache License" ? "Apache-2.0" : "LGPL-2.1";
    const rest = title === undefined ? "" : `\nThe text of this licence is in /usr/share/common-licenses/${file}.\n`;
    return `${name} (${version}), ${what}\n${address}\nSPDX-License-Identifier: ${license}\n\n${text}${rest}`;
  });
  return [`nound ${version}\n\n${own}`, "These are linked into /usr/bin/nound:\n", ...others].join(
    `\n${"-".repeat(72)}\n\n`,
  );
}

/** Debian's own form of a release's date. */
function changelog(version, seconds) {
  const date = new Date(seconds * 1000).toUTCString().replace("GMT", "+0000");
  return (
    `nound (${version}) unstable; urgency=medium\n\n  * Release ${version}.\n\n` +
    ` -- ${releaser().maintainer || "nound's packager, see SECURITY.md <>"}  ${date}\n`
  );
}

function filesIn(folder) {
  const names = readdirSync(folder, { recursive: true }).map((name) => resolve(folder, name));
  return names.filter((name) => statSync(name).isFile()).sort();
}

/** A member of an archive of ar: its header of 60 bytes, its bytes, and one more if their number is odd. */
function member(name, seconds, bytes) {
  const fields = [name.padEnd(16), String(seconds).padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
  const header = Buffer.from(`${fields.join("")}${String(bytes.length).padEnd(10)}\`\n`);
  return Buffer.concat([header, bytes, Buffer.alloc(bytes.length % 2, "\n")]);
}

/** Makes it of the binary in build/<target>. @returns the path. */
export function debianPackage({ target, version, components, seconds, dist, work }) {
  const architecture = architectures[target];
  const data = resolve(work, `deb-${architecture}/data`);
  const control = resolve(work, `deb-${architecture}/control`);
  rmSync(dirname(data), { recursive: true, force: true });

  const write = (path, bytes, mode = 0o644) => {
    mkdirSync(dirname(resolve(data, path)), { recursive: true });
    writeFileSync(resolve(data, path), bytes, { mode });
  };
  write("usr/bin/nound", readFileSync(resolve(root, "build", target, "nound")), 0o755);
  for (const [name, [path, mode]] of Object.entries(common))
    write(path, readFileSync(resolve(root, "packaging/systemd", name)), mode);
  const zipped = (text) => gzipSync(text, { level: 9 });
  write("usr/share/doc/nound/SECURITY.md", readFileSync(resolve(root, "SECURITY.md")));
  write("usr/share/doc/nound/changelog.gz", zipped(changelog(version, seconds)));
  write("usr/share/doc/nound/copyright", copyright({ version, components }));
  write("usr/share/lintian/overrides/nound", readFileSync(resolve(templates, "lintian-overrides")));

  mkdirSync(control, { recursive: true });
  const size = filesIn(data).reduce((sum, file) => sum + Math.ceil(statSync(file).size / 1024), 0);
  const { maintainer, ...release } = releaser();
  const values = {
    version,
    architecture,
    size,
    ...release,
    maintainer: maintainer || "nound's packager, see SECURITY.md",
  };
  const filled = readFileSync(resolve(templates, "control"), "utf8").replace(/@(\w+)@/g, (_, key) => values[key]);
  // A field whose value the releaser did not give is left out.
  writeFileSync(resolve(control, "control"), filled.replace(/^\w+: \n/gm, ""));
  writeFileSync(resolve(control, "conffiles"), "/etc/nound/nound.json\n");
  const sums = filesIn(data).map((file) => [
    createHash("md5").update(readFileSync(file)).digest("hex"),
    relative(data, file),
  ]);
  const kept = sums.filter(([, path]) => !path.startsWith("etc/"));
  writeFileSync(resolve(control, "md5sums"), kept.map((line) => `${line.join("  ")}\n`).join(""));
  for (const script of ["preinst", "postinst", "prerm", "postrm"]) {
    writeFileSync(resolve(control, script), readFileSync(resolve(templates, script)), { mode: 0o755 });
  }

  const file = resolve(dist, `nound_${version}_${architecture}.deb`);
  const members = [
    member("debian-binary", seconds, Buffer.from("2.0\n")),
    member("control.tar.xz", seconds, archiveContents(control, seconds)),
    member("data.tar.xz", seconds, archiveContents(data, seconds)),
  ];
  writeFileSync(file, Buffer.concat([Buffer.from("!<arch>\n"), ...members]));
  return file;
}
