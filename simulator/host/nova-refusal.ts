import { assignTypes } from '@/lib/domain/nova-config/assign-types'
import { readCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { readDeviceSpecs } from '@/lib/domain/nova-config/device-spec'
import { effectiveOptions } from '@/lib/domain/nova-config/effective-options'
import { readMdevConfig } from '@/lib/domain/nova-config/mdev-config'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'

/** nova/pci/utils.py parse_address. */
const PCI_ADDRESS = /^[\da-fA-F]{4}:[\da-fA-F]{2}:[\da-fA-F]{2}\.[0-7]$/
const MDEV_CLASS = '^(VGPU|CUSTOM_[A-Z0-9_]+)$'

const invalidMdevs = (release: number, reason: string): string =>
  release < 24
    ? `nova.exception.InvalidLibvirtGPUConfig: Invalid configuration for GPU devices: ${reason}`
    : `nova.exception.InvalidLibvirtMdevConfig: Invalid configuration for mdev-capable devices: ${reason}`

/** A value that oslo.config refuses, of options that the release knows. */
const badValue = (config: NovaConfig, release: number): string | null => {
  const sections = new Set(readMdevConfig(config).types.map(({ typeId }) => `mdev_${typeId}`.toLowerCase()))
  for (const { option, present, isEffective } of effectiveOptions(config)) {
    if (!isEffective || !sections.has(present.section)) continue
    const value = option.value.trim()
    const refuse = (why: string): string =>
      `oslo_config.cfg.ConfigFileValueError: Value for option ${present.name} from ${option.file} is not valid: ${why}`
    if (present.name === 'max_instances' && release >= 29) {
      if (!/^-?\d+$/.test(value)) return refuse(`invalid literal for int() with base 10: '${value}'`)
      if (Number(value) < 1) return refuse('Should be greater than or equal to 1')
    }
    if (present.name === 'mdev_class' && release >= 24 && !new RegExp(MDEV_CLASS).test(value))
      return refuse(`Value ${value} doesn't match regex ${MDEV_CLASS}`)
  }
  return null
}

/** Types are gone through in their order, and the first fault ends the start. */
const badAddress = (config: NovaConfig, release: number): string | null => {
  const seen = new Set<string>()
  for (const { deviceAddresses } of readMdevConfig(config).types) {
    for (const address of deviceAddresses) {
      if (seen.has(address)) return invalidMdevs(release, `duplicate types for PCI ID ${address}`)
      if (!PCI_ADDRESS.test(address)) return invalidMdevs(release, `incorrect PCI address: ${address}`)
      seen.add(address)
    }
  }
  return null
}

/** nova/virt/libvirt/driver.py _check_cpu_set_configuration, from Train (20) on. */
const badCpuSets = (config: NovaConfig, release: number): string | null => {
  const { shared, dedicated, pinSet, reservedCpus } = readCpuOptions(config)
  const refuse = (why: string): string => `nova.exception.InvalidConfiguration: ${why}`
  if (release < 20 || dedicated === null) return null
  if (pinSet !== null)
    return refuse("The 'vcpu_pin_set' and '[compute] cpu_dedicated_set' options cannot be used together.")
  const held = parseCpuSet(shared ?? '')
  if ([...parseCpuSet(dedicated)].some((cpu) => held.has(cpu)))
    return refuse(
      "The '[compute] cpu_dedicated_set' and '[compute] cpu_shared_set' options must be disjoint.",
    )
  return (reservedCpus ?? 0) > 0
    ? refuse("The 'reserved_host_cpus' option cannot be defined alongside '[compute] cpu_dedicated_set'.")
    : null
}

/**
 * The line with which nova-compute ends when it can't work with this nova.conf; null when it starts.
 * Source: nova/virt/libvirt/driver.py _get_supported_vgpu_types, nova/conf/devices.py, nova/pci/devspec.py.
 */
export const novaRefusal = (config: NovaConfig, release: number): string | null => {
  const [malformed] = readDeviceSpecs(config).malformed
  const badSpec =
    malformed === undefined
      ? null
      : `nova.exception.PciConfigInvalidSpec: Invalid [pci]device_spec config: ${malformed.value}`
  return badValue(config, release) ?? badCpuSets(config, release) ?? badSpec ?? badAddress(config, release)
}

/** What nova-compute takes over: types in their order, the first without addresses being the default. */
export const loadedTypes = (config: NovaConfig, release: number) => {
  const mdev = readMdevConfig(config)
  const dropped = new Set(assignTypes(mdev).droppedDefaults)
  return mdev.types.flatMap((type, index) => {
    const isRepeated = mdev.types.findIndex(({ typeId }) => typeId === type.typeId) < index
    if (isRepeated || dropped.has(type.typeId)) return []
    return [
      {
        typeId: type.typeId,
        addresses: type.deviceAddresses,
        mdevClass: release < 24 ? null : type.mdevClass,
        maxInstances: release < 29 ? null : type.maxInstances,
      },
    ]
  })
}
