/** Nound's package, as OpenWrt installs it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { uciKeys } from "../../../packaging/openwrt-keys.mjs";
import { run, top } from "../../release/work-folder.ts";
import type { OpenwrtDevice } from "./openwrt-device.ts";

const folder = join(top, "packaging/openwrt/nound/files");

/** Where the package installs its files. */
const places = [
  ["nound.init", "etc/init.d/nound", 0o755],
  ["nound.config", "etc/config/nound", 0o600],
  ["nound.capabilities", "etc/capabilities/nound.json", 0o644],
  ["service.sh", "usr/share/nound/service.sh", 0o644],
  ["uci-to-json.sh", "usr/share/nound/uci-to-json.sh", 0o644],
  ["uci-to-json.awk", "usr/share/nound/uci-to-json.awk", 0o644],
  ["nound.hotplug", "etc/hotplug.d/leds/50-nound", 0o644],
] as const;

/** Builds nound for this machine's processor, and installs the package with it. */
export function installNound(device: OpenwrtDevice): void {
  run("node", ["tools/build/build.mjs", "--part=nound-product", "x86_64"]);
  device.addUser("nound");
  device.install(places.map(([name, place, mode]) => [join(folder, name), place, mode]));
  device.install([[join(top, "build/x86_64/nound"), "usr/sbin/nound", 0o755]]);
  writeFileSync(join(device.path, "usr/share/nound/uci-keys.awk"), uciKeys());
}
