"""What Home Assistant's REST integrations ask, for a configuration as a person writes it: `switch` and `sensor` with
`platform: rest`, `rest`, and `rest_command`. The calls of aiohttp, their arguments, and what becomes of the answers are
those of homeassistant/components/rest/switch.py, rest/data.py and rest_command/__init__.py.

    home_assistant.py CONFIGURATION.yaml [SECRETS.yaml] < STEPS

A step is ["switch", NAME, "turn_on" | "turn_off" | "update"], ["sensor", NAME], ["rest", NAME] or ["rest_command",
NAME, VARIABLES]. Prints a list of what each came to.
"""
import asyncio
import json
import sys

import aiohttp
import jinja2
import yaml

environment = jinja2.Environment()
secrets = {}


class Loader(yaml.SafeLoader):
    """YAML with the tag !secret."""


Loader.add_constructor("!secret", lambda loader, node: secrets[loader.construct_scalar(node)])


def render(template, **variables):
    return environment.from_string(str(template)).render(**variables)


def render_value(template, text):
    """As `async_render_with_possible_json_value`."""
    variables = {"value": text}
    try:
        variables["value_json"] = json.loads(text)
    except ValueError:
        pass
    return render(template, **variables)


def rendered(fields):
    return {name: render(value) for name, value in (fields or {}).items()}


class Switch:
    def __init__(self, session, config):
        self.session, self.config = session, config
        self.is_on = None

    async def turn(self, body):
        method = self.config.get("method", "post").lower()
        answer = await getattr(self.session, method)(
            self.config["resource"],
            auth=None,
            data=bytes(render(body), "utf-8"),
            headers=rendered(self.config.get("headers")),
            params={},
        )
        return {"status": answer.status, "text": await answer.text()}

    async def update(self):
        answer = await self.session.get(
            self.config.get("state_resource", self.config["resource"]),
            auth=None,
            headers=rendered(self.config.get("headers")),
            params={},
        )
        text = await answer.text()
        if "is_on_template" in self.config:
            self.is_on = {"true": True, "false": False}.get(render_value(self.config["is_on_template"], text).lower())
        else:
            self.is_on = {self.config.get("body_on", "ON"): True, self.config.get("body_off", "OFF"): False}.get(text)
        return {"status": answer.status, "is_on": self.is_on}


async def read(session, config):
    """One request of RestData."""
    more = {"headers": rendered(config.get("headers")), "params": {}}
    if "payload" in config:
        more["data"] = config["payload"]
    async with session.request(config.get("method", "GET"), config["resource"], **more) as answer:
        return answer.status, await answer.text()


def sensor_state(config, text):
    if "availability" in config and render_value(config["availability"], text) != "True":
        return {"state": "unavailable"}
    template = config.get("value_template")
    state = text if template is None else render_value(template, text)
    parsed = json.loads(text)
    return {
        "state": state,
        "unit": config.get("unit_of_measurement"),
        "attributes": {name: parsed[name] for name in config.get("json_attributes", []) if name in parsed},
    }


async def command(session, config, variables):
    method = config.get("method", "get").lower()
    payload = bytes(render(config["payload"], **variables), "utf-8") if "payload" in config else None
    headers = dict(config.get("headers", {}))
    if "content_type" in config:
        headers["content-type"] = config["content_type"]
    async with getattr(session, method)(
        render(config["url"], **variables), data=payload, auth=None, headers=headers or None
    ) as answer:
        return {"status": answer.status, "text": await answer.text()}


def named(configs, name):
    return next(config for config in configs if config.get("name") == name)


async def step(session, config, kind, name, *more):
    if kind == "switch":
        switch = Switch(session, named(config["switch"], name))
        if more[0] == "update":
            return await switch.update()
        on = more[0] == "turn_on"
        return await switch.turn(switch.config.get("body_on" if on else "body_off", "ON" if on else "OFF"))
    if kind == "sensor":
        found = named(config["sensor"], name)
        status, text = await read(session, found)
        return {"status": status, **sensor_state(found, text)}
    if kind == "rest":
        for resource in config["rest"]:
            entities = resource.get("sensor", []) + resource.get("binary_sensor", [])
            if any(entity["name"] == name for entity in entities):
                status, text = await read(session, resource)
                return {"status": status, **sensor_state(named(entities, name), text)}
    return await command(session, config["rest_command"][name], *(more or ({},)))


async def main():
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            secrets.update(yaml.safe_load(file))
    with open(sys.argv[1], encoding="utf-8") as file:
        config = yaml.load(file, Loader)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session:
        print(json.dumps([await step(session, config, *words) for words in json.load(sys.stdin)]))


asyncio.run(main())
