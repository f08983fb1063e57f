# MariaDB: SQLite would answer Keystone with "database is locked".
start_database() {
  local data="$LAB_STATE/db/mariadb" socket="$LAB_STATE/run/mariadb.sock"
  if [ ! -d "$data/mysql" ]; then
    "${INSIDE[@]}" mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$data" --skip-test-db \
      --auth-root-authentication-method=normal > "$LAB_STATE/log/mariadb-install.log" 2>&1
  fi
  need_port mariadb "$MARIADB_PORT"
  spawn mariadb "${INSIDE[@]}" /usr/sbin/mariadbd --no-defaults --user="$(id -un)" --datadir="$data" --socket="$socket" \
    --pid-file="$LAB_STATE/run/mariadb.pid" --bind-address="$LAB_ADDRESS" --port="$MARIADB_PORT" \
    --max-connections=500 --innodb-buffer-pool-size=256M --innodb-log-file-size=64M \
    --innodb-flush-log-at-trx-commit=2 --character-set-server=utf8 --skip-name-resolve
  wait_for MariaDB 240 "${INSIDE[@]}" mariadb-admin --no-defaults -S "$socket" -u root ping
  "${INSIDE[@]}" mariadb --no-defaults -S "$socket" -u root <<SQL
CREATE USER IF NOT EXISTS lab@'127.0.0.1' IDENTIFIED BY '$LAB_PASSWORD';
GRANT ALL ON *.* TO lab@'127.0.0.1';
DROP USER IF EXISTS root@'127.0.0.1', root@'::1', root@'$(hostname)';
CREATE DATABASE IF NOT EXISTS keystone; CREATE DATABASE IF NOT EXISTS placement;
CREATE DATABASE IF NOT EXISTS glance; CREATE DATABASE IF NOT EXISTS nova_api;
CREATE DATABASE IF NOT EXISTS nova_cell0; CREATE DATABASE IF NOT EXISTS nova_cell1;
SQL
}
