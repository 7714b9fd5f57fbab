/** The reason phrases of RFC 9110, section 15, which RFC 9457, 4.2.1 wants as a problem's title. */
import { STATUS_CODES } from "node:http";

/** Node still calls two of them as the RFCs before 9110 did. */
const renamed: { readonly [status: number]: string } = { 413: "Content Too Large", 422: "Unprocessable Content" };

/** @returns the reason phrase of a status code, or undefined of a code that has none. */
export function reasonOf(status: number): string | undefined {
  return renamed[status] ?? STATUS_CODES[status];
}
