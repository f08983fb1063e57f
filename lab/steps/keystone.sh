start_keystone() {
  local config="$LAB_STATE/etc/keystone/keystone.conf" keys="$LAB_STATE/keystone" me mine
  me="$(id -un)" mine="$(id -gn)"
  if [ ! -e "$keys/.done" ]; then
    mkdir -p "$keys/fernet" "$keys/credential"
    "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/keystone_manage.py" "$config" -- db_sync \
      -- fernet_setup --keystone-user "$me" --keystone-group "$mine" \
      -- credential_setup --keystone-user "$me" --keystone-group "$mine" \
      -- bootstrap --bootstrap-password "$LAB_PASSWORD" \
      --bootstrap-admin-url "$KEYSTONE_URL" --bootstrap-internal-url "$KEYSTONE_URL" \
      --bootstrap-public-url "$KEYSTONE_URL" --bootstrap-region-id "$LAB_REGION"
    touch "$keys/.done"
  fi >> "$LAB_STATE/log/keystone-manage.out" 2>&1
  serve_keystone
  "${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/accounts.py"
}

serve_keystone() {
  OS_KEYSTONE_CONFIG_FILES="$LAB_STATE/etc/keystone/keystone.conf" serve_wsgi keystone "$KEYSTONE_PORT"
}
