/**
 * TLS between the devices and the brokers of a whole run, as `--tls` asks for: each broker shows a certificate, and
 * each device a certificate, a user and a password.
 */
import { execFileSync } from "node:child_process";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { certificate } from "../harness/certificates.ts";
import { Mosquitto } from "../harness/mosquitto.ts";
import { privateFile } from "../harness/nound-process.ts";

/** What the parties of a run have. */
interface Seal {
  readonly authority: string;
  readonly broker: { readonly cert: string; readonly key: string };
  /** Keys of a device's `mqtt`. */
  readonly device: object;
}

let seal: Seal | undefined;

/** Encrypts the connections of all devices and brokers that start from now on. */
export function sealBrokers(): void {
  const authority = certificate({ name: "House", isAuthority: true });
  const broker = certificate({ name: "broker", hosts: ["127.0.0.1"], issuer: authority });
  const device = certificate({ name: "device", issuer: authority, usages: ["client"] });
  const authorities = privateFile("authority.pem", authority.pem);
  const [user, password] = ["device", "lamp-9-heron"];
  const passwords = privateFile("passwords", `${user}:${password}\n`);
  execFileSync("mosquitto_passwd", ["-U", passwords]);
  const [certfile, keyfile] = [privateFile("broker.pem", broker.pem), privateFile("broker-key.pem", broker.key)];
  seal = {
    authority: authority.pem,
    broker: { cert: broker.pem, key: broker.key },
    device: {
      user,
      password: privateFile("password", password),
      tls: {
        authorities,
        certificate: privateFile("device.pem", device.pem),
        key: privateFile("device-key.pem", device.key),
      },
    },
  };
  Mosquitto.sealedListener = (port) => [
    `password_file ${passwords}`,
    `listener ${port} 127.0.0.1`,
    `cafile ${authorities}`,
    `certfile ${certfile}`,
    `keyfile ${keyfile}`,
    "require_certificate true",
  ];
}

/** @returns the keys of `mqtt` for a device at brokers with addresses. */
export function connectionTo(broker: string | readonly string[]): object {
  if (seal === undefined) return { broker };
  const sealed = (address: string): string => `mqtts://${address}`;
  return { broker: typeof broker === "string" ? sealed(broker) : broker.map(sealed), ...seal.device };
}

/** @returns a server that plays a broker. @param speak called with each client's connection. */
export function brokerServer(speak: (socket: Socket) => void): Server {
  if (seal === undefined) return createServer(speak);
  const server = createTlsServer({ ...seal.broker, ca: seal.authority, requestCert: true }, speak);
  server.on("tlsClientError", () => undefined);
  return server;
}
