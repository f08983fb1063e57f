import { isOtherParent } from '@/lib/domain/pgpu/is-gpu'
import { listText, plural } from '@/lib/domain/wording'
import type { Detector, HostDetector } from './detector'

/** mdev parents that are no GPUs, such as the crypto adapters of s390 (vfio_ap): skipped, and listed as not covered. */
const detect: Detector = ({ inventory }) => {
  const parents = inventory.gpus.filter((gpu) => isOtherParent(gpu, inventory.vgpuTypes))
  if (parents.length === 0) return []
  const names = listText(parents.map(({ address }) => address))
  return [
    {
      code: 'mdev-parent-not-gpu',
      severity: 'info',
      sentence: `${plural(parents.length, 'mdev parent is no GPU', 'mdev parents are no GPUs')}: ${names}`,
      detail: `The mdevs of ${names} are no PCI devices, so they are neither counted as vGPUs nor reported as orphaned.`,
      pgpuAddress: null,
    },
  ]
}

export const otherMdevParents: HostDetector = {
  findings: {
    'mdev-parent-not-gpu': {
      title: 'mdev parents that are no GPUs are not covered',
      severities: ['info'],
      detection: 'sysfs: a device on the mdev bus is not a GPU.',
      consequence: 'Their mdevs are listed, but in no total.',
      nextStep: 'Nothing has to be done.',
      source: 'hardware',
      isRisk: true,
    },
  },
  detect,
}
