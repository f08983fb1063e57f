import { type CardDetector, type HostDetector, NOTHING, onEachCard } from './detector'

/** Fewer VFs of an SR-IOV card have a type than vGPUs of it fit: the rest of the card is out of Nova's reach. */
const detect: CardDetector = (card, { nova }) => {
  if (nova === null || card.pgpu.framework !== 'mdev-sriov') return NOTHING
  const assigned = [...(card.facts.assigned?.values() ?? [])]
  const listed = assigned.filter((type) => type !== null)
  const capacity = card.pgpu.numbers.capacity.value
  const isPart = listed.length > 0 && listed.length < assigned.length
  const isSameType = card.pgpu.currentType?.typeId === card.pgpu.configuredType?.typeId
  if (!isPart || !isSameType || capacity === null || listed.length >= capacity) return NOTHING
  return [
    {
      code: 'too-few-vfs-listed',
      severity: 'warning',
      sentence: `nova.conf lists ${listed.length} VFs of the card, but ${capacity} vGPUs would fit`,
      detail: `Nova creates one vGPU per listed VF. List at least ${capacity} of the ${assigned.length} VFs in device_addresses, or remove device_addresses to make the type the default.`,
      pgpuAddress: card.pgpu.address,
    },
  ]
}

export const tooFewVfsListed: HostDetector = {
  findings: {
    'too-few-vfs-listed': {
      title: 'Fewer VFs are listed than vGPUs fit',
      severities: ['warning'],
      detection: 'nova.conf and sysfs: fewer VFs have a type than vGPUs of the type fit on the card.',
      consequence: 'The rest of the card cannot be scheduled.',
      nextStep: 'List as many VFs as vGPUs fit.',
      source: 'nova.conf',
    },
  },
  detect: onEachCard(detect),
}
