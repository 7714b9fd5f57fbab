/** HTTPS on the board, with the certificate that nound makes there, and a broker that the board reaches by mqtts. */
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../harness/address.ts";
import { certificate } from "../harness/certificates.ts";
import { ask } from "../harness/https-client.ts";
import { Mosquitto, OtherClient } from "../harness/mosquitto.ts";
import { privateFile } from "../harness/nound-process.ts";
import { forAllTests, thisMachine } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const nouns = { pump: { kind: "gpio-output", chip: "gpiochip0", offset: 0, key: "on" } };
const authority = certificate({ name: "House", isAuthority: true });
const shown = certificate({ name: "broker", hosts: [thisMachine], issuer: authority });

test.each(["TLSv1.2", "TLSv1.3"] as const)("a client sets a pin over HTTPS, by %s", async (version) => {
  const stateDirectory = `/tmp/https-${version}`;
  await board().startNound({ nouns, stateDirectory, isSealed: true });
  const ca = await board().guest.read(`${stateDirectory}/https-certificate.pem`);
  const sealed = { ca, port: board().otherPort, servername: "", minVersion: version, maxVersion: version } as const;
  const trusting = { ...sealed, checkServerIdentity: () => undefined, headers: { "content-type": "application/json" } };
  const put = await ask({ ...trusting, path: "/pump", method: "PUT" }, '{"on":1}');
  expect(put).toMatchObject({ status: 200, body: '{"on":1}' });
  expect(await board().pins.voltage(0)).toBe(1);
  expect(await ask({ ...trusting, path: "/pump" })).toMatchObject({ status: 200, body: '{"on":1}' });
});

test("a broker with TLS commands a pin", async () => {
  const port = await freePort();
  const broker = await Mosquitto.start([
    `listener ${port} 127.0.0.1`,
    `certfile ${privateFile("broker.pem", shown.pem)}`,
    `keyfile ${privateFile("broker-key.pem", shown.key)}`,
  ]);
  onTestFinished(() => broker.stop());
  const client = await OtherClient.connect(broker.port);
  onTestFinished(() => client.end());
  await board().guest.write("/authority.pem", authority.pem);
  const mqtt = { server: `mqtts://${thisMachine}:${port}`, id: "board" };
  await board().startNound({ nouns, mqtt, tls: { authorities: "/authority.pem" } });
  await client.hears("nound/board", "online");
  await client.publish("nound/board/pump/put", '{"on":1}');
  await client.hears("nound/board/pump", '{"on":1}');
  expect(await board().pins.voltage(0)).toBe(1);
});
