/** Measurements for Prometheus, in its text format 0.0.4. */
import type { ChoiceKey, Key } from "../../../core/noun/shape.ts";
import type { Scalar, State } from "../../../core/noun/state.ts";
import type { DescribedDevice, DescribedNoun } from "./described-device.ts";

/** A noun and what reading it gave. */
export interface MeasuredNoun extends Pick<DescribedNoun, "name" | "shape"> {
  /** Undefined when the noun failed or did not answer in time. */
  readonly state: State | undefined;
  /** Whether its guard keeps it at its default; undefined without a guard. */
  readonly isGuarded?: boolean | undefined;
}

/** The counts of the client of a broker. */
export interface BrokerCounts {
  readonly isConnected: boolean;
  /** CONNECTs since the start. */
  readonly connects: number;
  /** Messages since the start. */
  readonly received: number;
  readonly sent: number;
}

export interface Counts extends Pick<DescribedDevice, "version" | "model" | "kernel"> {
  /** Answers since the start, by status code. */
  readonly requests: { readonly [status: number]: number };
  readonly connections: number;
  /** Open streams of events. */
  readonly streams: number;
  /** Undefined without a broker. */
  readonly broker?: BrokerCounts | undefined;
  /** What was told in the log, or left out there. */
  readonly failures: number;
  /** Bytes of memory that the script has. */
  readonly memoryBytes: number;
  /** Different after each boot of the machine. */
  readonly boot: string;
  /** s since 1970 at which the process started. */
  readonly startTime: number;
}

type Labels = { readonly [name: string]: string };

/** One measured value. */
type Sample = readonly [Labels, number];

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function line(name: string, [labels, value]: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

/** All samples of one name, as many at once as are given at once; nothing without samples. */
function* family(
  name: string,
  type: "gauge" | "counter",
  help: string,
  samples: Iterable<readonly Sample[]>,
): Generator<string> {
  let head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  for (const some of samples) {
    const lines = some.map((sample) => line(name, sample)).join("");
    yield lines === "" ? "" : head + lines;
    if (lines !== "") head = "";
  }
}

/** A choice of numbers or truth values is written as a number. */
function isNamedChoice(key: Key | undefined): key is ChoiceKey {
  return key?.type === "choice" && key.values.some((value) => typeof value === "string");
}

/** A key of a state, with its value. */
interface Measured {
  readonly noun: string;
  readonly name: string;
  readonly key: Key | undefined;
  readonly value: Scalar;
}

function valueSamples({ noun, name, key, value }: Measured): Sample[] {
  const isNumber = !isNamedChoice(key) && (typeof value === "number" || typeof value === "boolean");
  return isNumber ? [[{ noun, key: name }, Number(value)]] : [];
}

function choiceSamples({ noun, name, key, value }: Measured): Sample[] {
  if (!isNamedChoice(key)) return [];
  // Two values may be the same text: 1 and "1".
  const texts = new Set(key.values.map(String));
  return Array.from(texts, (text): Sample => [{ noun, key: name, value: text }, Number(String(value) === text)]);
}

function infoSamples(measured: Measured): Sample[] {
  const { noun, name, key } = measured;
  return valueSamples(measured).length === 0 ? [] : [[{ noun, key: name, unit: key?.unit ?? "" }, 1]];
}

/** A noun with the keys of its state; no keys if it could not be read. */
type ReadNoun = MeasuredNoun & { readonly keys: readonly Measured[] };

/** Adds each noun to `read`, which is empty. */
function* values(nouns: Iterable<MeasuredNoun>, read: ReadNoun[]): Generator<Sample[]> {
  for (const noun of nouns) {
    const { name: of, shape = {}, state = {} } = noun;
    const keys = Object.entries(state).map(([name, value]): Measured => {
      return { noun: of, name, key: Object.hasOwn(shape, name) ? shape[name] : undefined, value };
    });
    read.push({ ...noun, keys });
    yield keys.flatMap(valueSamples);
  }
}

function* ofEach(read: readonly ReadNoun[], samples: (noun: ReadNoun) => Sample[]): Generator<Sample[]> {
  for (const noun of read) yield samples(noun);
}

function* gauge(name: string, help: string, value: number, labels: Labels = {}): Generator<string> {
  yield* family(name, "gauge", help, [[[labels, value]]]);
}

function* brokerMetrics({ isConnected, connects, received, sent }: BrokerCounts): Generator<string> {
  const messages: Sample[] = [
    [{ direction: "in" }, received],
    [{ direction: "out" }, sent],
  ];
  yield* gauge("nound_mqtt_connected", "1 while the broker has accepted the device.", Number(isConnected));
  yield* family("nound_mqtt_connects_total", "counter", "Connections to the broker.", [[[{}, connects]]]);
  yield* family("nound_mqtt_messages_total", "counter", "Messages of the broker, by direction.", [messages]);
}

/**
 * @param nouns in the order of their registration. They are gone through once.
 * @returns the texts of what is measured, of the type `text/plain; version=0.0.4; charset=utf-8`. Strings that no shape
 *   lists are left out.
 */
export function* metrics(nouns: Iterable<MeasuredNoun>, counts: Counts): Generator<string> {
  const read: ReadNoun[] = [];
  yield* family("nound_noun_value", "gauge", "A number of a noun's state; true is 1.", values(nouns, read));
  const choices = ofEach(read, ({ keys }) => keys.flatMap(choiceSamples));
  yield* family("nound_noun_choice", "gauge", "1 for the value that a key has, 0 for the others.", choices);
  const infos = ofEach(read, ({ keys }) => keys.flatMap(infoSamples));
  yield* family("nound_noun_info", "gauge", "The unit of a key of a noun's state.", infos);
  const up = ofEach(read, ({ name, state }) => [[{ noun: name }, Number(state !== undefined)]]);
  yield* family("nound_noun_up", "gauge", "1 for a noun that could be read.", up);
  const guarded = ofEach(read, ({ name, isGuarded }) =>
    isGuarded === undefined ? [] : [[{ noun: name }, +isGuarded]],
  );
  yield* family("nound_guarded", "gauge", "1 while its guard keeps a noun at its default.", guarded);
  const requests = Object.entries(counts.requests).filter(([, count]) => count > 0); // ascending (ECMA-262, 10.1.11.1)
  const byStatus = requests.map(([code, count]): Sample => [{ code }, count]);
  yield* family("nound_requests_total", "counter", "Requests answered, by status code.", [byStatus]);
  yield* gauge("nound_connections", "Open connections.", counts.connections);
  yield* gauge("nound_streams", "Open streams of events.", counts.streams);
  if (counts.broker !== undefined) yield* brokerMetrics(counts.broker);
  yield* family("nound_failures_total", "counter", "Failures that the log tells.", [[[{}, counts.failures]]]);
  yield* gauge("nound_memory_bytes", "Memory of nouns, requests and everything they hold.", counts.memoryBytes);
  const [version = "", commit = ""] = counts.version.split("+");
  yield* gauge("nound_build_info", "The version of nound, and its commit.", 1, { version, commit });
  const { model = "", kernel, boot } = counts;
  const about = "The model of the device, the release of its Linux, and its boot.";
  yield* gauge("nound_device_info", about, 1, { model, kernel, boot });
  yield* gauge("process_start_time_seconds", "Start of the process since 1970 in seconds.", counts.startTime);
}
