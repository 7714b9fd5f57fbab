/** What happens to a fleet. docs/fleet.md has the outcome of each. */
import type { Scenario, Step } from "./scenario.ts";

const node = (action: Extract<Step, { do: "node" }>["action"]): Step => ({ do: "node", action });
const all = (action: Extract<Step, { do: "node" }>["action"]): Step => ({ do: "node", action, all: true });
const wait = (seconds: number): Step => ({ do: "wait", seconds });
const change: Step = { do: "change" };
const commands: readonly Step[] = [
  { do: "command", qos: 0 },
  { do: "command", qos: 1 },
];

/** The network is cut, with commands on their way. */
const cut = (seconds: number): readonly Step[] => [{ do: "cut" }, ...commands, wait(seconds), { do: "join" }];

/** s until all devices are back: two of the longest first waits, with an attempt that fails between them. */
const back = 90;

export const scenarios: readonly Scenario[] = [
  { name: "a command to one", steps: [], call: "one", within: 10, isQuiet: true },
  { name: "a command to a group", steps: [], call: "group", within: 10, isQuiet: true },
  { name: "a command to all", steps: commands, within: 10, isQuiet: true },
  {
    name: "retained commands",
    steps: [{ do: "command", qos: 0, retain: true }, { do: "command", qos: 1, retain: true }, wait(2)],
    within: 10,
    isQuiet: true,
    isRefused: true,
  },
  {
    name: "Home Assistant starts",
    steps: [{ do: "birth" }],
    within: 70,
    isQuiet: true,
    isAnnounced: true,
  },
  { name: "wills that come late", steps: [{ do: "wills" }, wait(1)], within: 10 },
  {
    name: "broker restarted with its store",
    broker: "mosquitto",
    steps: [...commands, node("end"), change, wait(2), node("start")],
    within: back,
  },
  {
    name: "broker killed without its store",
    broker: "mosquitto",
    steps: [...commands, node("kill"), change, node("forget"), wait(2), node("start")],
    within: back,
  },
  {
    name: "broker away for a minute",
    broker: "mosquitto",
    steps: [node("kill"), change, node("forget"), wait(60), node("start")],
    within: back,
  },
  {
    // What the broker has kept, for its sessions and as retained, is too old then.
    name: "broker back after 25 s with commands in its store",
    broker: "mosquitto",
    steps: [
      { do: "cut" },
      { do: "command", qos: 1, retain: true },
      wait(1),
      node("end"),
      { do: "join" },
      wait(25),
      node("start"),
    ],
    within: back,
  },
  {
    name: "broker paused for 15 s",
    broker: "mosquitto",
    steps: [node("pause"), ...commands, change, wait(15), node("continue")],
    within: 30,
    isQuiet: true,
    oldest: 20,
  },
  {
    name: "node killed",
    broker: "cluster",
    steps: [...commands, node("kill"), change, wait(5)],
    within: back,
  },
  { name: "node killed, and back", broker: "cluster", follows: true, steps: [node("start"), change], within: back },
  {
    // Its devices' sessions begin to end when it closes the connections, some seconds after the commands.
    name: "node ended",
    broker: "cluster",
    steps: [...commands, node("end"), change, wait(5)],
    within: back,
    oldest: 25,
  },
  {
    name: "node ended, and back",
    broker: "cluster",
    follows: true,
    steps: [node("start"), change],
    within: back,
  },
  {
    name: "node paused for 15 s",
    broker: "cluster",
    steps: [node("pause"), ...commands, change, wait(15), node("continue")],
    within: back,
    oldest: 20,
  },
  {
    name: "node drained",
    broker: "cluster",
    steps: [node("drain"), change, wait(5)],
    within: back,
  },
  { name: "node drained, and back", broker: "cluster", follows: true, steps: [node("start"), change], within: back },
  {
    name: "all nodes killed, with their stores",
    broker: "cluster",
    steps: [all("kill"), change, all("forget"), all("start")],
    within: back,
  },
  { name: "network cut for 2 s", steps: cut(2), within: 30, isQuiet: true },
  { name: "network cut for 20 s", steps: [change, ...cut(20)], within: back, oldest: 45 },
  {
    name: "network cut for 5 min",
    steps: [change, ...cut(300)],
    within: 2 * back,
  },
  {
    name: "devices with the ids of others",
    steps: [{ do: "add", who: "twins" }, wait(60), { do: "remove" }, wait(12)],
    within: back,
    isQuiet: true,
    says: /another client|same id/,
  },
  {
    name: "devices with a wrong password",
    steps: [{ do: "add", who: "strangers" }, wait(45), { do: "remove" }],
    within: 10,
    isQuiet: true,
    says: /the user or the password is wrong|not authorized/,
  },
  {
    name: "devices with topics of others",
    steps: [{ do: "add", who: "misnamed" }, wait(45), { do: "remove" }],
    within: 10,
    isQuiet: true,
    says: /access control list/,
  },
];
