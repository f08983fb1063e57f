#!/usr/bin/env bash
# Restarts nova-compute of one lab host, as `systemctl restart nova-compute` would: it reads nova.conf of the host's tree.
# LAB_REBOOTED=1: as after a reboot of the host, with its guests off and its mdevs gone.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
for step in process nova computes; do . "$LAB_HOME/steps/$step.sh"; done
host="${1:-}"
[ -n "$host" ] && [ -d "$LAB_STATE/hosts/$host" ] || fail "usage: restart-compute.sh HOST, one of: $LAB_HOSTS."
finish "compute-$host"
start_compute "$host"

# The watcher copies the process into the host's tree, and an agent reports the tree as soon as this script ends.
read -r pid _ < "$LAB_STATE/pid/compute-$host"
end=$((SECONDS + 240))
until [ -e "$LAB_STATE/hosts/$host/tree/proc/$pid/stat" ] || ! is_running "compute-$host" || [ "$SECONDS" -ge "$end" ]; do
  sleep 0.1
done
