#!/usr/bin/env bash
# Reads files of nova.conf with the lab's own Nova and prints what it makes of the CPU options, as JSON.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
exec "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/read_cpu_options.py" "$@" 2>/dev/null
