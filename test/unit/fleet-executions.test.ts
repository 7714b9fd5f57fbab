/** How `npm run test:fleet` judges what devices have executed, by their logs. */
import { expect, test } from "vitest";
import { Executions } from "../fleet/executions.ts";

const put = "10.9.0.1:1883 PUT /job 200 (mqtt)\n";
const post = "10.9.0.1:1883 POST /job 200 (mqtt)\n";
const lost = "mqtt: 10.9.0.1:1883: the connection is broken\n";
const ignored = "mqtt message: ignored a message to nound/d0/job/put: it is no command\n";

/** @param logs what a device logs before each look. @returns what comes of it. */
function judged(...logs: readonly string[]) {
  const left = ["", ...logs];
  const device = { id: "d0", readLog: () => left.shift() ?? "" };
  const executions = new Executions([device]);
  executions.sent();
  for (const _ of logs) executions.look();
  const { most0, most1, twice, repeating } = executions.judge();
  return { most0, most1, twice, repeating: repeating?.id };
}

test("what is executed is counted by its QoS", () => {
  expect(judged(put + post)).toEqual({ most0: 1, most1: 1, twice: 0, repeating: undefined });
  expect(judged(put, put)).toMatchObject({ most0: 2, most1: 0 });
});

test("a command of QoS 1 may be executed again after the loss of its connection", () => {
  expect(judged(post + lost, post)).toEqual({ most0: 0, most1: 2, twice: 1, repeating: undefined });
});

test.each([
  ["at once", post + post],
  ["after other lines", post + put + ignored + post],
  ["after a connection that was lost before", lost + post + post],
  ["later", post + lost + post + post],
])("one that is executed again on the same connection is found: %s", (_name, log) => {
  expect(judged(log).repeating).toBe("d0");
  expect(judged(...log.split(/(?<=\n)/)).repeating).toBe("d0");
});

test("what was logged before does not count", () => {
  const left = [post, post];
  const executions = new Executions([{ id: "d0", readLog: () => left.shift() ?? "" }]);
  executions.sent();
  expect(executions.judge().most1).toBe(1);
});
