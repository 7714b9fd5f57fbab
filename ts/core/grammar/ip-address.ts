/** The texts of IP addresses: RFC 3986, section 3.2.2, for IPv4, and RFC 4291, section 2.2, for IPv6. */

/** A regular expression of a number of an IPv4 address. */
const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
/** A regular expression of an IPv4 address. */
export const ipv4Pattern = `${octet}(?:\\.${octet}){3}`;
const ipv4 = new RegExp(`^${ipv4Pattern}$`);
const group = /^[0-9A-Fa-f]{1,4}$/;

/** @returns whether a text is an IPv4 address: four numbers without leading zeros. */
export function isIpv4(text: string): boolean {
  return ipv4.test(text);
}

/** @returns the number of 16-bit groups, two for an IPv4 address at the end; NaN if one is malformed. */
function countGroups(text: string, mayEndInIpv4: boolean): number {
  if (text === "") return 0;
  const groups = text.split(":");
  const last = groups.pop() ?? "";
  const lastCount = group.test(last) ? 1 : mayEndInIpv4 && isIpv4(last) ? 2 : Number.NaN;
  return groups.every((one) => group.test(one)) ? groups.length + lastCount : Number.NaN;
}

/** @returns whether a text is an IPv6 address without a zone: eight groups, or fewer and one `::` for the rest. */
export function isIpv6(text: string): boolean {
  const [left = "", right, ...more] = text.split("::");
  if (more.length > 0) return false;
  if (right === undefined) return countGroups(left, true) === 8;
  return countGroups(left, false) + countGroups(right, true) <= 7;
}
