/**
 * `nound dev [ARGUMENT...]`: serves the application here, on simulated hardware, and again after each change.
 *
 * After a change, the application is bundled and its types are checked at the same time. A version without mistakes
 * replaces the running one. Otherwise the mistakes are shown, and the previous version runs on.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { context } from "esbuild";
import { projectBundle } from "./dev/bundle-options.mjs";
import { RunningApplication } from "./dev/running-application.mjs";
import { findTypeErrors } from "./dev/types.mjs";
import { SourceWatch } from "./dev/watch.mjs";
import { linkedPrograms } from "./linked-programs.mjs";
import { currentProject } from "./project.mjs";

function say(sentence) {
  console.error(`nound: ${sentence}`);
}

/** What to do about an application that has ended. @param {string} how it ended: `status 70`, `SIGSEGV`. */
function remedyOf(how) {
  // An address or a device is not there or in use (EX_UNAVAILABLE): no change of the sources need be wrong.
  if (how === "status 69") return "remove the cause above, and start `npm run dev` again or save a file";
  return "fix it and save";
}

/** One change after another: bundled, checked, served. */
class DevelopmentServer {
  /** @param {readonly string[]} args for the application. */
  constructor(project, runtime, args) {
    this.project = project;
    this.bundle = join(project.folder, "build/dev", `${project.name}.js`);
    mkdirSync(join(project.folder, "build/dev"), { recursive: true });
    this.application = new RunningApplication(runtime, this.bundle, ["--simulate", "--debug", ...args]);
    this.watch = new SourceWatch(join(project.folder, "src"), (path) => this.onChange(path));
    this.ending = new AbortController();
  }

  async start() {
    this.bundler = await context(
      projectBundle(this.project, this.bundle, (_, text) => {
        this.text = text;
      }),
    );
    await this.serve("");
  }

  async end() {
    this.watch.close();
    this.ending.abort();
    await Promise.all([this.application.stop(), this.bundler?.dispose()]);
  }

  onChange(path) {
    this.changed = path;
    void this.serve(`${relative(this.project.folder, path)} changed; `);
  }

  /** Serves the current sources. Changes that come meanwhile are served together afterwards. */
  async serve(reason) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.changed = undefined;
    await this.serveOnce(reason);
    this.isBusy = false;
    if (this.changed !== undefined && !this.ending.signal.aborted) this.onChange(this.changed);
  }

  async serveOnce(reason) {
    const since = performance.now();
    const [isBundled, typeErrors] = await Promise.all([
      this.makeBundle(),
      findTypeErrors(this.project.folder, this.ending.signal),
    ]);
    if (this.ending.signal.aborted || this.changed !== undefined) return;
    if (isBundled && typeErrors === undefined) return await this.replace(reason, since);
    // esbuild has printed why it cannot bundle. The compiler would print it again.
    if (isBundled) process.stderr.write(typeErrors);
    this.isMistaken = true;
    say(this.application.isRunning ? "not served; the previous version still runs" : "not served; fix it and save");
  }

  /** @returns whether there is a bundle. esbuild has printed what is wrong. */
  async makeBundle() {
    // What changes in a new folder while the bundle is made is noticed, too.
    this.watch.update([]);
    const result = await this.bundler.rebuild().catch(() => undefined);
    this.watch.update(Object.keys(result?.metafile.inputs ?? {}).map((path) => join(this.project.folder, path)));
    return result !== undefined;
  }

  async replace(changed, since) {
    const reason = this.isMistaken ? `${changed}corrected; ` : changed;
    this.isMistaken = false;
    if (this.text === this.served && this.application.isRunning) {
      if (reason !== changed) say(`${reason}the running version is up to date`);
      return;
    }
    this.served = this.text;
    writeFileSync(this.bundle, this.text);
    const isRunning = await this.application.restart((status) => {
      this.isMistaken = true;
      say(`the application ended with ${status}; ${remedyOf(status)}`);
    });
    if (isRunning) say(`${reason}serving it after ${Math.round(performance.now() - since)} ms`);
  }
}

/** @param {readonly string[]} args the command line after `dev`. */
export async function serveWhileDeveloping(args) {
  const project = currentProject();
  const server = new DevelopmentServer(project, (await linkedPrograms()).hostRuntime(), args);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.once(signal, () => void server.end().then(() => process.exit(0)));
  await server.start();
}
