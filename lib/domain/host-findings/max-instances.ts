import type { ConfiguredType } from '@/lib/domain/nova-config/mdev-config'
import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import type { Detector, HostDetector, LocatedFinding } from './detector'
import { droppedParents, type OfferedParent, offeredParents } from './offered'

const cardsOf = (parents: OfferedParent[]): Card[] => [...new Set(parents.map((parent) => parent.card))]

/** vGPUs of a type that fit on all of its cards; null when a card does not say or is held by another size. */
const fitting = (cards: Card[], typeId: string): number | null => {
  let sum = 0
  for (const { pgpu } of cards) {
    if (pgpu.currentType?.typeId !== typeId || pgpu.numbers.capacity.value === null) return null
    sum += pgpu.numbers.capacity.value
  }
  return sum
}

const forFunctions = (type: ConfiguredType, parents: OfferedParent[], max: number): LocatedFinding[] => {
  const cards = cardsOf(parents)
  const fit = fitting(cards, type.typeId)
  if (fit === null || max === fit) return []
  const where = `on the ${formatNoun(cards.length, 'pGPU')} of this type`
  const set = `${type.maxInstancesSource}: max_instances counts per type and host. Set it to ${fit}, the number that fits ${where}.`
  if (max < fit)
    return [
      {
        code: 'max-instances-too-low',
        severity: 'warning',
        sentence: `max_instances ${max} of ${type.typeId} is below the ${fit} that fit`,
        detail: `${set} The VFs beyond it get no resource provider.`,
        pgpuAddress: null,
      },
    ]
  if (parents.length <= fit) return []
  return [
    {
      code: 'max-instances-too-high',
      severity: 'warning',
      sentence: `max_instances ${max} of ${type.typeId} is above the ${fit} that fit`,
      detail: `${set} Until the cards are full, Nova offers more vGPUs than fit.`,
      pgpuAddress: null,
    },
  ]
}

const forWholeCards = (type: ConfiguredType, parents: OfferedParent[], max: number): LocatedFinding[] => {
  const dropped = droppedParents(parents, max)
  if (dropped.length === 0) return []
  return [
    {
      code: 'max-instances-drops-pgpus',
      severity: 'warning',
      sentence: `max_instances ${max} of ${type.typeId} excludes ${dropped.length} of ${formatNoun(parents.length, 'pGPU')}`,
      detail: `${type.maxInstancesSource}: max_instances counts per type and host. A pGPU that exceeds the limit is excluded, not capped. Remove max_instances, or set it to the sum over all pGPUs of this type.`,
      pgpuAddress: null,
    },
  ]
}

/** Parents without room under the limit whose vGPUs guests hold. */
const droppedInUse = (parents: OfferedParent[], max: number): OfferedParent[] =>
  droppedParents(parents, max).filter(({ card, parent, typeId }) =>
    card.facts.vgpus.some(
      (vgpu) => vgpu.address === parent && vgpu.typeId === typeId && vgpu.state === 'used',
    ),
  )

/**
 * Nova removes the provider of a parent that has no inventory left. Placement refuses that while servers hold allocations
 * (409), and then nothing of the host is updated. Source: nova/virt/libvirt/driver.py _update_provider_tree_for_vgpu,
 * nova/scheduler/client/report.py update_from_provider_tree.
 */
const belowUse = (type: ConfiguredType, inUse: OfferedParent[], max: number): LocatedFinding => ({
  code: 'max-instances-below-use',
  severity: 'error',
  sentence: `max_instances ${max} of ${type.typeId} removes ${formatNoun(inUse.length, 'resource provider')} in use, so Nova's update of Placement fails`,
  detail: `${type.maxInstancesSource}: max_instances counts per type and host. ${listText(inUse.map(({ parent }) => parent))} would have no inventory, but servers hold allocations there.`,
  pgpuAddress: null,
})

const forType = (all: OfferedParent[], type: ConfiguredType): LocatedFinding[] => {
  const max = type.maxInstances
  const parents = all.filter((parent) => parent.typeId === type.typeId)
  if (max === null || parents.length === 0) return []
  const inUse = droppedInUse(parents, max)
  if (inUse.length > 0) return [belowUse(type, inUse, max)]
  const onFunctions = parents.filter((parent) => parent.card.pgpu.framework === 'mdev-sriov')
  if (onFunctions.length === parents.length) return forFunctions(type, parents, max)
  return onFunctions.length === 0 ? forWholeCards(type, parents, max) : []
}

/** What `max_instances` of a type does to the cards of the host. */
const detect: Detector = (host) => {
  const types = (host.nova?.mdev.types ?? []).filter((type) => type.maxInstances !== null)
  if (types.length === 0) return []
  const parents = offeredParents(host)
  return types.flatMap((type) => forType(parents, type))
}

export const maxInstances: HostDetector = {
  findings: {
    'max-instances-below-use': {
      title: "max_instances is too low for the vGPUs in use, and Nova's update fails",
      severities: ['error'],
      detection:
        'nova.conf, sysfs and libvirt: guests hold vGPUs of a parent for which max_instances leaves no inventory.',
      consequence:
        'Placement keeps the old total for all devices of this host. Servers that are scheduled here beyond the limit fail.',
      nextStep:
        'Remove max_instances, or set it to the sum over all pGPUs of the type. Then restart nova-compute.',
      source: 'nova.conf',
    },
    'max-instances-drops-pgpus': {
      title: 'max_instances excludes pGPUs',
      severities: ['warning'],
      detection: 'nova.conf and sysfs: max_instances of a type is below the sum of what its pGPUs offer.',
      consequence: 'Nova offers no vGPU of the excluded pGPUs.',
      nextStep: 'Remove max_instances, or set it to the sum over all pGPUs of the type.',
      source: 'nova.conf',
    },
    'max-instances-too-high': {
      title: 'max_instances allows more vGPUs than fit',
      severities: ['warning'],
      detection:
        'nova.conf and sysfs: max_instances of a type is above the number of vGPUs that fit on its SR-IOV cards.',
      consequence: 'Servers that Placement sends here once the cards are full fail late.',
      nextStep: 'Set max_instances to the number that fits on the pGPUs of the type.',
      source: 'nova.conf',
    },
    'max-instances-too-low': {
      title: 'max_instances allows fewer vGPUs than fit',
      severities: ['warning'],
      detection:
        'nova.conf and sysfs: max_instances of a type is below the number of vGPUs that fit on its SR-IOV cards.',
      consequence: 'vGPUs that would fit are not offered.',
      nextStep: 'Set max_instances to the number that fits on the pGPUs of the type.',
      source: 'nova.conf',
    },
  },
  detect,
}
