/** When the certificates end that this program reads from files. */

import { ofProgram } from "../native/of-program.ts";

export interface CertificateEnd {
  /**
   * What the certificate is for: clients of `https`; brokers, or other servers, which ask this device for one; or
   * authorities that sign those of servers.
   */
  readonly of: "https" | "mqtt" | "client" | "authority";
  readonly file: string;
  /** s since 1970: the first end, if the file has several certificates that are all needed. */
  readonly end: number;
}

const own = ofProgram<{ ends: readonly CertificateEnd[]; isWatched: boolean }>(() => ({ ends: [], isWatched: false }));

/** @returns each file of a certificate that is in use. */
export function certificateEnds(): readonly CertificateEnd[] {
  return own().ends;
}

/** Notes files that are in use. Others are kept. */
export function noteEnds(more: readonly CertificateEnd[]): void {
  own().ends = [...own().ends.filter(({ file }) => !more.some((one) => one.file === file)), ...more];
}

/** @returns whether nobody has called this before. */
export function beginWatch(): boolean {
  const isFirst = !own().isWatched;
  own().isWatched = true;
  return isFirst;
}
