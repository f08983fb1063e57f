import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { PciEntry, PciLayout } from '@/lib/domain/cloud/pci-layout'
import { CPU_OPTIONS } from '@/lib/domain/nova-config/cpu-options'
import { effectiveOptions, optionSource } from '@/lib/domain/nova-config/effective-options'
import { GRAMMARS, type GrammarName } from '@/lib/schemas/agent/grammar'
import { malformedPciMember } from '@/lib/schemas/agent/nova-option-values'
import { canonicalAddress } from '@/lib/util/canonical-address'
import { firstMalformed, type Malformed, malformed } from './malformed'

const where = ({ host }: JoinedHost, option: string, source: string | null) => ({
  origin: `${option} in nova.conf of ${host.name}${source === null ? '' : ` (${source})`}`,
  remedy: `correct ${source ?? 'nova.conf'}`,
})

const inOption =
  (joined: JoinedHost, { option, source }: { option: string; source: string | null }) =>
  (name: GrammarName, value: string | null) =>
  () =>
    malformed(name, value, where(joined, option, source))

/** Of the vGPU types that nova.conf names; a plan writes all of them again. */
export const malformedTypes = (joined: JoinedHost): Malformed | null => {
  const { nova } = joined
  if (nova === null) return null
  return firstMalformed(
    nova.mdev.types.flatMap((type) => {
      const at = (option: string, source: string | null) => inOption(joined, { option, source })
      const group = `[mdev_${type.typeId}]`
      return [
        at('[devices] enabled_mdev_types', nova.mdev.typesSource)('vgpuTypeId', type.typeId),
        ...type.deviceAddresses.map((address) =>
          at(`${group} device_addresses`, type.addressesSource)('pciAddress', canonicalAddress(address)),
        ),
        at(`${group} mdev_class`, type.mdevClassSource)('mdevClass', type.mdevClass),
      ]
    }),
  )
}

const ofEntry = (joined: JoinedHost, option: string, { entry, file }: PciEntry): Malformed | null => {
  const member = malformedPciMember(entry)
  if (member === null) return null
  return {
    value: JSON.stringify(entry[member] ?? null),
    rule: member === 'name' ? GRAMMARS.alias.rule : 'must be a plain text without control characters and $',
    ...where(joined, `"${member}" of [pci] ${option}`, file),
  }
}

/** Of the entries of `[pci]`, before or after a change. */
export const malformedPci = (joined: JoinedHost, { specs, aliases }: PciLayout): Malformed | null =>
  firstMalformed([
    ...specs.map((entry) => () => ofEntry(joined, 'device_spec', entry)),
    ...aliases.map((entry) => () => ofEntry(joined, 'alias', entry)),
  ])

/** Of the CPU sets that nova-compute reads; a revert writes them again. */
export const malformedCpus = (joined: JoinedHost): Malformed | null => {
  const config = joined.host.inventory.novaConfig
  if (config === null) return null
  const sets = [CPU_OPTIONS.shared, CPU_OPTIONS.dedicated, CPU_OPTIONS.pinSet]
  return firstMalformed(
    effectiveOptions(config)
      .filter(({ isEffective }) => isEffective)
      .flatMap(({ option, present }) => {
        const set = sets.find(([section, name]) => present.section === section && present.name === name)
        const value = option.value.trim()
        if (set === undefined || value === '') return []
        const at = { option: `[${set[0]}] ${set[1]}`, source: optionSource(option) }
        return [inOption(joined, at)('cpuSet', value)]
      }),
  )
}

/** Of the folder of provider config, which a plan writes into. */
export const malformedFolder = (joined: JoinedHost, path: string): Malformed | null =>
  malformed('path', path, where(joined, '[compute] provider_config_location', null))
