#!/bin/sh
# Makes one of many from the image: run it once, at the first boot, before nound. It takes the files of this device,
# which new-devices.sh has made, from the boot partition, and removes them there. No secret is in the image.
set -eu
source=${1:-/boot/firmware/nound}
folder=${2:-/etc/nound}
group=${3:-nound}

if [ ! -e "$source/nound.json" ]; then
    echo "first-boot.sh: $source/nound.json is missing: copy the folder of this device to $source" >&2
    exit 1
fi
for file in "$source"/*; do
    install -m 640 -g "$group" "$file" "$folder/"
done
rm -r "$source"
