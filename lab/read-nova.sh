#!/usr/bin/env bash
# Answers what the lab's own Nova makes of files, one question a line; lab/services/read_nova.py says which there are.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
exec "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/read_nova.py" 2>/dev/null
