import type { Flavor } from '@/lib/domain/cloud/types'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { listText } from '@/lib/domain/wording'
import { sh } from '@/lib/util/encode/shell'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'flavor-needs-filter'

/** Source: nova/virt/hardware.py numa_get_constraints. */
const hasNumaTopology = ({ extraSpecs }: Flavor): boolean =>
  ['dedicated', 'mixed'].includes(extraSpecs['hw:cpu_policy'] ?? '') ||
  ['hw:numa_nodes', 'hw:mem_page_size', 'hw:pmem'].some((key) => extraSpecs[key] !== undefined) ||
  Object.keys(extraSpecs).some((key) => /^resources([1-9]\d*)?:PCPU/.test(key))

/** Neither filter is enabled by default (nova/conf/scheduler.py enabled_filters). */
const FILTERS: readonly { name: string; isNeeded: (flavor: Flavor) => boolean }[] = [
  {
    name: 'PciPassthroughFilter',
    isNeeded: ({ extraSpecs }) => extraSpecs['pci_passthrough:alias'] !== undefined,
  },
  {
    name: 'NUMATopologyFilter',
    isNeeded: (flavor) =>
      ['required', 'socket'].includes(flavor.extraSpecs['hw:pci_numa_affinity_policy'] ?? '') ||
      hasNumaTopology(flavor),
  },
]

/** Flavors for GPUs whose placement depends on a scheduler filter: no API exposes which filters are enabled. */
export const flavorNeedsFilter: FleetDetector = {
  code: CODE,
  title: 'A flavor needs a scheduler filter',
  reference: {
    severities: ['info'],
    sources: [],
    detection: 'Flavors: an enabled flavor for GPUs needs a scheduler filter that is not enabled by default.',
    consequence:
      'Without the filter, the scheduler selects hosts that have no matching device, and servers fail or lose NUMA affinity.',
    nextStep:
      'No API exposes the filters. Check enabled_filters in nova.conf on the hosts of nova-scheduler.',
  },
  needs: ['flavors'],
  detect: (fleet) => {
    const flavors = gpuFlavors(fleet)
      .filter(({ classes, request }) => classes.length > 0 || request.aliases.length > 0)
      .map(({ flavor }) => flavor)
    const needed = FILTERS.flatMap(({ name, isNeeded }) => {
      const names = flavors.filter(isNeeded).map((flavor) => flavor.name)
      return names.length === 0 ? [] : [`${name} (for ${listText(names)})`]
    })
    if (needed.length === 0) return []
    return [
      makeFinding({
        code: CODE,
        severity: 'info',
        subject: { kind: 'cloud' },
        sentence: `cannot verify that the scheduler enables ${needed.join(' and ')}`,
        consequence:
          'Without the filter the scheduler selects hosts that have no matching device free, and servers fail or lose NUMA affinity.',
        nextStep: 'No API exposes the filters. Check with this command on the hosts of nova-scheduler.',
        command: sh`grep -A9 '^enabled_filters' /etc/nova/nova.conf`,
        sourceToCorrect: null,
        evidence: [cloudReports(fleet, 'flavors', needed.join('; '))],
      }),
    ]
  },
}
