/**
 * Random rules on a device with random nouns, and whatever happens to them: changes, failures, clients, jumps of the
 * clock on the wall. `then` and `else` run exactly when the model has them run.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Condition } from "../../../ts/core/noun/condition.ts";
import type { RuleOptions } from "../../../ts/parts/rules/rule.ts";
import { RuledDevice, TestNoun } from "./device.ts";
import { RuleModel } from "./model.ts";

/** ms between two things that happen: more than a noun's events, and runs, are apart. */
const pace = 110;

const sensors = ["a", "b", "c"] as const;

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.integer({ min: 0, max: 2 }),
  fc.record({ above: fc.constantFrom(1, 2), until: fc.constantFrom(0, 1) }),
  fc.record({ below: fc.constantFrom(1, 2), until: fc.constantFrom(2, 3) }),
  fc.record({ above: fc.constantFrom(0, 1, 2) }),
);

const timed = fc.record({
  when: fc.dictionary(fc.constantFrom(...sensors), condition, { minKeys: 1 }),
  for: fc.constantFrom(undefined, 200, 330),
  every: fc.constantFrom(undefined, 130, 400),
  hasElse: fc.boolean(),
});
const ofChanges = fc.record({
  when: fc.dictionary(fc.constantFrom(...sensors), fc.oneof(condition, fc.constant<Condition>({ changes: true })), {
    minKeys: 1,
  }),
});
const randomRule = fc.oneof(timed, ofChanges);

const happening = fc.oneof(
  { weight: 8, arbitrary: fc.record({ noun: fc.constantFrom(...sensors), value: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ noun: fc.constantFrom(...sensors), value: fc.constantFrom(null, undefined) }) },
  { weight: 2, arbitrary: fc.record({ pause: fc.integer({ min: 1, max: 900 }) }) },
  { weight: 2, arbitrary: fc.record({ client: fc.integer({ min: 100, max: 999 }) }) },
  { weight: 1, arbitrary: fc.record({ jump: fc.constantFrom(-86_400_000, -1, 3_600_000) }) },
  { weight: 1, arbitrary: fc.record({ failures: fc.boolean() }) },
);

function optionsOf(rule: typeof randomRule extends fc.Arbitrary<infer R> ? R : never, index: number): RuleOptions {
  const when = Object.fromEntries(Object.entries(rule.when).map(([noun, one]) => [noun, { n: one }]));
  const then = [{ verb: "PUT", noun: "sink", body: { n: 2 * index } }] as const;
  if (!("hasElse" in rule)) return { when, then };
  return {
    when,
    then,
    ...(rule.for !== undefined && { for: rule.for }),
    ...(rule.every !== undefined && { every: rule.every }),
    ...(rule.hasElse && { else: [{ verb: "PUT", noun: "sink", body: { n: 2 * index + 1 } }] }),
  };
}

test("whatever happens, each rule runs exactly when the model says, and no client's PUT is lost", () => {
  const isChanges = (one: Condition) => Object.hasOwn(Object(one), "changes");
  fc.assert(
    fc.property(
      fc.array(randomRule, { minLength: 1, maxLength: 4 }),
      fc.array(happening, { maxLength: 30 }),
      (random, happenings) => {
        const rules = random
          .filter((rule) => "hasElse" in rule || Object.values(rule.when).some(isChanges))
          .map((rule, index) => optionsOf(rule, index));
        const nouns = { a: new TestNoun({ n: 0 }), b: new TestNoun({ n: 1 }), c: new TestNoun({ n: null }) };
        const sink = new TestNoun({ n: -1 });
        const asked: string[] = [];
        let isFailing = false;
        sink.setState = (state) => {
          asked.push(`${state["n"]} at ${device.clock.now()}`);
          if (isFailing) throw new Error("broken");
          return sink.become(state);
        };
        const named = Object.fromEntries(rules.map((rule, index) => [`r${index}`, rule]));
        const device = new RuledDevice({ ...nouns, sink }, named);
        const models = rules.map((rule) => new RuleModel(rule));
        const expected: string[] = [];
        const seen = models.map(() => 0);
        /** Takes what the models have run since. */
        const collect = () => {
          for (const [index, { ran }] of models.entries()) {
            for (const { branch, at } of ran.slice(seen[index])) {
              expected.push(`${2 * index + (branch === "then" ? 0 : 1)} at ${at}`);
            }
            seen[index] = ran.length;
          }
        };
        const pass = (ms: number) => {
          for (let passed = 0; passed < ms; passed++) {
            device.clock.advance(1);
            for (const model of models) model.pass(device.clock.now());
            collect();
          }
        };
        for (const [name, { state }] of Object.entries(nouns)) {
          for (const model of models) model.set(name, (state as { n: number | null }).n, 0);
        }
        device.start();
        collect();
        pass(pace);
        for (const one of happenings) {
          if ("noun" in one) {
            const noun = nouns[one.noun];
            if (noun.state instanceof Error) {
              // A failed noun is also read each second, and then not at once: it is read here.
              noun.fail();
              pass(pace);
            }
            if (one.value === undefined) noun.fail();
            else noun.become({ n: one.value });
            device.clock.advance(0);
            for (const model of models) model.set(one.noun, one.value, device.clock.now());
          } else if ("client" in one) {
            device.ask("PUT", "sink", { n: one.client });
            expected.push(`${one.client} at ${device.clock.now()}`);
          } else if ("jump" in one) device.ahead += one.jump;
          else if ("failures" in one) isFailing = one.failures;
          collect();
          pass("pause" in one ? one.pause : pace);
        }
        // Of one moment, the order among rules is that of what they wait for.
        const byMoment = (list: readonly string[]) =>
          list.toSorted((x, y) => momentOf(x) - momentOf(y) || (x < y ? -1 : 1));
        expect(byMoment(asked)).toEqual(byMoment(expected));
        for (const [index, model] of models.entries()) {
          expect(device.ask("GET", `r${index}`)).toMatchObject({ runs: model.ran.length, delayed: model.delayed });
        }
      },
    ),
    { numRuns: 500 },
  );
});

function momentOf(text: string): number {
  return Number(text.split(" at ")[1]);
}

test("however fast things change, the last word counts: the sink ends as the conditions do", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ value: fc.integer({ min: 0, max: 3 }), ms: fc.nat(60) })), (changes) => {
      const noun = new TestNoun({ n: 0 });
      const sink = new TestNoun({ n: -1 });
      const rule: RuleOptions = {
        when: { noun: { n: { above: 1 } } },
        then: [{ verb: "PUT", noun: "sink", body: { n: 1 } }],
        else: [{ verb: "PUT", noun: "sink", body: { n: 0 } }],
      };
      const device = new RuledDevice({ noun, sink }, { rule }).start();
      for (const { value, ms } of changes) {
        noun.become({ n: value });
        device.clock.advance(ms);
      }
      device.clock.advance(200);
      expect(sink.state).toEqual({ n: (changes.at(-1)?.value ?? 0) > 1 ? 1 : 0 });
      const runs = sink.asked.length;
      expect(runs).toBeLessThanOrEqual(2 + device.clock.now() / 100);
    }),
  );
});
