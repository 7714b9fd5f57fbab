/**
 * Networks of IP addresses: `192.0.2.0/24`, `2001:db8::/32`, or one address.
 *
 *     const isInside = networkOf("192.0.2.0/24");
 *     isInside?.("192.0.2.7"); // true
 */
import { isIpv4, isIpv6 } from "./ip-address.ts";

/** @returns the 16-bit groups of an address; undefined of another text. */
function groupsOf(address: string): readonly number[] | undefined {
  if (isIpv4(address)) {
    const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  }
  if (!isIpv6(address)) return undefined;
  const [left = "", right] = address.split("::").map((side) => side.split(":").filter((one) => one !== ""));
  const numbers = (side: readonly string[]) =>
    side.flatMap((one) => (one.includes(".") ? (groupsOf(one) ?? []) : [Number.parseInt(one, 16)]));
  const [before, after] = [numbers(left || []), numbers(right ?? [])];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** @returns whether an address is in a network; undefined of a text that is no network. */
export function networkOf(text: string): ((address: string) => boolean) | undefined {
  const [start = "", length, ...more] = text.split("/");
  const groups = groupsOf(start);
  if (groups === undefined || more.length > 0) return undefined;
  const most = groups.length * 16;
  const bits = length === undefined ? most : /^[0-9]{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (!(bits <= most)) return undefined;
  return (address) => {
    const other = groupsOf(address);
    if (other?.length !== groups.length) return false;
    return groups.every((group, index) => {
      const own = Math.min(16, Math.max(0, bits - 16 * index));
      return group >> (16 - own) === (other[index] ?? 0) >> (16 - own);
    });
  };
}
