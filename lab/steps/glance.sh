# Glance with a store of files, and a stand-in for Neutron: enough for servers without a network.
start_glance() {
  local -x PYTHONPATH="$GLANCE_LIBRARIES"
  "${INSIDE[@]}" "$PYTHON" -c "import sys; sys.argv[0] = 'glance-manage'; from glance.cmd.manage import main; sys.exit(main())" \
    --config-file "$LAB_STATE/etc/glance/glance-api.conf" db_sync >> "$LAB_STATE/log/glance-manage.out" 2>&1
  LAB_WORKERS=1 OS_GLANCE_CONFIG_DIR="$LAB_STATE/etc/glance" serve_wsgi glance "$GLANCE_PORT"
}
start_network() {
  need_port network "$NETWORK_PORT"
  spawn network "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/network_stand_in.py" "$LAB_ADDRESS" "$NETWORK_PORT" \
    "$LAB_STATE/network-agents.json"
}
