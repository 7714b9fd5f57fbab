#!/bin/sh
# Writes the targets of Prometheus from what a mosquitto has retained: every device that was ever online. It expects
# that a device's id is its name in the network. Run it by cron: targets.sh broker.example panel PASSWORD targets.json
set -eu
broker=$1 user=$2 password=$3 file=$4 port=${5:-1883} suffix=${6:-:8080}

mosquitto_sub -h "$broker" -p "$port" -V 5 -u "$user" -P "$password" -t 'nound/+' --retained-only -W 5 -F '%t' |
    sort | awk -F/ -v suffix="$suffix" '
        BEGIN { printf "[" }
        {
            printf "%s\n  { \"targets\": [\"%s%s\"],", (NR > 1 ? "," : ""), $2, suffix
            printf " \"labels\": { \"device\": \"%s\" } }", $2
        }
        END { print "\n]" }
    ' > "$file.new"
mv "$file.new" "$file"
