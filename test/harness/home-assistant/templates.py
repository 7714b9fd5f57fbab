"""Renders templates as Home Assistant's MQTT integration does: a JSON object a line in, a JSON object a line out.

In: {"template": text, "value": a message's payload or a command's value}. Out: {"text": text} or {"error": text}.
Home Assistant logs a warning where an undefined value is rendered; here that is an error.
"""

import json
import sys

from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

ENVIRONMENT = ImmutableSandboxedEnvironment(undefined=StrictUndefined)


def render(template, value):
    template = template.strip()
    variables = {"value": value}
    if isinstance(value, str):
        try:
            variables["value_json"] = json.loads(value)
        except ValueError:
            pass
    return ENVIRONMENT.from_string(template).render(variables).strip()


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"text": render(request["template"], request["value"])}
    except (TemplateError, TypeError, ValueError, ArithmeticError) as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
