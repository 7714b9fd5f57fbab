/** What the page knows of the device itself. */
import { Component } from "./dom/component.ts";
import { failuresIn, type LastFailure } from "./failures.ts";
import { ago, moment } from "./format.ts";
import { readDocument } from "./http-client.ts";
import { metricIn } from "./metrics.ts";
import { say } from "./say.ts";
import { Sheet } from "./sheet.tsx";

interface Props {
  readonly title: string;
  readonly version: string;
  readonly model: string;
  readonly kernel: string;
  readonly certificate: string;
  readonly onClose: () => void;
}

interface Measured {
  /** The metrics of the device, as Prometheus reads them; "" until they are there. */
  readonly metrics: string;
  readonly log: readonly LastFailure[];
}

export class DeviceSheet extends Component<Props, Measured> {
  override state: Measured = { metrics: "", log: [] };

  override componentDidMount(): void {
    void this.read();
  }

  private async read(): Promise<void> {
    const metrics = await readDocument("/metrics", "text/plain");
    this.setState({ metrics: metrics ?? "", log: failuresIn(await readDocument("/log", "*/*")) });
  }

  render({ title, version, model, kernel, certificate, onClose }: Props, { metrics, log }: Measured) {
    const start = metricIn(metrics, "process_start_time_seconds");
    const failures = metricIn(metrics, "nound_failures_total");
    const lines: readonly (readonly [string, string])[] = [
      [say("address"), location.origin],
      [say("version"), version],
      [say("model"), model],
      [say("kernel"), kernel],
      ["SHA-256", certificate],
      [say("started"), start === undefined ? "" : ago(Date.now() - start * 1_000)],
      [say("failures"), failures === undefined ? "" : String(failures)],
    ];
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
        {log.length > 0 && (
          <details open={true}>
            <summary>{say("log")}</summary>
            <ul>
              {log.map(({ time, of, text, times }) => (
                <li key={time + of} dir="auto">
                  {`${moment(time)} `}
                  <b>{of}</b>
                  {` ${text}${times > 1 ? ` (${times}\u00d7)` : ""}`}
                </li>
              ))}
            </ul>
          </details>
        )}
        <p class="sub">{say("homeScreen")}</p>
      </Sheet>
    );
  }
}
