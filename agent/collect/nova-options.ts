/**
 * The options of nova.conf that leave the host, by section. Everything else stays: above all credentials and connection
 * strings, so `live_migration_uri` (which may hold a user and a key file) is not among `live_migration_*`.
 */
const OPTIONS: Record<string, RegExp> = {
  default:
    /^(host|pci_passthrough_whitelist|pci_alias|passthrough_whitelist|device_spec|alias|vcpu_pin_set|reserved_host_memory_mb|reserved_host_cpus|(cpu|ram|disk)_allocation_ratio|initial_(cpu|ram|disk)_allocation_ratio|resume_guests_state_on_host_boot)$/,
  devices: /^/,
  /** Nova ignores plural names; the console reports them. */
  pci: /^((pci_)?(device_spec|passthrough_whitelist)s?|(pci_)?alias(es)?|report_in_placement)$/,
  compute: /^(cpu_shared_set|cpu_dedicated_set|provider_config_location)$/,
  quota: /^(driver|unified_limits_\w+)$/,
  /** Whose limits Nova reads, and as whom; the password is in the same section. */
  oslo_limit:
    /^(endpoint_id|endpoint_region_name|endpoint_service_type|endpoint_service_name|username|user_name|user_domain_name|user_domain_id|system_scope|auth_section)$/,
  /** Nova ignores `vgpu…` and `mdev…` here; the console reports them. */
  libvirt: /^((enabled_)?(vgpu|mdev)[\w-]*|virt_type|live_migration_(?!uri$|inbound_addr$)\w+)$/,
  filter_scheduler: /^pci_in_placement$/,
  workarounds: /^unified_limits_count_pcpu_as_vcpu$/,
}

/** One section per vGPU type; `vgpu_` is the name before 24.0.0. */
const TYPE_SECTION = /^(mdev|vgpu)_./

/** Sections that are meant for a type but have another name. Nova ignores them; the console reports them. */
const MISSPELLED_SECTION = /^(mdev|vgpu)[-. ]|^nvidia-\d/
const TYPE_OPTIONS = /^(device_addresses|mdev_class|max_instances)$/

/** Section names match in any case, option names only as written (oslo_config/cfg.py _normalize_group_name). */
export const isReportedOption = (section: string, name: string): boolean => {
  const key = section.toLowerCase()
  if (TYPE_SECTION.test(key)) return true
  if (MISSPELLED_SECTION.test(key)) return TYPE_OPTIONS.test(name)
  return Object.hasOwn(OPTIONS, key) && (OPTIONS[key]?.test(name) ?? false)
}
