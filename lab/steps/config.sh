# Writes the configuration of the services below $LAB_STATE/etc.
account_options() { # account_options USER [system]
  cat <<CONF
auth_url = http://$LAB_ADDRESS:$KEYSTONE_PORT
auth_type = password
username = $1
password = $LAB_PASSWORD
user_domain_name = Default
region_name = $LAB_REGION
CONF
  if [ "${2:-}" = system ]; then echo 'system_scope = all'
  else printf 'project_name = service\nproject_domain_name = Default\n'; fi
}

token_section() { # token_section USER
  cat <<CONF
[keystone_authtoken]
www_authenticate_uri = http://$LAB_ADDRESS:$KEYSTONE_PORT
$(account_options "$1")
service_token_roles_required = true
CONF
}

write_keystone_config() {
  cat > "$LAB_STATE/etc/keystone/keystone.conf" <<CONF
[DEFAULT]
log_file = $LAB_STATE/log/keystone.log
# Lists of projects and users come in several pages, as in a cloud with thousands of them; before 2025.1 it has no effect.
max_db_limit = 2
[database]
connection = $(db_url keystone)
[auth]
methods = password,token,application_credential,totp
[identity]
# Passwords and secrets of a lab protect nothing, and each sign-in at the default strength takes a quarter of a second of a core.
password_hash_rounds = 4
# Each request to a service reads a token, its roles and the catalog again. In memory, so with one process alone, and as copies,
# as memcached has them: Keystone changes what it reads (a secret is removed; 2025.1 adds the project to a limit).
[cache]
enabled = $([ "$LAB_WORKERS" = 1 ] && echo true || echo false)
backend = dogpile.cache.memory_pickle
[credential]
key_repository = $LAB_STATE/keystone/credential
[token]
provider = fernet
[fernet_tokens]
key_repository = $LAB_STATE/keystone/fernet
CONF
}

write_placement_config() {
  cat > "$LAB_STATE/etc/placement/placement.conf" <<CONF
[DEFAULT]
log_file = $LAB_STATE/log/placement.log
[placement_database]
connection = $(db_url placement)
[api]
auth_strategy = keystone
$(token_section placement)
CONF
}

write_glance_config() {
  cp "$LAB_SHARE/glance/glance-api-paste.ini" "$LAB_STATE/etc/glance/"
  cat > "$LAB_STATE/etc/glance/glance-api.conf" <<CONF
[DEFAULT]
log_file = $LAB_STATE/log/glance.log
enabled_backends = store:file
worker_self_reference_url = http://$LAB_ADDRESS:$GLANCE_PORT
[database]
connection = $(db_url glance)
[glance_store]
default_backend = store
[store]
filesystem_store_datadir = $LAB_STATE/images/store
[os_glance_staging_store]
filesystem_store_datadir = $LAB_STATE/images/staging
[os_glance_tasks_store]
filesystem_store_datadir = $LAB_STATE/images/tasks
[paste_deploy]
flavor = keystone
[wsgi]
task_pool_threads = 4
$(token_section glance)
CONF
}

nova_default_section() {
  cat <<CONF
[DEFAULT]
my_ip = $LAB_ADDRESS
transport_url = rabbit://guest:guest@$LAB_ADDRESS:$RABBIT_PORT/
rootwrap_config =
resume_guests_state_on_host_boot = false
update_resources_interval = 20
service_down_time = 120
max_concurrent_builds = 4
force_config_drive = false
flat_injected = false
allow_resize_to_same_host = false
CONF
  # From Nova 33 on, a service waits 160 s after SIGTERM before it ends (nova/conf/base.py).
  if [ "$LAB_NOVA_MAJOR" -ge 33 ]; then echo 'manager_shutdown_timeout = 0'; fi
}

# What nova-compute and the central services read alike.
nova_shared_sections() {
  cat <<CONF
[service_user]
send_service_user_token = true
$(account_options nova)
[placement]
$(account_options nova)
[glance]
endpoint_override = http://$LAB_ADDRESS:$GLANCE_PORT
num_retries = 1
[neutron]
endpoint_override = http://$LAB_ADDRESS:$NETWORK_PORT
http_retries = 0
$(account_options nova)
[cinder]
catalog_info = volumev3::publicURL
[vnc]
enabled = false
[spice]
enabled = false
[oslo_concurrency]
lock_path = $LAB_STATE/run/lock
[oslo_messaging_rabbit]
heartbeat_in_pthread = false
$(token_section nova)
CONF
}

write_nova_config() { # needs Keystone's endpoints.json
  cp "$LAB_SHARE/nova/api-paste.ini" "$LAB_STATE/etc/nova/"
  cat > "$LAB_STATE/etc/nova/nova.conf" <<CONF
$(nova_default_section)
state_path = $LAB_STATE
enabled_apis = osapi_compute
[api]
auth_strategy = keystone
[api_database]
connection = $(db_url nova_api)
[database]
connection = $(db_url nova_cell1)
$(nova_shared_sections)
[quota]
driver = nova.quota.UnifiedLimitsDriver
[oslo_limit]
endpoint_id = $("${INSIDE[@]}" jq -r .compute "$LAB_STATE/endpoints.json")
$(account_options nova system)
[conductor]
workers = 1
[scheduler]
workers = 1
discover_hosts_in_cells_interval = 10
query_placement_for_image_type_support = false
[filter_scheduler]
available_filters = nova.scheduler.filters.all_filters
enabled_filters = ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,AggregateInstanceExtraSpecsFilter,PciPassthroughFilter
[pci]
# For the VFs of gpu03, a host that tests add.
alias = {"name": "l40s-8q", "vendor_id": "10de", "product_id": "26b9", "device_type": "type-VF"}
CONF
}

# nova.conf of one host, in the tree that the agent reads. It must not know the databases: nova-compute refuses that.
write_compute_config() { # write_compute_config HOST
  local folder="$LAB_STATE/hosts/$1"
  cat > "$folder/tree/etc/nova/nova.conf" <<CONF
$(nova_default_section)
host = $1
compute_driver = libvirt.LibvirtDriver
state_path = $folder/nova
instances_path = $folder/nova/instances
$(nova_shared_sections)
[libvirt]
virt_type = kvm
cpu_mode = none
num_pcie_ports = 0
CONF
  # Where the tree's /etc lies for nova-compute, which the agent, for whom the tree is all there is, must not be told.
  cat > "$folder/place.conf" <<CONF
[compute]
provider_config_location = $folder/tree/etc/nova/provider_config/
CONF
}
