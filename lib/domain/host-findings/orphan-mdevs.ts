import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import {
  type CardDetector,
  configuredText,
  type HostDetector,
  isMdevCard,
  NOTHING,
  onEachCard,
  typeLabels,
} from './detector'

const sentenceFor = (card: Card, orphans: string[], typeNames: string): string => {
  const { configuredType, supportedTypes } = card.pgpu
  const count = formatNoun(orphans.length, 'orphaned mdev')
  const verb = orphans.length === 1 ? 'locks' : 'lock'
  const configured = supportedTypes?.find((type) => type.typeId === configuredType?.typeId)
  if (configured !== undefined && configured.creatable === 0)
    return `${count} ${verb} the GPU to ${typeNames}`
  return `${count} of ${typeNames} ${orphans.length === 1 ? 'uses' : 'use'} capacity`
}

/** Unattached mdevs of a type that nova.conf does not name for their parent: Nova neither uses nor removes them. */
const detect: CardDetector = (card) => {
  if (!isMdevCard(card)) return NOTHING
  const orphans = card.facts.vgpus.filter((vgpu) => vgpu.state === 'orphan')
  if (orphans.length === 0) return NOTHING
  const uuids = orphans.map((vgpu) => vgpu.mdevUuid ?? '')
  const typeNames = typeLabels(
    card,
    orphans.map((vgpu) => vgpu.typeId),
  )
  return [
    {
      code: 'orphan-mdevs',
      severity: 'warning',
      sentence: sentenceFor(card, uuids, typeNames),
      detail: `nova.conf ${configuredText(card)} for this pGPU, so Nova neither uses nor removes ${listText(uuids)}. Check that no guest names them, then destroy and undefine each one (virsh nodedev-destroy and nodedev-undefine, or mdevctl stop and undefine). nova-compute starts a defined mdev again when it restarts.`,
      pgpuAddress: card.pgpu.address,
    },
  ]
}

export const orphanMdevs: HostDetector = {
  findings: {
    'orphan-mdevs': {
      title: 'Orphaned mdevs block pGPUs',
      severities: ['warning'],
      detection:
        'sysfs, libvirt and nova.conf: no guest holds an mdev, and its type is not the configured type of its parent.',
      consequence: 'The card stays on the old type, and servers of the new type get NoValidHost.',
      nextStep: 'Destroy and undefine the orphaned mdevs after checking that no guest names them.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
