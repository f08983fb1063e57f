import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { type CardDetector, type HostDetector, NOTHING, onEachCard, typeLabels } from './detector'

const isUnwanted = (card: Card, parent: string, typeId: string | null): boolean =>
  card.facts.assigned !== null && typeId !== null && card.facts.assigned.get(parent)?.typeId !== typeId

/** Autostart definitions of mdevs that are not active: nova-compute (30 and later) or a reboot starts them again. */
const detect: CardDetector = (card, { nova }) => {
  const returning = (card.facts.mdevs ?? []).filter(
    (mdev) => !mdev.isActive && mdev.definition?.start === 'auto',
  )
  if (returning.length === 0) return NOTHING
  const unwanted =
    nova === null
      ? []
      : returning.filter((mdev) => isUnwanted(card, mdev.parent, mdev.definition?.typeId ?? null))
  const names = typeLabels(
    card,
    unwanted.map((mdev) => mdev.definition?.typeId),
  )
  const paths = listText(returning.map((mdev) => mdev.definition?.path ?? mdev.uuid))
  const verb = returning.length === 1 ? 'is' : 'are'
  return [
    {
      code: 'returning-mdevs',
      severity: unwanted.length > 0 ? 'warning' : 'info',
      sentence:
        unwanted.length > 0
          ? `${formatNoun(unwanted.length, 'mdev')} of ${names} ${unwanted.length === 1 ? 'is' : 'are'} recreated at boot`
          : `${formatNoun(returning.length, 'defined mdev')} ${verb} recreated at boot`,
      detail: `Defined with autostart in ${paths} but not active: a reboot, or a restart of nova-compute from 2024.2 on, starts ${returning.length === 1 ? 'it' : 'them'}.${unwanted.length > 0 ? ' nova.conf names another type, which they would block. Undefine them first (virsh nodedev-undefine or mdevctl undefine).' : ''}`,
      pgpuAddress: card.pgpu.address,
    },
  ]
}

export const returningMdevs: HostDetector = {
  findings: {
    'returning-mdevs': {
      title: 'Defined mdevs are recreated at boot',
      severities: ['warning', 'info'],
      detection:
        'mdevctl or libvirt definitions and sysfs: an mdev with autostart is defined and not active.',
      consequence: 'They use capacity again, and block other types.',
      nextStep: 'Undefine the mdevs that are not needed.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
