# Nova's programs are forks of one process that has imported Nova: a start of its own takes four seconds of a core.
NOVA_SOCKET="$LAB_STATE/run/nova.sock"
has_nova_socket() { [ -S "$NOVA_SOCKET" ]; }

need_nova_parent() {
  is_running nova-parent && has_nova_socket && return 0
  rm -f "$NOVA_SOCKET"
  spawn nova-parent "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/nova_parent.py" "$NOVA_SOCKET"
  wait_for "Nova's parent" 240 has_nova_socket
}

nova_child() { # nova_child LOG start|run PROGRAM ARGUMENT...
  "${INSIDE[@]}" "$PYTHON" -I -S "$LAB_HOME/services/nova_child.py" "$NOVA_SOCKET" "$LAB_STATE/log/$1.out" "${@:2}"
}

spawn_nova() { # spawn_nova NAME PROGRAM ARGUMENT...
  local name="$1" pid
  is_running "$name" && return 0
  need_nova_parent
  pid="$(nova_child "$name" start "${@:2}")" || fail "$name could not be started; see $LAB_STATE/log/nova-parent.out."
  note_process "$name" "$pid"
}

nova_manage() {
  need_nova_parent
  nova_child nova-manage run manage --config-file "$LAB_STATE/etc/nova/nova.conf" "$@"
}

start_nova() {
  if [ ! -e "$LAB_STATE/db/.nova-done" ]; then
    nova_manage api_db sync
    nova_manage cell_v2 map_cell0 --database_connection "$(db_url nova_cell0)"
    nova_manage cell_v2 create_cell --name cell1 || [ $? -eq 2 ]
    nova_manage db sync
    touch "$LAB_STATE/db/.nova-done"
  fi
  wait_for RabbitMQ 240 listens "$RABBIT_PORT"
  serve_nova
}

serve_nova() {
  local config="$LAB_STATE/etc/nova/nova.conf"
  spawn_nova conductor conductor --config-file "$config"
  spawn_nova scheduler scheduler --config-file "$config"
  OS_NOVA_CONFIG_DIR="$LAB_STATE/etc/nova" serve_wsgi nova "$NOVA_PORT"
}
