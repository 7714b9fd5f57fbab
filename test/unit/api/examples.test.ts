/** What the documentation shows compiles with the declarations alone. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readModules } from "../../../tools/api/documents.ts";
import { DeclaredPackage, root } from "./declared-package.ts";

let installed: DeclaredPackage;
beforeAll(async () => {
  installed = await DeclaredPackage.create();
});
afterAll(() => installed.remove());

const modules = readModules(root);
const imports = Array.from(
  modules,
  ([module, names]) => `import { ${names.map(({ name }) => name).join(", ")} } from "${module}";`,
).join("\n");

/** What an example may speak of without saying where it comes from. */
const surroundings = `
declare const server: Server;
declare const pump: Line, valve: Line, led: Line, button: Line;
declare const motor: { speed: number; turn(speed: number): void };
declare const parser: { feed(bytes: string): void };
declare const lines: string[];
declare function reload(): void;
interface Matchers { toBe(other: unknown): void; toEqual(other: unknown): void; toBeUndefined(): void }
declare function expect(value: unknown): Matchers;
declare function beforeEach(prepare: () => void): void;
`;

test("a mistake in an example would be seen", () => {
  const report = installed.compile(
    new Map([["example.ts", `${imports}${surroundings}new Server({ limits: { conections: 1 } });`]]),
  );
  expect(report).toContain("conections");
});

test("the examples of all doc comments compile", () => {
  const files = new Map(
    [...modules.values()].flat().map(({ name, doc }, index) => {
      // In a block, an example may declare again what the surroundings declare.
      const text = `${imports}\n${surroundings}\nexport async function example() {\n${doc.example}\n}\n`;
      return [`${index}-${name}.ts`, text] as const;
    }),
  );
  expect(installed.compile(files)).toBe("");
});

test.each(["README.md", "docs/tutorial.md"])("the applications that %s shows compile", (page) => {
  const blocks = [...readFileSync(join(root, page), "utf8").matchAll(/```ts\n(import [\s\S]*?)```/g)];
  const applications = blocks.map(([, text = ""]) => text).filter((text) => !text.includes("vitest"));
  expect(applications).not.toEqual([]);
  const files = applications.map((text, index) => [`application-${index}.ts`, text] as const);
  expect(installed.compile(new Map(files))).toBe("");
});

const folder = join(root, "examples");
const examples = readdirSync(folder).filter((name) => existsSync(join(folder, name, "src")));

describe.each(examples)("examples/%s", (example) => {
  test("compiles with the declarations alone", () => {
    const source = join(folder, example, "src");
    const names = [...readdirSync(source), "../package.json"];
    const files = names.map((name) => [name, readFileSync(join(source, name), "utf8")] as const);
    expect(installed.compile(new Map(files))).toBe("");
  });
});
