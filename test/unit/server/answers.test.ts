import { expect, test } from "vitest";
import { Answers } from "../../../ts/server/answers.ts";

test("an answer holds the state as JSON and the whole response", () => {
  const { json, response } = new Answers().answer({ a: "é" });
  expect(json).toBe('{"a":"é"}');
  expect(response).toBe(
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\nCache-Control: no-store\r\n\r\n" +
      '{"a":"é"}',
  );
});

test("a state that cannot change is written once", () => {
  const answers = new Answers();
  const state = Object.freeze({ a: 1 });
  expect(answers.find(state)).toBeUndefined();
  const answer = answers.answer(state);
  expect(answers.find(state)).toBe(answer);
  expect(answers.answer(state)).toBe(answer);
});

test("a state that may change is written each time", () => {
  const answers = new Answers();
  const state = { a: 1 };
  expect(answers.answer(state).json).toBe('{"a":1}');
  state.a = 2;
  expect(answers.answer(state).json).toBe('{"a":2}');
});

test("a frozen state whose getter gives another value each time is written each time", () => {
  const answers = new Answers();
  let reads = 0;
  const state = Object.freeze({
    get a() {
      reads += 1;
      return reads;
    },
  });
  expect([answers.answer(state).json, answers.answer(state).json]).toEqual(['{"a":1}', '{"a":2}']);
});

test.each([undefined, null, 1, "a", [], Object.freeze({ a: [] }), Promise.resolve({}).then])(
  "%s has no answer",
  (result) => {
    const answers = new Answers();
    expect(() => answers.answer(result)).toThrow(TypeError);
    expect(answers.find(result)).toBeUndefined();
  },
);
