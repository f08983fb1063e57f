import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { type CardDetector, type HostDetector, NOTHING, onEachCard } from './detector'

/** An active mdev whose `mdev_type` can't be read: what it takes and what it blocks is unknown. */
const detect: CardDetector = ({ facts, pgpu }) => {
  const uuids: string[] = []
  for (const { uuid, isActive, typeId } of facts.mdevs ?? [])
    if (isActive && typeId === null) uuids.push(uuid)
  if (uuids.length === 0) return NOTHING
  return [
    {
      code: 'mdev-without-type',
      severity: 'warning',
      sentence: `${formatNoun(uuids.length, 'mdev')} without a readable type`,
      detail: `The type of ${listText(uuids)} could not be read, so it is unknown whether it is spare or orphaned. Check /sys/bus/mdev/devices/${uuids[0]}/mdev_type on the host. A reload of the driver can leave such devices behind. If no guest names the mdev, write 1 to its remove file.`,
      pgpuAddress: pgpu.address,
    },
  ]
}

export const mdevWithoutType: HostDetector = {
  findings: {
    'mdev-without-type': {
      title: 'An mdev has no readable type',
      severities: ['warning'],
      detection: 'sysfs: the mdev_type of an active mdev cannot be read.',
      consequence: 'What the mdev takes and blocks is unknown.',
      nextStep:
        'Check its mdev_type on the host. A reload of the driver can leave such devices behind: remove the mdev if no guest names it.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
