import { expect, test } from "vitest";
import { writeState } from "../../../ts/core/noun/state-writer.ts";
import { longestWhole } from "../../../ts/core/operations/answer.ts";
import { StateAnswers } from "../../../ts/core/operations/state-answers.ts";

/** @returns the body of the answer. */
function bodyOf(answers: StateAnswers, state: unknown): string {
  return answers.write(state, writeState).plain?.split("\r\n\r\n")[1] ?? "";
}

test("an answer is the whole response with the state as JSON", () => {
  expect(new StateAnswers().write({ a: "é" }, writeState).plain).toBe(
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n" +
      "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\r\n" +
      '{"a":"é"}',
  );
});

test("the answer with a state that cannot change is found again from its second time on", () => {
  const answers = new StateAnswers();
  const state = Object.freeze({ a: 1 });
  answers.write(state, writeState);
  expect(answers.written.get(state)).toBeUndefined();
  const answer = answers.write(state, writeState);
  expect(answers.written.get(state)).toBe(answer);
});

test("the answer that was prepared for a state is found when a noun returns that state", () => {
  const answers = new StateAnswers();
  const state = Object.freeze({ a: "é" });
  const answer = answers.prepare(state);
  expect(answer.json).toBe('{"a":"é"}');
  expect(answers.written.get(state)).toBe(answer);
});

test("a large state has no other text than its JSON, and its answer is found only if it was prepared", () => {
  const answers = new StateAnswers();
  const state = Object.freeze({ a: "x".repeat(longestWhole) });
  for (const answer of [answers.write(state, writeState), answers.write(state, writeState)]) {
    expect(answer.plain).toBeUndefined();
    expect(answer.write({ close: false, headOnly: false, fields: "" })).toContain(`\r\n\r\n${JSON.stringify(state)}`);
  }
  expect(answers.written.get(state)).toBeUndefined();
  expect(answers.prepare(state).plain).toBeUndefined();
  expect(answers.written.get(state)).toBeDefined();
});

test("a state that may change is written each time", () => {
  const answers = new StateAnswers();
  const state = { a: 1 };
  expect(bodyOf(answers, state)).toBe('{"a":1}');
  state.a = 2;
  expect(bodyOf(answers, state)).toBe('{"a":2}');
});

test("a frozen state whose getter gives another value each time is written each time", () => {
  const answers = new StateAnswers();
  let reads = 0;
  const state = Object.freeze({
    get a() {
      reads += 1;
      return reads;
    },
  });
  expect([bodyOf(answers, state), bodyOf(answers, state)]).toEqual(['{"a":1}', '{"a":2}']);
});

test.each([undefined, null, 1, "a", [], Object.freeze({ a: [] }), Promise.resolve({}).then])(
  "%s has no answer",
  (result) => {
    const answers = new StateAnswers();
    expect(() => answers.write(result, writeState)).toThrow(TypeError);
    expect(answers.written.get(result as object)).toBeUndefined();
  },
);
