#!/bin/sh
# Starts nound with the app's options, which are a configuration, and with the broker that the Supervisor knows.
set -eu
umask 077
options=/data/options.json password=/data/mqtt-password configuration=/data/nound.json
mkdir -p /data/states
# A container has no id of the machine, by which the broker and Home Assistant know a device.
[ -s /data/id ] || cp /proc/sys/kernel/random/uuid /data/id
read -r id < /data/id

mqtt=null
if [ "$(jq '.mqtt.server' $options)" = null ]; then
	if service=$(curl -sS --fail-with-body --max-time 30 -H "Authorization: Bearer ${SUPERVISOR_TOKEN:-}" \
		http://supervisor/services/mqtt 2>&1); then
		printf %s "$service" | jq -j '.data.password // ""' > $password
		mqtt=$(printf %s "$service" | jq --arg password $password '.data | {
			server: "\(if .ssl then "mqtts://" else "" end)\(.host):\(.port)", homeAssistant: true, may: "* *"
		} + if (.username // "") == "" then {} else { user: .username, password: $password } end')
	else
		echo "nound: the Supervisor names no broker ($service): install the app Mosquitto broker, and start again" >&2
	fi
fi
# The page of ingress is on port 8099; what the options have of an object is right.
jq --argjson mqtt "$mqtt" --arg id "$id" '
	(if $mqtt == null then . else .mqtt = $mqtt + .mqtt end)
	| .listen = ["0.0.0.0:8099"] + ([.listen // []] | flatten)
	| .id //= $id
	| .stateDirectory //= "/data/states"
	| .log //= "errors"' $options > $configuration
if ! checked=$(nound --check --config $configuration 2>&1); then
	printf '%s\n' "$checked" "nound: correct the options of the app; \$ stands for all of them" >&2
	exit 1
fi
exec nound --config $configuration
