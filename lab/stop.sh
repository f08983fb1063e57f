#!/usr/bin/env bash
# Ends the processes that the lab started and no others. LAB_WIPE=1 removes its state too.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
. "$LAB_HOME/steps/root.sh"
. "$LAB_HOME/steps/process.sh"

computes=()
for file in "$LAB_STATE"/pid/compute-* "$LAB_STATE"/pid/watcher-*; do
  [ -e "$file" ] && computes+=("$(basename "$file")")
done
# Together: each nova-compute takes seconds to end.
for name in "${computes[@]}"; do finish "$name" & done
wait
for name in nova-bench placement-bench nova scheduler conductor nova-parent network glance placement keystone rabbitmq epmd \
  mariadb; do
  finish "$name"
done
leave_root
if [ "${LAB_WIPE:-0}" = 1 ]; then rm -rf "$LAB_STATE"; fi
echo 'lab: stopped'
