# Starts and ends processes: only those whose pid file the lab wrote, and only while the pid still is the same process
# (its start time stands beside it).
start_time() { sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null | awk '{print $20}'; }

is_running() { # is_running NAME
  local file="$LAB_STATE/pid/$1" pid started
  [ -s "$file" ] || return 1
  read -r pid started < "$file"
  [ -n "$pid" ] && [ -n "$started" ] && [ "$(start_time "$pid")" = "$started" ]
}

spawn() { # spawn NAME COMMAND...
  local name="$1" pid
  shift
  is_running "$name" && return 0
  # Without descriptors of the caller: a lock that it holds would stay locked as long as the lab runs.
  setsid nohup "$@" >> "$LAB_STATE/log/$name.out" 2>&1 < /dev/null 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
  pid=$!
  disown "$pid" 2>/dev/null || true
  note_process "$name" "$pid"
}

note_process() { # note_process NAME PID
  local name="$1"
  # At once, so that whoever interrupts the start still finds it.
  echo "$2 $(start_time "$2")" > "$LAB_STATE/pid/$name"
  sleep 0.2
  is_running "$name" && return 0
  rm -f "$LAB_STATE/pid/$name"
  fail "$name ended at once; see $LAB_STATE/log/$name.out."
}

ends() { # ends NAME SECONDS
  local end=$((SECONDS + $2))
  while is_running "$1"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

finish() { # finish NAME
  local file="$LAB_STATE/pid/$1" pid started
  if is_running "$1"; then
    read -r pid started < "$file"
    kill -TERM "$pid" 2>/dev/null || true
    if ! ends "$1" 20; then
      kill -KILL "$pid" 2>/dev/null || true
      ends "$1" 60 || echo "lab: $1 does not end." >&2
    fi
  fi
  rm -f "$file"
}

# A port that somebody else holds would answer in the lab's place.
need_port() { # need_port NAME PORT
  is_running "$1" && return 0
  if (exec 3<> "/dev/tcp/$LAB_ADDRESS/$2") 2>/dev/null; then
    fail "Port $2 for $1 is taken by another program; set LAB_BASE_PORT to another number than $LAB_BASE_PORT."
  fi
}

wait_for() { # wait_for WHAT SECONDS COMMAND...
  local what="$1" end=$((SECONDS + $2))
  shift 2
  while :; do
    "$@" > /dev/null 2>&1 && return 0
    [ "$SECONDS" -lt "$end" ] || break
    sleep 0.3
  done
  fail "$what did not answer in time; see $LAB_STATE/log."
}
answers() { "${INSIDE[@]}" curl -s -o /dev/null --max-time 5 "$1"; }
listens() { (exec 3<> "/dev/tcp/$LAB_ADDRESS/$1") 2>/dev/null; }

serve_wsgi() { # serve_wsgi PROGRAM PORT [NAME]
  local name="${3:-$1}"
  need_port "$name" "$2"
  spawn "$name" "${INSIDE[@]}" /usr/bin/uwsgi-core --plugin python3 --http-socket "$LAB_ADDRESS:$2" \
    --wsgi-file "$LAB_HOME/services/wsgi_$1.py" --master --no-orphans --die-on-term --need-app --lazy-apps --enable-threads \
    --processes "$LAB_WORKERS" --threads 1 --buffer-size 65535 --socket-timeout 120 --so-keepalive \
    --disable-logging --thunder-lock --add-header 'Connection: close'
  wait_for "$name" 240 answers "http://$LAB_ADDRESS:$2/"
}
