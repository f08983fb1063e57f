import { gpuInstancesOf } from '@/lib/domain/pgpu/gpu-instances'
import { cardOf } from '@/lib/domain/pgpu/model-names'
import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { publishedType } from '@/lib/domain/vgpu-type/published-types'
import { shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { type CardDetector, type HostDetector, NOTHING, onEachCard } from './detector'

type Fit = {
  shortName: string
  /** vGPUs of the type that the card fits with all its VFs. */
  fits: number
  /** Where a maximum was published that the host does not report. */
  source: string | null
}

/**
 * How many vGPUs the card fits: of its current type, or of the offered type that fits most often. A vendor-VFIO card whose VFs all
 * have a vGPU offers no type, so the driver reports no maximum of its current one.
 */
const fitOf = ({ facts, pgpu }: Card): Fit | null => {
  const { currentType } = pgpu
  if (currentType === null) {
    const offered = (facts.types ?? []).map((type): Fit => {
      const { shortName, maxInstance } = type.facts
      return { shortName, fits: maxInstance ?? 0, source: null }
    })
    const [best] = offered.toSorted((a, b) => b.fits - a.fits)
    return best === undefined || best.fits === 0 ? null : best
  }
  const { shortName, maxInstance } = currentType
  if (maxInstance !== null) return { shortName, fits: maxInstance, source: null }
  const published = publishedType(shortName, cardOf(facts))
  return published === null ? null : { shortName, fits: published.maxPerGpu, source: published.source }
}

const lossText = (enabled: number, fit: Fit | null, hasType: boolean): string => {
  if (fit === null) return `the card holds at most ${formatNoun(enabled, 'vGPU')}`
  const best = hasType ? `${enabled}` : `at most ${formatNoun(enabled, 'vGPU')}`
  return `the card holds ${best} instead of ${fit.fits} ${fit.shortName}`
}

/** Each vGPU takes one VF, so a card with fewer VFs than its type fits holds fewer vGPUs. */
const detect: CardDetector = (card) => {
  const { facts, pgpu } = card
  if (pgpu.framework !== 'vendor-vfio' && pgpu.framework !== 'mdev-sriov') return NOTHING
  const { gpu, smi } = facts
  const enabled = gpu.virtualFunctions.length
  const possible = gpu.sriov?.totalVfs ?? 0
  if (enabled === 0 || enabled >= possible) return NOTHING
  const fit = fitOf(card)
  if (fit !== null && enabled >= fit.fits) return NOTHING
  const hasType = pgpu.currentType !== null
  const lost = gpuInstancesOf(smi).length > 0 ? 'its vGPUs, types and GPU instances' : 'its vGPUs and types'
  const address = shellWord(gpu.address)
  const source =
    fit === null || fit.source === null ? '' : ` The maximum of ${fit.shortName} is published: ${fit.source}.`
  return [
    {
      code: 'vfs-partly-enabled',
      severity: hasType && fit !== null ? 'warning' : 'info',
      sentence: `only ${enabled} of ${possible} virtual functions are enabled, so ${lossText(enabled, fit, hasType)}`,
      detail: `${formatNoun(enabled, 'vGPU fits', 'vGPUs fit')} on the enabled VFs. Empty the card, then run /usr/lib/nvidia/sriov-manage -d ${address} and -e ${address}, which enables all VFs and removes ${lost}: create them again in the order VFs, GPU instances, types. Find what writes ${enabled} to sriov_numvfs at boot.${source}`,
      pgpuAddress: pgpu.address,
    },
  ]
}

export const vfsPartlyEnabled: HostDetector = {
  findings: {
    'vfs-partly-enabled': {
      title: 'Not all virtual functions are enabled',
      severities: ['warning', 'info'],
      detection:
        "sysfs: fewer VFs are enabled than the card could have, and fewer than vGPUs of the type fit on it. The maximum of a type comes from the driver, from nvidia-smi, or from NVIDIA's published tables. Without a type or a maximum it is a note.",
      consequence: 'The card holds fewer vGPUs than its type allows.',
      nextStep: 'Empty the card and enable all VFs, then create GPU instances and types again.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
