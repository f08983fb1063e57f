import { type CardDetector, type HostDetector, NOTHING, onEachCard } from './detector'

/** A card for passthrough without an IOMMU group: the kernel has no IOMMU, so vfio-pci cannot hand the card to a guest. */
const detect: CardDetector = ({ pgpu, facts }, { inventory }) =>
  pgpu.framework !== 'passthrough' ||
  !facts.units.includes(pgpu.address) ||
  pgpu.iommuGroup !== null ||
  // The group exists and could not be read.
  inventory.problems.some(({ source }) => source.endsWith(`/${pgpu.address}/iommu_group`))
    ? NOTHING
    : [
        {
          code: 'iommu-off',
          severity: 'error',
          sentence: 'the card is configured for passthrough, but has no IOMMU group',
          detail: `/sys/bus/pci/devices/${pgpu.address} has no iommu_group, so the IOMMU is off and vfio-pci cannot assign the card to a guest. Enable VT-d or AMD-Vi in the firmware, add intel_iommu=on to the kernel command line on Intel hosts, and reboot.`,
          pgpuAddress: pgpu.address,
        },
      ]

export const iommuOff: HostDetector = {
  findings: {
    'iommu-off': {
      title: 'A passthrough GPU has no IOMMU group',
      severities: ['error'],
      detection: 'sysfs: a pGPU for passthrough has no iommu_group.',
      consequence: 'Servers that are scheduled to the GPU fail to start.',
      nextStep: 'Enable the IOMMU in the firmware and on the kernel command line, then reboot the host.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
