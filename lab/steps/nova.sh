nova_manage() {
  "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/nova_service.py" manage --config-file "$LAB_STATE/etc/nova/nova.conf" "$@" \
    >> "$LAB_STATE/log/nova-manage.out" 2>&1
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
  spawn conductor "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/nova_service.py" conductor --config-file "$config"
  spawn scheduler "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/nova_service.py" scheduler --config-file "$config"
  OS_NOVA_CONFIG_DIR="$LAB_STATE/etc/nova" serve_wsgi nova "$NOVA_PORT"
}
