#!/usr/bin/env bash
# back-up-folder.sh DATA_DIR TARGET: copies the data folder of a running console (PGlite) as it is at one moment.
# The process stands still for the copy, so agents wait that long and lose nothing; what the copy holds is what a crash at
# that moment would leave, and the next start on it repairs that from its log.
set -euo pipefail
from="$1" to="$2"
[ -d "$from/pglite" ] || { echo "There is no database in $from: give the SLICEBOARD_DATA_DIR of the console." >&2; exit 1; }
[ ! -e "$to" ] || { echo "$to exists already: give a folder that does not." >&2; exit 1; }
pid=''
[ ! -f "$from/lock" ] || pid="$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$from/lock")"
if [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; then
  trap 'kill -CONT "$pid"' EXIT
  kill -STOP "$pid"
fi
umask 077
cp -a "$from" "$to.unfinished"
rm -f "$to.unfinished/lock"
sync -f "$to.unfinished"
mv "$to.unfinished" "$to"
