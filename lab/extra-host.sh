#!/usr/bin/env bash
# Adds a host of lab/hosts to the running lab for as long as a test needs it, and takes it away again: what Nova and
# Placement still know of it then is for the test to delete.
#   extra-host.sh add HOST | remove HOST
#   extra-host.sh add-second HOST NAME | remove-second NAME: a second nova-compute beside HOST's, with
#   second/NAME/nova-gpu.conf of the state in place of HOST's files
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
for step in process config nova computes; do . "$LAB_HOME/steps/$step.sh"; done
what="${1:-}" name="${2:-}"
[[ "$name" =~ ^[a-z0-9-]+$ ]] || fail "usage: extra-host.sh add|remove HOST, add-second HOST NAME, remove-second NAME."
case "$what" in
  add)
    prepare_host "$name"
    start_watcher "$name"
    start_compute "$name"
    await_computes "$name"
    map_hosts
    ;;
  remove)
    finish "compute-$name"
    finish "watcher-$name"
    rm -rf "$LAB_STATE/hosts/${name:?}"
    ;;
  add-second)
    second="${3:-}" folder="$LAB_STATE/second/${3:?}"
    mkdir -p "$folder/tree-writes" "$folder/incoming" "$folder/nova/instances"
    cp "$LAB_STATE/hosts/$name/hardware.json" "$folder/"
    LAB_HOST_NAME="$name" LAB_HOST_FOLDER="$folder" spawn_nova "compute-$second" \
      compute --config-file "$folder/nova-gpu.conf"
    ;;
  remove-second)
    finish "compute-$name"
    rm -rf "$LAB_STATE/second/${name:?}"
    ;;
  *) fail "usage: extra-host.sh add|remove HOST, add-second HOST NAME, remove-second NAME." ;;
esac
