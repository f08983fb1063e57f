import { effectiveOptions, optionSource, splitList } from '@/lib/domain/nova-config/effective-options'
import { listText } from '@/lib/domain/wording'
import type { NovaConfig, NovaOption } from '@/lib/schemas/agent/inventory'
import { type Detector, type HostDetector, isMdevCard } from './detector'

const GROUP = /^mdev_(.+)$/

type Group = { typeId: string; name: string; lines: NovaOption[]; addresses: string[] }

/** Groups of mdev types; `typeId` is in lower case, as oslo.config compares groups, `name` as it is written. */
const groupsOf = (config: NovaConfig): Group[] => {
  const groups = new Map<string, Group>()
  for (const { option, present, isEffective } of effectiveOptions(config)) {
    const typeId = GROUP.exec(present.section)?.[1]
    if (typeId === undefined || !isEffective) continue
    const group = groups.get(typeId) ?? { typeId, name: option.section, lines: [], addresses: [] }
    groups.set(typeId, group)
    group.lines.push(option)
    if (present.name === 'device_addresses') group.addresses.push(...splitList(option.value))
  }
  return [...groups.values()]
}

/**
 * A group of options for a type that enabled_mdev_types does not name: a typing mistake, or a leftover of an earlier
 * type. It has an effect if a card that it names has no type now. Nova registers the groups of the enabled types only,
 * and oslo.config ignores unregistered ones (nova/conf/devices.py register_dynamic_opts).
 */
const detect: Detector = ({ inventory, nova, owners }) => {
  if (inventory.novaConfig === null || nova === null) return []
  const enabled = new Set(nova.mdev.types.map(({ typeId }) => typeId.toLowerCase()))
  const goesWithout = (address: string): boolean => {
    const card = owners.get(address)
    return card !== undefined && isMdevCard(card) && card.pgpu.configuredType === null
  }
  return groupsOf(inventory.novaConfig)
    .filter(({ typeId }) => !enabled.has(typeId))
    .map(({ typeId, name, lines, addresses }) => {
      const without = addresses.filter(goesWithout)
      const effect =
        without.length === 0
          ? ''
          : `, so ${listText(without)} ${without.length === 1 ? 'has' : 'have'} no type`
      return {
        code: 'mdev-group-not-enabled',
        severity: without.length > 0 ? 'warning' : 'info',
        sentence: `nova.conf has [${name}], but does not enable ${typeId}${effect}`,
        detail: `${listText(lines.map(optionSource))}: Nova reads only the groups of types in [devices] enabled_mdev_types, and ignores this group without an error. List the type there, correct the name of the group, or remove the group.`,
        pgpuAddress: null,
      }
    })
}

export const mdevGroupNotEnabled: HostDetector = {
  findings: {
    'mdev-group-not-enabled': {
      title: 'nova.conf has a group for a vGPU type that it does not enable',
      severities: ['warning', 'info'],
      detection:
        'nova.conf: a [mdev_*] or [vgpu_*] group belongs to a type that enabled_mdev_types does not list.',
      consequence:
        'Nova ignores the group without an error. A card that it names gets the default type or none.',
      nextStep:
        'List the type in [devices] enabled_mdev_types, correct the name of the group, or remove the group.',
      source: 'nova.conf',
    },
  },
  detect,
}
