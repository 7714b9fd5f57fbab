#!/bin/sh
# Run by the feed's continuous integration after the package is installed: test.sh NAME VERSION

[ "$1" = nound ] || exit 0

nound --version | grep -F "nound ${2%%-*} " || exit 1

configuration="$(mktemp)"
echo '{ "nouns": { "led": { "kind": "switch", "key": "led" } } }' > "$configuration"
nound --check --config "$configuration"
status=$?
rm -f "$configuration"
exit $status
