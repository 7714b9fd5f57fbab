/** Whether the C library finds the time zone of the device. Otherwise it takes UTC, without a word (tzset(3), musl). */
import type { System } from "../native/system.ts";

/** Where musl looks for the files of zones. */
const folders = ["/usr/share/zoneinfo", "/share/zoneinfo", "/etc/zoneinfo"];

const name = "(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)";
const time = String.raw`[+-]?\d{1,3}(?::\d\d(?::\d\d)?)?`;
const date = String.raw`(?:J\d{1,3}|\d{1,3}|M(?:[1-9]|1[0-2])\.[1-5]\.[0-6])(?:/${time})?`;
/** A zone as POSIX writes it (POSIX.1-2024, 8.3): `CET-1CEST,M3.5.0,M10.5.0/3`. */
const posixForm = new RegExp(`^${name}${time}(?:${name}(?:${time})?(,${date},${date})?)?$`);
/** What C libraries take for such a zone, and no file. */
const beginOfPosixForm = new RegExp(`^${name.replaceAll("{3,}", "+")}[+0-9-]`);
const withSummerTime = new RegExp(`^${name}${time}${name}`);

const help =
  "install the package tzdata (OpenWrt: zoneinfo-europe and others), correct the name, or write the zone as in " +
  "TZ=CET-1CEST,M3.5.0,M10.5.0/3";

function zoneFault(zone: string, { accessOf }: Pick<System, "accessOf">): string | undefined {
  if (zone === "" || zone === "UTC" || zone === "GMT") return undefined;
  if (beginOfPosixForm.test(zone)) {
    const [isRight, dates] = posixForm.exec(zone) ?? [];
    if (isRight === undefined)
      return `the time zone TZ=${zone} is malformed: write it as in TZ=CET-1CEST,M3.5.0,M10.5.0/3`;
    if (!withSummerTime.test(zone) || dates !== undefined) return undefined;
    return `the time zone TZ=${zone} does not say when summer time begins and ends: add it, as in ,M3.5.0,M10.5.0/3`;
  }
  const file = zone.replace(/^:/, "");
  const places = /^[./]/.test(file) ? [file] : folders.map((folder) => `${folder}/${file}`);
  if (places.some((path) => accessOf(path)?.isReadable)) return undefined;
  return `the time zone TZ=${zone} is not known, so local time is UTC: ${help}`;
}

/** @returns a sentence if the time zone is not what somebody has set; undefined if it is. */
export function faultOfTimeZone(system: Pick<System, "accessOf" | "environment" | "names">): string | undefined {
  const zone = system.environment("TZ");
  if (zone !== undefined) return zoneFault(zone, system);
  const local = "localtime";
  // A link to the file of a zone, without the file.
  if (!system.names("/etc", local).includes(local) || system.accessOf(`/etc/${local}`)?.isReadable) return undefined;
  return `the file of the time zone, /etc/localtime, cannot be read, so local time is UTC: ${help}`;
}
