import type { Vgpu } from '@/lib/domain/pgpu/vgpus'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { type CardDetector, type HostDetector, NOTHING, onEachCard } from './detector'

/** Used, and by no guest whose XML libvirt has on this host. */
const isOutside = ({ state, holder }: Vgpu): boolean => state === 'used' && holder === null

/**
 * Devices in use by guests that libvirt on this host does not list, such as those of Proxmox, LXD or KubeVirt, or a device given
 * in `qemu:commandline`. Nova reads libvirt's guests only (nova/virt/libvirt/driver.py _get_all_assigned_mediated_devices).
 */
const detect: CardDetector = ({ facts, pgpu }) => {
  const outside = facts.vgpus.filter(isOutside)
  if (outside.length === 0) return NOTHING
  const { byOthers } = facts.occupancy
  const what = pgpu.framework === 'passthrough' ? ['device', 'devices'] : ['vGPU', 'vGPUs']
  const [one = '', several = ''] = what
  const uses = outside.map(({ mdevUuid, address, occupant }) => {
    const source = byOthers.get(mdevUuid ?? address)?.source ?? 'nvidia-smi vgpu -q'
    return `${mdevUuid ?? address} by ${occupant?.guestName ?? 'an unknown guest'} (${source})`
  })
  return [
    {
      code: 'guests-outside-libvirt',
      severity: 'warning',
      sentence: `${formatNoun(outside.length, one, several)} ${outside.length === 1 ? 'is' : 'are'} used by guests that libvirt does not list`,
      detail: `In use: ${listText(uses)}. Nova only knows guests of libvirt. It counts these vGPUs or devices as free and may assign them again. Remove the devices from nova.conf, or stop these guests.`,
      pgpuAddress: pgpu.address,
    },
  ]
}

export const guestsOutsideLibvirt: HostDetector = {
  findings: {
    'guests-outside-libvirt': {
      title: 'Guests outside libvirt use pGPUs',
      severities: ['warning'],
      detection:
        'Processes, open devices and libvirt: a device of a pGPU is in use, and no guest of libvirt names it.',
      consequence: 'Nova counts the vGPUs or devices of these guests as free and may assign them again.',
      nextStep: 'Remove the devices from nova.conf, or stop the guests that libvirt does not list.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
