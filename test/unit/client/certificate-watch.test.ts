/** Certificates that end: what `--check`, the log and the metrics say of them. */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { world } from "../../../ts/native/simulated/world.ts";
import { Server, switchNoun } from "../../../ts/nound.ts";
import { adviceOnEnd } from "../../../ts/parts/client/certificate-watch.ts";
import { numberOf, startConnections } from "../../../ts/parts/client/connections.ts";
import { certificateEnds } from "../../../ts/platform/certificate-ends.ts";
import { raiseLog } from "../../../ts/platform/log.ts";
import { advance, request, reset } from "../../../ts/testing.ts";

const day = 86_400;
const now = 1_795_000_000; // 2026-11-18

beforeEach(() => {
  reset();
  vi.setSystemTime(now * 1_000);
  onTestFinished(() => void vi.useRealTimers());
});

test.each([
  [31 * day, undefined],
  [30 * day, "the certificate /a.pem ends on 2026-12-18, in 30 days: renew it before that day, and reload nound"],
  [day, "the certificate /a.pem ends on 2026-11-19, in 1 day: renew it before that day, and reload nound"],
  [60, "the certificate /a.pem ends on 2026-11-18, within a day: renew it before that day, and reload nound"],
  [0, "the certificate /a.pem has ended on 2026-11-18: renew it, or set the clock"],
  [-40 * day, "the certificate /a.pem has ended on 2026-10-09: renew it, or set the clock"],
])("%d s before the end, the advice is %j", (left, advice) => {
  expect(adviceOnEnd({ of: "https", file: "/a.pem", end: now + left }, now)).toBe(advice);
});

test("a device's own certificate and an authority are named as such", () => {
  const end = now - 1;
  expect(adviceOnEnd({ of: "mqtt", file: "/a.pem", end }, now)).toContain("this device's certificate /a.pem has ended");
  expect(adviceOnEnd({ of: "authority", file: "/b.pem", end }, now)).toBe(
    "an authority in /b.pem has ended on 2026-11-18: replace it in the file, or set the clock",
  );
});

function connecting(): void {
  const { ends } = world().connector;
  ends.set("/own.pem", now + 40 * day).set("/house.pem", now - day);
  const tls = { authorities: "/house.pem", certificate: "/own.pem", key: "/own-key.pem" };
  numberOf("mqtts://broker.example", tls, true);
  numberOf("https://hooks.example", { authorities: "/house.pem" });
  startConnections();
}

/** The document may take several turns of the loop. */
async function metricsOf(server: Server): Promise<string> {
  const answer = request(server, { method: "GET", path: "/metrics" });
  await advance(1_000);
  return (await answer).text;
}

test("the ends are in the metrics, once for each file", async () => {
  connecting();
  const server = new Server();
  server.register("led", switchNoun({ key: "on" }));
  const body = await metricsOf(server);
  expect(body.match(/^nound_certificate.*$/gm)).toEqual([
    `nound_certificate_expiry_seconds{of="mqtt",file="/own.pem"} ${now + 40 * day}`,
    `nound_certificate_expiry_seconds{of="authority",file="/house.pem"} ${now - day}`,
  ]);
});

test("a server without certificates measures none, and wakes up for none", async () => {
  numberOf("mqtts://broker.example", undefined, true);
  startConnections();
  const server = new Server();
  server.register("led", switchNoun({ key: "on" }));
  const body = await metricsOf(server);
  expect(body).not.toContain("nound_certificate");
  expect(certificateEnds()).toEqual([]);
});

test("the log has a line a day for each that ends within 30 days", () => {
  raiseLog("errors");
  connecting();
  const count = (text: string) =>
    world()
      .printed.split("\n")
      .filter((line) => line.includes(text)).length;
  world().clock.advance(0);
  expect([count("/house.pem has ended"), count("/own.pem")]).toEqual([1, 0]);
  for (let days = 1; days <= 11; days++) {
    vi.setSystemTime((now + days * day) * 1_000);
    world().clock.advance(day * 1_000);
  }
  expect([count("/house.pem has ended"), count("/own.pem ends on 2026-12-28")]).toEqual([12, 2]);
});
