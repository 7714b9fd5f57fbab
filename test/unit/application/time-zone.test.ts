/** What is said of a time zone that the C library does not know. */
import { expect, test } from "vitest";
import { faultOfTimeZone } from "../../../ts/platform/time-zone.ts";

/** @param files that can be read. @param listed names in /etc. */
const faultOf = (zone: string | undefined, files: readonly string[] = [], listed: readonly string[] = []) =>
  faultOfTimeZone({
    environment: (name) => (name === "TZ" ? zone : undefined),
    accessOf: (path) =>
      files.includes(path) ? { isReadable: true, isWritable: false, isPublic: false, group: "" } : undefined,
    names: (_, prefix) => listed.filter((name) => name.startsWith(prefix)),
  });

test.each([
  [undefined, [], []],
  [undefined, ["/etc/localtime"], ["localtime"]],
  ["", [], []],
  ["UTC", [], []],
  ["Europe/Berlin", ["/usr/share/zoneinfo/Europe/Berlin"], []],
  [":Europe/Berlin", ["/etc/zoneinfo/Europe/Berlin"], []],
  ["/root/zone", ["/root/zone"], []],
  ["CET-1CEST,M3.5.0,M10.5.0/3", [], []],
  ["CET-1CEST-2,M3.5.0/02:00:00,M10.5.0/3", [], []],
  ["NZST-12NZDT,M9.5.0,M4.1.0/3", [], []],
  ["<-03>3", [], []],
  ["<+0545>-5:45", [], []],
  ["IST-2IDT,M3.4.4/26,M10.5.0", [], []],
  ["EST5EDT,J60,300/1:30", [], []],
  ["EST5", [], []],
])("%j with the files %j is a zone", (zone, files, listed) => {
  expect(faultOf(zone, files, listed)).toBeUndefined();
});

test.each([
  ["Europe/Berlin", "TZ=Europe/Berlin is not known"],
  ["Europe/Brelin", "TZ=Europe/Brelin is not known"],
  ["CEST", "TZ=CEST is not known"],
  [":CET", "TZ=:CET is not known"],
  ["/root/zone", "TZ=/root/zone is not known"],
  ["CET-1CEST", "does not say when summer time begins"],
  ["CET-1CEST,M3.5.0", "is malformed"],
  ["CET-1CEST,M13.5.0,M10.5.0", "is malformed"],
  ["CET-1 CEST", "is malformed"],
])("%j without its file is none, and the sentence says what to write", (zone, sentence) => {
  expect(faultOf(zone, ["/usr/share/zoneinfo/Europe/Paris"])).toContain(sentence);
  expect(faultOf(zone)).toMatch(/M3\.5\.0,M10\.5\.0\/3/);
});

test("a link /etc/localtime without the file that it names is told", () => {
  expect(faultOf(undefined, [], ["localtime"])).toContain("/etc/localtime, cannot be read");
});
