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

const holders = (card: Card, addresses: string[]): string =>
  listText(
    card.facts.vgpus
      .filter((vgpu) => addresses.includes(vgpu.address))
      .map((vgpu) => vgpu.occupant?.serverName ?? vgpu.occupant?.guestName ?? '')
      .filter((name) => name !== ''),
  )

/** vGPUs in use whose type nova.conf no longer names for their parent: new servers get NoValidHost until they are gone. */
const detect: CardDetector = (card, { nova }) => {
  if (nova === null || !isMdevCard(card)) return NOTHING
  const old = card.facts.vgpus.filter(
    (vgpu) =>
      vgpu.state === 'used' &&
      vgpu.typeId !== null &&
      card.facts.assigned?.get(vgpu.address)?.typeId !== vgpu.typeId,
  )
  if (old.length === 0) return NOTHING
  const names = typeLabels(
    card,
    old.map((vgpu) => vgpu.typeId),
  )
  return [
    {
      code: 'used-type-not-configured',
      severity: 'warning',
      sentence: `${formatNoun(old.length, 'vGPU')} in use ${old.length === 1 ? 'is' : 'are'} ${names}, nova.conf ${configuredText(card)}`,
      detail: `Nova does not count vGPUs of a type that it does not offer here, and the card accepts no other size while they exist. Held by ${holders(
        card,
        old.map((vgpu) => vgpu.address),
      )}. Migrate or delete these servers, then remove the mdevs, or configure the old type again.`,
      pgpuAddress: card.pgpu.address,
    },
  ]
}

export const usedTypeNotConfigured: HostDetector = {
  findings: {
    'used-type-not-configured': {
      title: 'vGPUs in use keep a pGPU on a type that nova.conf does not name',
      severities: ['warning'],
      detection:
        'libvirt, sysfs and nova.conf: guests hold vGPUs of a type that nova.conf does not assign to their parent.',
      consequence: 'New servers get NoValidHost here until the vGPUs of the old type are gone.',
      nextStep: 'Migrate or delete the servers that hold them, or configure the old type again.',
      source: 'nova.conf',
    },
  },
  detect: onEachCard(detect),
}
