import { NOVA_RULES, novaSince, rangeText } from '@/lib/domain/nova-config/nova-releases'
import { listText } from '@/lib/domain/wording'
import type { Detector, HostDetector } from './detector'

const ADVICE =
  ' On older releases, set device_addresses for every enabled type, or enable one type for all cards of the host.'

/** Options of `[devices]` and `[mdev_TYPE]` that the release of the cloud's Nova ignores without an error. */
const detect: Detector = ({ nova }) => {
  if (nova === null || nova.range === null) return []
  const release = rangeText(nova.range)
  return nova.ignored.map(({ typeId, options, rule, because }) => {
    const what = options.includes('type') ? `the type ${typeId}` : `${listText(options)} of ${typeId}`
    const isGraver = options.includes('type') || options.includes('device_addresses')
    return {
      code: 'mdev-options-ignored',
      severity: isGraver ? ('warning' as const) : ('info' as const),
      sentence: `${release} ignores ${what}: ${because}`,
      detail: `${novaSince(rule)} and newer: ${NOVA_RULES[rule].what} (${NOVA_RULES[rule].source}).${rule === 'typesByAddress' ? ADVICE : ''}`,
      pgpuAddress: null,
    }
  })
}

export const mdevOptionsIgnored: HostDetector = {
  findings: {
    'mdev-options-ignored': {
      title: 'This release of Nova ignores mdev options',
      severities: ['warning', 'info'],
      detection: "nova.conf and Nova's release: the release ignores an option of an mdev type.",
      consequence: 'Cards have another vGPU type, class or number of vGPUs than nova.conf suggests.',
      nextStep:
        'Set device_addresses for every enabled type, or enable one type for all cards of the host. Remove options that the release does not have.',
      source: 'nova.conf',
      isRisk: true,
    },
  },
  detect,
}
