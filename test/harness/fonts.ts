/** The fonts of a browser: which of them a page gets that asks for the system's own. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { installPackages } from "./host-packages.ts";
import { temporaryPath } from "./nound-process.ts";

/** Fonts that desktops and phones have, by Debian's packages. */
export const fontPackages = {
  "Noto Sans": "fonts-noto-core",
  "DejaVu Sans": "fonts-dejavu-core",
  "Liberation Sans": "fonts-liberation",
} as const;

export type Font = keyof typeof fontPackages;

/** Installs the packages of all fonts that are missing. */
export function installFonts(): void {
  const missing = Object.entries(fontPackages).filter(([font]) => {
    const { stdout } = spawnSync("fc-list", [font], { encoding: "utf8" });
    return (stdout ?? "").trim() === "";
  });
  if (missing.length > 0)
    installPackages(
      missing.map(([, name]) => name),
      "The pictures of the page",
    );
}

/**
 * Makes a configuration of fontconfig, for the variable FONTCONFIG_FILE of a browser's environment.
 * @returns its path. By it, a family that no font has, such as `system-ui`, is this font.
 */
export function fontConfiguration(font: Font): string {
  const path = temporaryPath("fonts.conf");
  writeFileSync(
    path,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <match target="pattern"><edit name="family" mode="append_last"><string>${font}</string></edit></match>
</fontconfig>
`,
  );
  return path;
}
