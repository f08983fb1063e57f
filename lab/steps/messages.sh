# RabbitMQ under an epmd of its own, so that neither meets one of the system.
start_messages() {
  local home="$LAB_STATE/rabbit"
  mkdir -p "$home"
  export ERL_EPMD_PORT="$EPMD_PORT" ERL_EPMD_ADDRESS="$LAB_ADDRESS"
  need_port epmd "$EPMD_PORT"
  spawn epmd "${INSIDE[@]}" /usr/bin/epmd -address "$LAB_ADDRESS" -port "$EPMD_PORT"
  need_port rabbitmq "$RABBIT_PORT"
  # Not the wrapper in /usr/sbin, which changes to the user rabbitmq.
  HOME="$home" RABBITMQ_NODENAME=lab@localhost RABBITMQ_NODE_IP_ADDRESS="$LAB_ADDRESS" \
    RABBITMQ_NODE_PORT="$RABBIT_PORT" RABBITMQ_DIST_PORT="$RABBIT_DIST_PORT" \
    RABBITMQ_MNESIA_BASE="$home/mnesia" RABBITMQ_LOG_BASE="$home/log" RABBITMQ_PID_FILE="$home/pid" \
    RABBITMQ_ENABLED_PLUGINS_FILE="$home/enabled_plugins" RABBITMQ_CONF_ENV_FILE="$home/env.conf" \
    RABBITMQ_GENERATED_CONFIG_DIR="$home/config" RABBITMQ_CONFIG_FILE="$home/rabbitmq" \
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none +sbwtdcpu none +sbwtdio none' \
    spawn rabbitmq "${INSIDE[@]}" /usr/lib/rabbitmq/bin/rabbitmq-server
}
