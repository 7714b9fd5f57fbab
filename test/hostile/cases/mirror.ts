/** Answers of a hostile device to its mirrors: nothing of them has an effect, nothing is kept, and nothing waits. */
import { eventually } from "../../harness/eventually.ts";
import { HostileDevice, type Part, says, usual } from "../../harness/hostile-device.ts";
import { type NoundProcess, startNound } from "../../harness/nound-process.ts";
import { openDescriptors } from "../../harness/process-status.ts";
import { nouns } from "../../wire/nouns.ts";
import { malformedResponses } from "../../wire/response.ts";
import { type HostileCase, type Outcome, type Toll, warmUp, withstand } from "../case.ts";
import { ordinaryRequests } from "../ordinary-requests.ts";
import { cutsOf, endless, type NamedTrick, saysSlowly } from "../tricks.ts";

/** Each is refused, whatever it answers. */
const refused: readonly NamedTrick[] = [
  ...malformedResponses.map(({ name, bytes }) => ({ name, trick: says(bytes) })),
  ...endless,
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `a redirect by ${status}`,
    trick: says(`HTTP/1.1 ${status} F\r\nLocation: /else\r\nContent-Length: 0\r\n\r\n`),
  })),
];

/** Tricks that need the time of a whole attempt. */
const slow: readonly NamedTrick[] = [{ name: "silence", trick: () => undefined }];

const parts = ["description", "stream", "command"] as const;

/** Devices for each part: a mirror connects four times a second at most. */
const lanes = 4;

/** A device that is tried with its share of one part of what its mirror asks for. */
interface Trial {
  readonly lane: number;
  readonly part: Part;
  readonly other: HostileDevice;
  readonly path: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask(nound: NoundProcess, path: string, body?: string): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const init = body === undefined ? {} : { method: "PUT", headers, body };
  const response = await fetch(`http://${nound.address}${path}`, init);
  return { status: response.status, text: await response.text() };
}

async function isRight(nound: NoundProcess, { path }: Trial, behind: string): Promise<void> {
  await eventually(`${path} is right behind ${behind}`, async () => {
    return (await ask(nound, path)).text === '{"on":1}';
  });
}

/** Plays the trick, and waits until the mirror has refused it and is right again. */
async function isRefused(nound: NoundProcess, trial: Trial, { name, trick }: NamedTrick): Promise<void> {
  const { part, other, path } = trial;
  other.tricksOnce(part, trick);
  if (part === "command") {
    const { status, text } = await ask(nound, path, '{"on":3}');
    if (status !== 503) throw new Error(`${name}: a PUT was answered with ${status}: ${text}`);
  } else {
    other.endStreams();
    await eventually(`${path} is null behind ${name}`, async () => (await ask(nound, path)).status === 503);
  }
  other.goOn();
  await isRight(nound, trial, name);
}

/** Plays a trick that may be refused or not, until the mirror has connected again or answered. */
async function isSurvived(nound: NoundProcess, trial: Trial, { name, trick }: NamedTrick): Promise<void> {
  const { part, other, path } = trial;
  const before = other.requests[part];
  other.tricksOnce(part, trick);
  if (part === "command") await ask(nound, path, '{"on":3}');
  else other.endStreams();
  await eventually(`${name} is played`, () => other.requests[part] > before);
  other.goOn();
  await isRight(nound, trial, name);
}

async function attack(nound: NoundProcess, trials: readonly Trial[]): Promise<Toll> {
  const { connector } = nound;
  const descriptors = openDescriptors(connector);
  let tried = 0;
  let turnedAway = 0;
  await Promise.all(
    trials.map(async (trial) => {
      const isOwn = (_: NamedTrick, at: number): boolean => at % lanes === trial.lane;
      for (const trick of [...refused, ...slow].filter(isOwn)) {
        await isRefused(nound, trial, trick);
        turnedAway += 1;
      }
      const survived = [...cutsOf(usual[trial.part]), { name: "a byte a second", trick: saysSlowly(usual.stream) }];
      for (const trick of survived.filter(isOwn)) {
        await isSurvived(nound, trial, trick);
        tried += 1;
      }
    }),
  );
  await eventually("the connector is as before", () => openDescriptors(connector) === descriptors);
  return { tried: tried + turnedAway, refused: turnedAway };
}

async function run(): Promise<Outcome> {
  const trials: Trial[] = [];
  for (const part of parts) {
    for (let lane = 0; lane < lanes; lane++) {
      trials.push({ lane, part, other: await HostileDevice.start(), path: `/${part}${lane}` });
    }
  }
  const mirrors = trials.map(({ other, path }) => [
    path.slice(1),
    { kind: "mirror", url: `http://${other.address}/bell`, keepAlive: 60_000 } as const,
  ]);
  const nound = await startNound({ nouns: { ...nouns, ...Object.fromEntries(mirrors) } });
  try {
    for (const { other, path } of trials) await eventually(`${path} is followed`, () => other.requests.stream > 0);
    await warmUp(nound);
    const honest = { interval: 20, mostMedian: 5 };
    return await withstand(nound, () => attack(nound, trials), { honest, requests: ordinaryRequests });
  } finally {
    nound.kill();
    for (const { other } of trials) other.close();
  }
}

/** The case. */
export const mirror: readonly HostileCase[] = [{ name: "answers of a hostile device to its mirrors", run }];
