/** Writes the table of keys of OpenWrt's package into a file. */
import { writeFileSync } from "node:fs";
import { uciKeys } from "../../../packaging/openwrt-keys.mjs";

writeFileSync(process.argv[2], uciKeys());
