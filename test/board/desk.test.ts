/** `npm run board`: an application's own binary on the board of docs/tutorial.md. */
import { expect, test } from "vitest";
import { freePort } from "../harness/address.ts";
import { Project, RunningCommand } from "../harness/project.ts";
import { top } from "../harness/top.ts";

test("an application's own binary sets pins and reports changes, and a typed line drives an input", async () => {
  const project = await Project.create();
  project.edit("src/main.ts", (text) =>
    text
      .replace(project.address, "0.0.0.0:8080")
      .replace("import { serve }", "import { gpioInputNoun, serve }")
      .replace('led: led("GPIO17")', 'led: led("GPIO17"), door: gpioInputNoun({ line: "GPIO27", key: "open" })'),
  );
  project.npm("run", "build", "--", "--target", "armv7");
  const port = await freePort();
  const binary = `${project.folder}/build/armv7/my-device`;
  const board = new RunningCommand(top, "npm", "run", "board", "--", "--port", String(port), binary);
  const led = `http://127.0.0.1:${port}/led`;
  const headers = { "content-type": "application/json" };
  await board.until("the application answers", () =>
    fetch(led).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  for (const level of [1, 0]) {
    await fetch(led, { method: "PUT", headers, body: JSON.stringify({ led: level }) });
    await board.until("the pin's change is told", () => board.printed.includes(`board: GPIO17 is ${level}\n`));
  }
  const door = () => fetch(led.replace("led", "door")).then((answer) => answer.text());
  expect(await door()).toBe('{"open":0}');
  board.type("GPIO99 1");
  await board.until("the lines are listed", () => board.printed.includes("the lines are GPIO17, GPIO27"));
  board.type("GPIO27 1");
  await board.until("the door is open", async () => (await door()) === '{"open":1}');
  await board.interrupt();
  expect(board.printed).toMatch(/board: switched off\n$/);
  expect(board.processes).toEqual([]);
});

test("without a program, it says in one line what to give", async () => {
  const board = new RunningCommand(top, "npm", "run", "--silent", "board");
  await expect(board.until("a program runs", () => board.printed.includes("runs;"))).rejects.toThrow(
    "board: say what to run: npm run board -- ",
  );
});
