/** What the page knows of the device itself. */
import { Component } from "./dom/component.ts";
import { ago } from "./format.ts";
import { readDocument } from "./http-client.ts";
import { failuresIn, type LastFailure, metricIn } from "./lists.ts";
import { Moments } from "./moments.tsx";
import { say } from "./say.ts";
import { Sheet } from "./sheet.tsx";
import type { Description } from "./thing.ts";

type Props = Description & { readonly onClose: () => void };

interface Measured {
  /** The metrics of the device, as Prometheus reads them; "" until they are there. */
  readonly metrics: string;
  readonly log: readonly LastFailure[];
}

export class DeviceSheet extends Component<Props, Measured> {
  override state: Measured = { metrics: "", log: [] };

  override async componentDidMount(): Promise<void> {
    const metrics = await readDocument("/metrics", "text/plain");
    this.setState({ metrics: metrics ?? "", log: failuresIn(await readDocument("/changes", "*/*")) });
  }

  render({ title, version, model, kernel, certificate, onClose }: Props, { metrics, log }: Measured) {
    const start = metricIn(metrics, "process_start_time_seconds");
    const failures = metricIn(metrics, "nound_failures_total");
    const lines = [
      [say("address"), location.origin],
      [say("version"), version],
      [say("model"), model],
      [say("kernel"), kernel],
      ["SHA-256", certificate],
      [say("started"), start === undefined ? "" : ago(Date.now() - start * 1_000)],
      [say("failures"), failures === undefined ? "" : String(failures)],
    ] as const;
    return (
      <Sheet title={title} onClose={onClose}>
        <dl class="lines">
          {lines
            .filter(([, text]) => text !== "")
            .map(([label, text]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd dir="auto">{text}</dd>
              </div>
            ))}
        </dl>
        <Moments
          title={say("log")}
          list={log.map(({ time, of, text, times }) => [time, of, times > 1 ? `${text} (${times}\u00d7)` : text])}
        />
        <p class="sub">{say("homeScreen")}</p>
      </Sheet>
    );
  }
}
