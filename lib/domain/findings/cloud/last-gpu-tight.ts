import { gpuHeadroom, mayBeTight, plainText } from '@/lib/domain/headroom/gpu-headroom'
import { shortOf } from '@/lib/domain/headroom/headroom-lines'
import { formatNoun } from '@/lib/util/format'
import { cloudReports, type Detected, hostReports, type JoinedHostDetector, makeFinding } from './detector'

const CODE = 'last-gpu-tight'

/**
 * One more ordinary server would use the CPU, memory or disk that the last GPU needs. `vgpus-stranded` reports when it
 * has happened.
 */
export const lastGpuTight: JoinedHostDetector = {
  code: CODE,
  title: 'The next server without a GPU will strand the last free GPU',
  reference: {
    severities: ['warning'],
    sources: [],
    detection:
      'Placement, Nova and sysfs: one more ordinary server would use the CPU, memory or disk that the last free GPU needs.',
    consequence: 'No server with a GPU can start on the host although a GPU is free.',
    nextStep: 'Reserve capacity for GPU servers on the page of the host.',
  },
  needs: ['providers', 'services', 'flavors', 'servers'],
  hostNeeds: ['root'],
  detect: (joined, fleet): Detected[] => {
    if (!mayBeTight(fleet, joined)) return []
    const { state, because, lines, flavors, ordinary, freeVgpus, freeCards } = gpuHeadroom(fleet, joined)
    const [best] = flavors
    if (state !== 'tight' || ordinary === null || best === undefined) return []
    const left = lines.filter(({ name }) => best.needs[name] > 0).map(({ name, free }) => `${name} ${free}`)
    const next = lines.map((line) => ({ ...line, free: line.free - ordinary.needs[line.name] }))
    return [
      makeFinding({
        code: CODE,
        severity: 'warning',
        subject: { kind: 'host', host: joined.host.name },
        sentence: because,
        consequence: `Then no server with a GPU can start here although ${formatNoun((freeVgpus.value ?? 0) + (freeCards.value ?? 0), 'GPU is', 'GPUs are')} free: there is too little ${plainText(shortOf(next, best.needs))} for ${best.name}.`,
        nextStep:
          'Reserve capacity for GPU servers. “Reserve capacity for GPU servers” on the host’s page shows the options and their cost.',
        sourceToCorrect: null,
        evidence: [
          cloudReports(fleet, 'providers', `free on the compute node: ${left.join(', ')}`),
          cloudReports(
            fleet,
            'servers',
            `${formatNoun(ordinary.count, 'server')} of ${ordinary.name} without a GPU`,
          ),
          hostReports(
            joined,
            'hardware',
            `${formatNoun(freeVgpus.value ?? 0, 'vGPU')} and ${formatNoun(freeCards.value ?? 0, 'card')} free`,
          ),
        ],
      }),
    ]
  },
}
