# nova-compute with Nova's own libvirt driver over Nova's own fake libvirt; beside each a watcher that keeps the host's tree.
prepare_host() { # prepare_host HOST
  local folder="$LAB_STATE/hosts/$1" given="$LAB_HOME/hosts/$1"
  [ -d "$given" ] || fail "There is no host $1; lab/hosts has $(cd "$LAB_HOME/hosts" && echo *)."
  mkdir -p "$folder/tree/etc/nova" "$folder/nova/instances" "$folder/tree-writes" "$folder/incoming"
  [ -e "$folder/host.json" ] || cp "$given/host.json" "$folder/host.json"
  # Keeps a file that was changed in the tree: nova-compute reads it at its next start.
  [ -e "$folder/tree/etc/nova/nova-compute.conf" ] ||
    cp "$given/nova-compute.conf" "$folder/tree/etc/nova/nova-compute.conf"
  if [ -d "$given/nova.conf.d" ] && [ ! -e "$folder/tree/etc/nova/nova.conf.d" ]; then
    cp -r "$given/nova.conf.d" "$folder/tree/etc/nova/"
  fi
  write_compute_config "$1"
}

start_watcher() { # start_watcher HOST
  # The file of an earlier run may have another format.
  is_running "watcher-$1" || rm -f "$LAB_STATE/hosts/$1/hardware.json"
  (cd "$PROJECT_ROOT" && LAB_NOVA_VERSION="$(version_of python3-nova)" \
    spawn "watcher-$1" node --import tsx lab/watcher/main.ts "$LAB_STATE/hosts/$1")
  wait_for "The watcher of $1" 240 test -s "$LAB_STATE/hosts/$1/hardware.json"
}

start_compute() { # start_compute HOST
  local folder="$LAB_STATE/hosts/$1" etc="$LAB_STATE/hosts/$1/tree/etc/nova" order=() at
  order=(--config-file "$folder/place.conf")
  # As Debian's start script has it: drop-in folders first, then the files.
  for at in nova.conf.d nova-compute.conf.d; do
    if [ -d "$etc/$at" ]; then order+=(--config-dir "$etc/$at"); fi
  done
  LAB_HOST_NAME="$1" LAB_HOST_FOLDER="$folder" spawn_nova "compute-$1" \
    compute "${order[@]}" --config-file "$etc/nova.conf" --config-file "$etc/nova-compute.conf"
}

await_computes() { # await_computes HOST...
  "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/has_hosts.py" 240 "$@" ||
    fail "nova-compute of $* did not answer in time; see $LAB_STATE/log."
}

map_hosts() { # The scheduler does so every ten seconds, and fails whom it meets at the same host.
  nova_manage cell_v2 discover_hosts || nova_manage cell_v2 discover_hosts
}

start_computes() {
  local host
  for host in $LAB_HOSTS; do
    prepare_host "$host"
    start_watcher "$host"
    start_compute "$host"
  done
  # A server goes to ERROR on a host that is not mapped to a cell.
  # shellcheck disable=SC2086
  await_computes $LAB_HOSTS
  map_hosts
}
