/** What one test has started around a broker, all of which ends with the test. */
import type { TestContext } from "vitest";
import { freeAddress } from "./address.ts";
import { Mosquitto } from "./mosquitto.ts";
import { configurationFile, NoundProcess } from "./nound-process.ts";

/** For tests that run side by side: they wait most of the time. */
export class BrokerSite {
  protected readonly context: TestContext;

  constructor(context: TestContext) {
    this.context = context;
  }

  async broker(lines: readonly string[] = []): Promise<Mosquitto> {
    const broker = await Mosquitto.start(lines);
    this.context.onTestFinished(() => broker.stop("SIGKILL"));
    return broker;
  }

  /**
   * Starts a device at a broker that logs failures, and waits until it serves.
   * @param options of the command line.
   */
  protected async start(
    broker: Pick<Mosquitto, "address">,
    configuration: object,
    mqtt: object,
    options: readonly string[] = [],
  ): Promise<NoundProcess> {
    const listen = await freeAddress();
    const connected = { server: broker.address, id: "hall", interval: 0, ...mqtt };
    const file = configurationFile(JSON.stringify({ ...configuration, listen, log: "errors", mqtt: connected }));
    const device = new NoundProcess([...options, "--config", file], listen);
    this.context.onTestFinished(() => device.kill());
    await device.listening();
    return device;
  }
}
