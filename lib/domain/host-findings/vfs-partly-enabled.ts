import { gpuInstancesOf } from '@/lib/domain/pgpu/gpu-instances'
import { plural } from '@/lib/domain/wording'
import { shellWord } from '@/lib/util/encode/shell'
import { type CardDetector, type HostDetector, NOTHING, onEachCard } from './detector'

/** Each vGPU takes one VF, so a card with fewer VFs than its type fits holds fewer vGPUs. */
const detect: CardDetector = ({ facts, pgpu }) => {
  if (pgpu.framework !== 'vendor-vfio' && pgpu.framework !== 'mdev-sriov') return NOTHING
  const { gpu, smi } = facts
  const enabled = gpu.virtualFunctions.length
  const possible = gpu.sriov?.totalVfs ?? 0
  const { currentType } = pgpu
  const fits = currentType?.maxInstance ?? 0
  if (currentType === null || enabled === 0 || enabled >= possible || enabled >= fits) return NOTHING
  const lost = gpuInstancesOf(smi).length > 0 ? 'its vGPUs, types and GPU instances' : 'its vGPUs and types'
  const address = shellWord(gpu.address)
  return [
    {
      code: 'vfs-partly-enabled',
      severity: 'warning',
      sentence: `only ${enabled} of ${possible} virtual functions are enabled, so it holds ${enabled} instead of ${fits} ${currentType.shortName}`,
      detail: `${plural(enabled, 'vGPU fits', 'vGPUs fit')} on the enabled VFs. Empty the card, then run /usr/lib/nvidia/sriov-manage -d ${address} and -e ${address}, which enables all VFs and removes ${lost}: create them again in the order VFs, GPU instances, types. Find what writes ${enabled} to sriov_numvfs at boot.`,
      pgpuAddress: pgpu.address,
    },
  ]
}

export const vfsPartlyEnabled: HostDetector = {
  findings: {
    'vfs-partly-enabled': {
      title: 'Not all virtual functions are enabled',
      severities: ['warning'],
      detection: 'sysfs: fewer VFs are enabled than vGPUs of the type fit on the card.',
      consequence: 'The card holds fewer vGPUs than its type allows.',
      nextStep: 'Empty the card and enable all VFs, then create GPU instances and types again.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
