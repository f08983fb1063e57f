type OldName = { section: string; name: string; presentSection: string; presentName: string }

/** Options that oslo.config still reads under an old name. Source: nova/conf/{devices,pci,quota}.py. */
const OLD_NAMES: readonly OldName[] = [
  {
    section: 'devices',
    name: 'enabled_vgpu_types',
    presentSection: 'devices',
    presentName: 'enabled_mdev_types',
  },
  { section: 'pci', name: 'passthrough_whitelist', presentSection: 'pci', presentName: 'device_spec' },
  {
    section: 'DEFAULT',
    name: 'pci_passthrough_whitelist',
    presentSection: 'pci',
    presentName: 'device_spec',
  },
  { section: 'DEFAULT', name: 'pci_alias', presentSection: 'pci', presentName: 'alias' },
  { section: 'DEFAULT', name: 'quota_instances', presentSection: 'quota', presentName: 'instances' },
  { section: 'DEFAULT', name: 'quota_cores', presentSection: 'quota', presentName: 'cores' },
  { section: 'DEFAULT', name: 'quota_ram', presentSection: 'quota', presentName: 'ram' },
]

const MULTI_VALUED = new Set(['pci/device_spec', 'pci/alias'])

/** An option under its present section and name, lower-cased as oslo.config compares sections (cfg.py _normalize_group_name). */
export type PresentOption = { section: string; name: string; isOldName: boolean; isMultiValued: boolean }

const normalSection = (section: string): string => (section === 'DEFAULT' ? section : section.toLowerCase())

const presentMdevSection = (section: string): string =>
  section.startsWith('vgpu_') ? `mdev_${section.slice('vgpu_'.length)}` : section

/**
 * The present section and name of an option of nova.conf. Of a `[vgpu_<type>]` group only `device_addresses` is read
 * under the old section name; the other options never had one.
 */
export const presentOption = (option: { section: string; name: string }): PresentOption => {
  const section = normalSection(option.section)
  const old = OLD_NAMES.find((entry) => entry.section === section && entry.name === option.name)
  if (old !== undefined)
    return {
      section: old.presentSection,
      name: old.presentName,
      isOldName: true,
      isMultiValued: MULTI_VALUED.has(`${old.presentSection}/${old.presentName}`),
    }
  if (section.startsWith('vgpu_') && option.name === 'device_addresses')
    return { section: presentMdevSection(section), name: option.name, isOldName: true, isMultiValued: false }
  return {
    section,
    name: option.name,
    isOldName: false,
    isMultiValued: MULTI_VALUED.has(`${section}/${option.name}`),
  }
}
