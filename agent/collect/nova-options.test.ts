import { expect, test } from 'vitest'
import { isReportedOption } from './nova-options'

test.each([
  ['DEFAULT', 'host'],
  ['DEFAULT', 'pci_passthrough_whitelist'],
  ['DEFAULT', 'pci_alias'],
  ['DEFAULT', 'vcpu_pin_set'],
  ['DEFAULT', 'reserved_host_memory_mb'],
  ['DEFAULT', 'reserved_host_cpus'],
  ['DEFAULT', 'cpu_allocation_ratio'],
  ['DEFAULT', 'ram_allocation_ratio'],
  ['DEFAULT', 'disk_allocation_ratio'],
  ['devices', 'enabled_mdev_types'],
  ['devices', 'enabled_vgpu_types'],
  ['Devices', 'enabled_mdev_types'],
  ['mdev_nvidia-35', 'device_addresses'],
  ['mdev_i915-GVTg_V5_4', 'mdev_class'],
  ['vgpu_nvidia-319', 'device_addresses'],
  ['pci', 'device_spec'],
  ['pci', 'alias'],
  ['pci', 'passthrough_whitelist'],
  ['pci', 'report_in_placement'],
  ['compute', 'cpu_shared_set'],
  ['compute', 'cpu_dedicated_set'],
  ['compute', 'provider_config_location'],
  ['quota', 'driver'],
  ['quota', 'unified_limits_resource_strategy'],
  ['quota', 'unified_limits_resource_list'],
  ['libvirt', 'virt_type'],
  ['libvirt', 'live_migration_downtime'],
  ['libvirt', 'live_migration_permit_post_copy'],
  ['filter_scheduler', 'pci_in_placement'],
])('[%s] %s leaves the host', (section, name) => {
  expect(isReportedOption(section, name)).toBe(true)
})

test.each([
  ['DEFAULT', 'transport_url'],
  ['DEFAULT', 'my_ip'],
  ['DEFAULT', 'Host'],
  ['DEFAULT', 'host_password'],
  ['keystone_authtoken', 'password'],
  ['keystone_authtoken', 'host'],
  ['service_user', 'password'],
  ['neutron', 'metadata_proxy_shared_secret'],
  ['database', 'connection'],
  ['api_database', 'connection'],
  ['cache', 'memcache_password'],
  ['vnc', 'server_listen'],
  ['libvirt', 'live_migration_uri'],
  ['libvirt', 'live_migration_inbound_addr'],
  ['libvirt', 'connection_uri'],
  ['libvirt', 'rbd_secret_uuid'],
  ['libvirt', 'rbd_user'],
  ['pci', 'alias_password'],
  ['quota', 'instances'],
  ['oslo_limit', 'password'],
  ['placement', 'password'],
  ['constructor', 'name'],
  ['mdev_', 'x'],
])('[%s] %s stays', (section, name) => {
  expect(isReportedOption(section, name)).toBe(false)
})
