import { listedIn } from '@/lib/domain/nova-config/listed-functions'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { type CardDetector, type HostDetector, NOTHING, onEachCard } from './detector'

/** Vendor-VFIO vGPUs without a guest on VFs that no `device_spec` names: Nova never hands them out. */
const detect: CardDetector = ({ facts, pgpu }, { nova }) => {
  if (nova === null || pgpu.framework !== 'vendor-vfio') return NOTHING
  const listed = new Set(listedIn(nova.deviceSpecs.specs, pgpu).map(({ address }) => address))
  const unlisted = facts.vgpus.filter((vgpu) => vgpu.state === 'spare' && !listed.has(vgpu.address))
  if (unlisted.length === 0) return NOTHING
  const addresses = unlisted.map((vgpu) => vgpu.address)
  return [
    {
      code: 'vendor-vfio-not-listed',
      severity: 'warning',
      sentence: `no [pci] device_spec matches ${formatNoun(unlisted.length, 'VF')} with a vGPU type`,
      detail: `Nova assigns only VFs that [pci] device_spec matches, with "managed": "no". Add ${listText(addresses)}, or write 0 to their current_vgpu_type.`,
      pgpuAddress: pgpu.address,
    },
  ]
}

export const vendorVfioNotListed: HostDetector = {
  findings: {
    'vendor-vfio-not-listed': {
      title: 'No [pci] device_spec matches VFs with a vGPU type',
      severities: ['warning'],
      detection:
        'sysfs and nova.conf: a VF has a vGPU type and no guest, and no [pci] device_spec matches it.',
      consequence: 'Nova never assigns these vGPUs.',
      nextStep: 'Add the VFs to [pci] device_spec, or write 0 to their current_vgpu_type.',
      source: 'nova.conf',
    },
  },
  detect: onEachCard(detect),
}
