#!/bin/sh
# Makes one of many from the image: run it once, at the first boot, before nound. It takes the template of the
# configuration, in which @ID@ stands for the device's id, and the password from where the device gets it: a file on the
# boot partition here, which is removed. No secret is in the image.
set -eu
template=${1:-/etc/nound/template.json}
secret=${2:-/boot/firmware/mqtt-password}
folder=${3:-/etc/nound}

# systemd makes machine-id at the first boot. It is not to be shown, so this is a hash of it.
id=dev-$(sha256sum /etc/machine-id | cut -c 1-12)

sed "s/@ID@/$id/" "$template" > "$folder/nound.json.new"
chmod 644 "$folder/nound.json.new"
(umask 077 && cat "$secret" > "$folder/mqtt-password")
chown root:nound "$folder/mqtt-password"
chmod 640 "$folder/mqtt-password"
mv "$folder/nound.json.new" "$folder/nound.json"
rm -f "$secret"
echo "$id"
