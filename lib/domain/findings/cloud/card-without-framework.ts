import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { FindingCommand } from '@/lib/domain/findings/finding'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { hostReports, type JoinedHostDetector, makeFinding } from './detector'

type Reason = { sentence: string; nextStep: string; command: FindingCommand | null; reported: string }

const reasonFor = ({ host }: JoinedHost, pgpu: Pgpu): Reason | null => {
  const device = host.inventory.gpus.find((gpu) => gpu.address === pgpu.address)
  if (device === undefined) return null
  if (pgpu.driver === null)
    return {
      sentence: 'no driver is bound to the card',
      nextStep:
        "Install NVIDIA's vGPU host driver for this kernel, or bind the card to vfio-pci for passthrough.",
      command: sh`lspci -nnk -s ${shellWord(pgpu.address)}`,
      reported: 'driver: none',
    }
  if (pgpu.driver !== 'nvidia')
    return {
      sentence: `the card is bound to ${pgpu.driver}, which provides no vGPUs`,
      nextStep: "Bind the card to NVIDIA's vGPU host driver, or to vfio-pci for passthrough.",
      command: sh`lspci -nnk -s ${shellWord(pgpu.address)}`,
      reported: `driver: ${pgpu.driver}`,
    }
  // VFs that are off are the host's own finding.
  if ((device.sriov?.totalVfs ?? 0) > 0 && device.sriov?.enabledVfs === 0) return null
  const vfs = pgpu.virtualFunctions.length
  return {
    sentence:
      vfs > 0
        ? `the ${formatNoun(vfs, 'VF offers', 'VFs offer')} neither mdev types nor vendor VFIO`
        : 'the driver offers no vGPU types',
    nextStep: `Check that the vGPU host driver, not the guest or data center driver, is installed for the kernel ${host.inventory.host.kernel ?? ''}, and that nvidia-vgpu-vfio loads.`,
    command: sh`dmesg | grep -i vgpu`,
    reported: `driver nvidia ${host.inventory.host.nvidiaDriverVersion ?? 'of unknown version'}, kernel ${host.inventory.host.kernel ?? 'unknown'}`,
  }
}

/**
 * An NVIDIA card that supports neither vGPUs nor passthrough: its driver is missing or wrong, or this kernel has no mdev.
 */
export const cardWithoutFramework: JoinedHostDetector = {
  code: 'card-without-framework',
  title: 'An NVIDIA card is not configured for vGPU or passthrough',
  reference: {
    severities: ['warning'],
    sources: ['hardware'],
    detection: 'sysfs: an NVIDIA card offers no vGPU types and is not bound to vfio-pci.',
    consequence: 'The card cannot be used for vGPUs or passthrough.',
    nextStep: "Install NVIDIA's vGPU host driver for the running kernel, or bind the card to vfio-pci.",
  },
  needs: [],
  hostNeeds: [],
  detect: (joined) =>
    joined.pgpus
      .filter(({ pgpu }) => pgpu.framework === 'none' && pgpu.vendorId === '10de')
      .flatMap(({ pgpu }) => {
        const reason = reasonFor(joined, pgpu)
        if (reason === null) return []
        return [
          makeFinding({
            code: 'card-without-framework',
            severity: 'warning',
            subject: { kind: 'pgpu', host: joined.host.name, address: pgpu.address },
            sentence: reason.sentence,
            consequence: 'The card cannot be used.',
            nextStep: reason.nextStep,
            command: reason.command,
            sourceToCorrect: 'hardware',
            evidence: [hostReports(joined, 'hardware', reason.reported)],
          }),
        ]
      }),
}
