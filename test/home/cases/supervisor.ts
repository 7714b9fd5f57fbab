/**
 * config.yaml of the app, judged by the Supervisor's own code in the folder that NOUND_SUPERVISOR_SOURCES names: a
 * checkout of home-assistant/supervisor, tried at 090ef31ec024. The suite's Home Assistant has the Python and the
 * packages that validate; what else the Supervisor imports is left out.
 */
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appConfig, appMistakes } from "../../harness/app-mistakes.ts";
import { type HomeCase, mustEqual } from "../case.ts";
import { newest, rootOf, runIn } from "../installation.ts";

const script = `
import importlib.abc, importlib.machinery, json, pathlib, sys, types
from unittest.mock import MagicMock
import voluptuous

class Rest(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return None if name.startswith("supervisor") else importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        return MagicMock(__spec__=spec, __path__=[])
    def exec_module(self, module):
        pass

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))
sys.meta_path.append(Rest())
from supervisor.apps.validate import SCHEMA_APP_CONFIG

def judge(config):
    try:
        SCHEMA_APP_CONFIG(config)
        return "valid"
    except voluptuous.Invalid as error:
        return "refused: " + str(error)
print(json.dumps([judge(config) for config in json.loads((here / "configs.json").read_text())]))
`;

/** @returns what the Supervisor says of configurations, by its sources. */
function judge(sources: string, configs: readonly object[]): readonly string[] {
  const folder = join(rootOf(newest), "tmp/supervisor");
  rmSync(folder, { recursive: true, force: true });
  try {
    cpSync(join(sources, "supervisor"), join(folder, "supervisor"), { recursive: true });
    writeFileSync(join(folder, "configs.json"), JSON.stringify(configs));
    writeFileSync(join(folder, "judge.py"), script);
    return JSON.parse(runIn(newest, "/home-assistant/bin/python", "/tmp/supervisor/judge.py")) as readonly string[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const supervisor: readonly HomeCase[] = [
  {
    name: "config.yaml, by the Supervisor",
    isForNewest: true,
    async run() {
      const { NOUND_SUPERVISOR_SOURCES: sources = "" } = process.env;
      if (!existsSync(join(sources, "supervisor/apps/validate.py")))
        return "not tried: NOUND_SUPERVISOR_SOURCES names no checkout of home-assistant/supervisor";
      const [own, ...others] = judge(sources, [appConfig, ...appMistakes.map((one) => ({ ...appConfig, ...one }))]);
      mustEqual("the app's", own, "valid");
      for (const [index, said = ""] of others.entries()) {
        const mistake = Object.keys(appMistakes[index] ?? {})[0] ?? "";
        mustEqual(JSON.stringify(appMistakes[index]), said.includes(mistake) && said.startsWith("refused:"), true);
      }
      return `valid, and ${others.length} mistakes are refused`;
    },
  },
];
