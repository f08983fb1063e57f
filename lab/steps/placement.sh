start_placement() {
  "${INSIDE[@]}" placement-manage --config-file "$LAB_STATE/etc/placement/placement.conf" db sync \
    >> "$LAB_STATE/log/placement-manage.out" 2>&1
  OS_PLACEMENT_CONFIG_DIR="$LAB_STATE/etc/placement" serve_wsgi placement "$PLACEMENT_PORT"
}
