/** What Home Assistant shows of the device as a whole: its machine, its refusals, and its simulated inputs. */
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { OtherClient } from "../../harness/mosquitto.ts";
import { type HomeCase, must, mustEqual } from "../case.ts";
import { until } from "../home.ts";

const text = (path: string): string | null =>
  existsSync(path) ? readFileSync(path, "latin1").replace(/\0/g, "").trim() || null : null;

export const devices: readonly HomeCase[] = [
  {
    name: "a refused command is a problem of the device",
    async run(house) {
      const { home, broker } = house;
      const device = await house.device({ nouns: { lamp: { kind: "switch", key: "on" } } });
      await home.shows(await device.entity("lamp/on"), "off");
      const problem = await device.entity(":problem");
      await home.shows(problem, "unknown");
      const client = await OtherClient.connect(broker.port);
      await client.publish(`nound/${device.name}/lamp/put`, '{"on":5}');
      await client.end();
      await home.shows(problem, "on");
      const attributes = ["status", "instance", "device_class"].map((name) => home.attribute(problem, name));
      mustEqual("its attributes", attributes, [422, "/lamp", "problem"]);
      return String(home.attribute(problem, "detail"));
    },
  },
  {
    name: "what a guard refuses is a problem of the device",
    async run(house) {
      const { home } = house;
      const nouns = {
        pump: { kind: "gpio-output", line: "GPIO18", key: "on" },
        heater: { kind: "gpio-output", line: "GPIO17", key: "on", guard: { pump: { on: 1 } } },
      };
      const device = await house.device({ nouns });
      const [pump, heater, problem] = [
        await device.entity("pump/on"),
        await device.entity("heater/on"),
        await device.entity(":problem"),
      ];
      await home.shows(heater, "off");
      await home.call("switch.turn_on", heater);
      await home.shows(problem, "on");
      const attributes = ["status", "instance"].map((name) => home.attribute(problem, name));
      mustEqual("its attributes", attributes, [409, "/heater"]);
      const detail = String(home.attribute(problem, "detail"));
      await home.call("switch.turn_on", pump);
      await home.shows(pump, "on");
      await home.call("switch.turn_on", heater);
      await home.shows(heater, "on");
      await home.call("switch.turn_off", pump);
      await home.shows(heater, "off");
      await device.has("pump", { on: 0 });
      return detail;
    },
  },
  {
    name: "the device has its machine, its area and its address",
    async run(house) {
      const { home } = house;
      const nouns = { system: { kind: "sensor", device: "system", title: "System" } };
      const device = await house.device({ nouns, area: "Loft", isPublic: true });
      const known = (await home.devices()).find(({ identifiers }) => identifiers.some(([, id]) => id === device.id));
      const folder = "/sys/class/dmi/id";
      if (!existsSync("/proc/device-tree/model") && !existsSync("/tmp/sysinfo/model")) {
        const machine = ["manufacturer", "serial_number"].map((name) => known?.[name]);
        mustEqual("the machine", machine, [text(`${folder}/sys_vendor`), text(`${folder}/product_serial`)]);
        must(String(known?.["model"]).includes(text(`${folder}/product_name`) ?? ""), "it has its model");
      }
      const areas = await home.ask<readonly { area_id: string; name: string }[]>("config/area_registry/list");
      mustEqual("its area", areas.find(({ area_id: id }) => id === known?.["area_id"])?.name, "Loft");
      const port = device.process.address.split(":")[1];
      const [host] = hostname().split(".");
      mustEqual("its page", known?.["configuration_url"], `http://${host}.local:${port}/`);
      const names = (await home.entities(device.id)).map(({ original_name: name }) => name);
      must(names.includes("System Free memory") && names.includes("System Load (1 min)"), `its names are ${names}`);
      const started = await device.entity("system/started");
      await until("it has a start", () => Date.parse(home.state(started) ?? "") > Date.now() - 86_400_000 * 2);
      mustEqual("the start", home.attribute(started, "device_class"), "timestamp");
      return names.join(", ");
    },
  },
  {
    name: "simulated inputs are for the configuration",
    async run(house) {
      const { home } = house;
      const device = await house.device({
        nouns: {
          bell: { kind: "gpio-input", line: "GPIO27", key: "pressed", presses: true, title: "Bell" },
          cellar: { kind: "sensor", device: "28-0316a2796ee1", title: "Cellar" },
          battery: { kind: "sensor", device: "BAT0" },
        },
      });
      const bell = await device.entity("simulated.bell/pressed", "switch");
      await home.shows(bell, "off");
      await home.call("switch.turn_on", bell);
      await device.has("bell", { pressed: 1 });
      const cellar = await device.entity("simulated.cellar/celsius", "number");
      await until("it has a range", () => home.attribute(cellar, "min") !== undefined);
      mustEqual("its range", [home.attribute(cellar, "min"), home.attribute(cellar, "max")], [-55, 125]);
      await home.call("number.set_value", cellar, { value: -4.5 });
      await device.has("cellar", { celsius: -4.5 });
      const simulated = (await home.entities(device.id)).filter(({ unique_id: id }) => id.includes("/simulated."));
      mustEqual("their categories", [...new Set(simulated.map(({ entity_category: one }) => one))], ["config"]);
      return `${simulated.length} entities`;
    },
  },
];
