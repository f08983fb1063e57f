import type { NovaConfig, NovaOption } from '@/lib/schemas/agent/inventory'
import { type EffectiveOption, effectiveOptions, optionSource, splitList } from './effective-options'
import { isMdevClass, readMaxInstances } from './mdev-option-values'

/** A type that `[devices] enabled_mdev_types` names, with its `[mdev_<type>]` group. Texts as written. */
export type ConfiguredType = {
  typeId: string
  /** Empty: the type is the default for parents that no type lists. */
  deviceAddresses: string[]
  /** `file:line` of `device_addresses`; null when it is not set. */
  addressesSource: string | null
  mdevClass: string | null
  mdevClassSource: string | null
  /** Per type and host; null: not set, or not valid. */
  maxInstances: number | null
  maxInstancesSource: string | null
  /** Values that oslo.config refuses. */
  invalid: readonly InvalidOption[]
}

/** An option of `[mdev_<type>]` as written. */
export type InvalidOption = { name: 'mdev_class' | 'max_instances'; option: NovaOption }

/** The mdev options of nova.conf. `typesSource` is null when no line sets the types. */
export type MdevConfig = { types: ConfiguredType[]; typesSource: string | null }

/** A driver has some 50 types; a report that is odd on purpose must not cost seconds. */
const MAX_TYPES = 128

/**
 * Reads the mdev options as nova-compute does, old names included. Types keep their order and doubles.
 * Source: nova/conf/devices.py, nova/virt/libvirt/driver.py _get_supported_vgpu_types.
 */
export const readMdevConfig = (config: NovaConfig): MdevConfig => {
  const options = effectiveOptions(config).filter((entry) => entry.isEffective)
  const find = (section: string, name: string): EffectiveOption | null =>
    options.find((entry) => entry.present.section === section && entry.present.name === name) ?? null
  const enabled = find('devices', 'enabled_mdev_types')
  const types = splitList(enabled?.option.value ?? '')
    .slice(0, MAX_TYPES)
    .map((typeId): ConfiguredType => {
      const section = `mdev_${typeId}`.toLowerCase()
      const addresses = find(section, 'device_addresses')
      const mdevClass = find(section, 'mdev_class')
      const maxInstances = find(section, 'max_instances')
      const max = readMaxInstances(maxInstances?.option.value ?? '')
      return {
        typeId,
        deviceAddresses: splitList(addresses?.option.value ?? ''),
        addressesSource: addresses === null ? null : optionSource(addresses.option),
        mdevClass: mdevClass === null ? null : mdevClass.option.value,
        mdevClassSource: mdevClass === null ? null : optionSource(mdevClass.option),
        maxInstances: max.limit,
        maxInstancesSource: maxInstances === null ? null : optionSource(maxInstances.option),
        invalid: [
          ...(mdevClass === null || isMdevClass(mdevClass.option.value)
            ? []
            : [{ name: 'mdev_class', option: mdevClass.option } as const]),
          ...(maxInstances === null || max.isValid
            ? []
            : [{ name: 'max_instances', option: maxInstances.option } as const]),
        ],
      }
    })
  return { types, typesSource: enabled === null ? null : optionSource(enabled.option) }
}
