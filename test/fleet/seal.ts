/** TLS between a fleet and its brokers: what each of them shows, all signed by one authority, as docs/security.md advises. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificate } from "../harness/certificates.ts";
import { brokerHost, folder } from "./namespaces.ts";

export class Seal {
  /** The port of a broker's first node with TLS. */
  readonly port = 8_883;
  private readonly authority = certificate({ name: "Fleet", isAuthority: true });
  private readonly broker = certificate({ name: "broker", hosts: [brokerHost], issuer: this.authority });
  private readonly authorities = join(folder, "authority.pem");

  constructor() {
    writeFileSync(this.authorities, this.authority.pem);
  }

  /**
   * Writes the files of a broker into a folder.
   * @param within the folder's path for the broker.
   * @returns their paths for the broker.
   */
  writeBroker(to: string, within = to) {
    const { authority, broker } = this;
    writeFileSync(join(to, "authority.pem"), authority.pem);
    writeFileSync(join(to, "broker.pem"), broker.pem);
    writeFileSync(join(to, "broker-key.pem"), broker.key);
    const path = (name: string): string => join(within, name);
    return { authority: path("authority.pem"), certificate: path("broker.pem"), key: path("broker-key.pem") };
  }

  /** Writes the files of a device, with a key of its own. @returns its settings of TLS. */
  writeDevice(name: string): object {
    const own = certificate({ name, issuer: this.authority, usages: ["client"] });
    const files = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}-key.pem`) };
    writeFileSync(files.certificate, own.pem);
    writeFileSync(files.key, own.key, { mode: 0o600 });
    return { authorities: this.authorities, ...files };
  }
}
