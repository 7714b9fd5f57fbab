/** Says in time that a certificate ends. This module is loaded by a program that has one. */
import { Alarm } from "../../core/time/alarm.ts";
import type { ConnectorTls } from "../../native/connector.ts";
import { beginWatch, type CertificateEnd, certificateEnds } from "../../platform/certificate-ends.ts";
import { keptDate } from "../../platform/kept-date.ts";
import { logFailure } from "../../platform/log.ts";
import { loop } from "../../platform/platform.ts";

/** s in a day. */
const day = 86_400;

/** s before its end at which a certificate is to be renewed. */
const notice = 30 * day;

/** What to call the certificate of a file, and what to do before it ends. */
const words: { readonly [of in CertificateEnd["of"]]: (file: string) => readonly [what: string, remedy: string] } = {
  https: (file) => [`the certificate ${file}`, "renew it"],
  mqtt: (file) => [`this device's certificate ${file}`, "renew it"],
  client: (file) => [`this device's certificate ${file}`, "renew it"],
  authority: (file) => [`an authority in ${file}`, "replace it in the file"],
};

/** @param seconds since 1970. @returns the day. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}

/**
 * @param ends two numbers for each settings, as the connector gives them. @param brokers whether each is of a broker.
 * @returns the ends of certificates, once for each file.
 */
export function endsOf(
  settings: readonly ConnectorTls[],
  ends: readonly number[],
  brokers: readonly boolean[],
): readonly CertificateEnd[] {
  const found = settings.flatMap(({ certificate, authorities }, at): readonly CertificateEnd[] => [
    { of: brokers[at] ? "mqtt" : "client", file: certificate, end: ends[2 * at] ?? 0 },
    { of: "authority", file: authorities, end: ends[2 * at + 1] ?? 0 },
  ]);
  const known = found.filter(({ end }) => end > 0);
  return known.filter(({ file }, at) => known.findIndex((one) => one.file === file) === at);
}

/** @param now s since 1970. @returns a line if a certificate has ended, or ends within 30 days. */
export function adviceOnEnd({ of, file, end }: CertificateEnd, now: number): string | undefined {
  const [what, remedy] = words[of](file);
  if (end <= now) return `${what} has ended on ${dayOf(end)}: ${remedy}, or set the clock`;
  if (end > now + notice) return undefined;
  const days = Math.floor((end - now) / day);
  const left = days < 1 ? "within a day" : days === 1 ? "in 1 day" : `in ${days} days`;
  return `${what} ends on ${dayOf(end)}, ${left}: ${remedy} before that day, and reload nound`;
}

/** Has the log say once a day which certificates have ended, or end within 30 days. */
export function watchEnds(): void {
  if (!beginWatch()) return;
  const alarm = new Alarm(loop, () => {
    const now = Math.max(Math.floor(Date.now() / 1_000), keptDate()?.date ?? 0);
    for (const one of certificateEnds()) {
      const advice = adviceOnEnd(one, now);
      if (advice !== undefined) logFailure(one.of === "authority" ? "authorities" : one.of, advice);
    }
    alarm.set(loop.now() + day * 1_000);
  });
  alarm.set(loop.now());
}
