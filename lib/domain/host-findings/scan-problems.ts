import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { type Detector, type HostDetector, UNKNOWN } from './detector'
import { gpuOfProblem } from './driver-problem'

/** What the agent could not read. Things that vanished during the scan are no trouble. */
const detect: Detector = ({ inventory, cards }) => {
  const known = new Set(cards.map(({ pgpu }) => pgpu.address))
  const problems = inventory.problems.filter(({ source }) => !known.has(gpuOfProblem(source) ?? ''))
  if (problems.length === 0) return []
  const lasting = problems.filter((problem) => problem.code !== 'vanished')
  const shown = lasting.length > 0 ? lasting : problems
  const isPermission = lasting.some((problem) => problem.code === 'permission')
  return [
    {
      code: 'scan-problems',
      severity: lasting.length > 0 ? 'warning' : 'info',
      sentence:
        lasting.length > 0
          ? `${formatNoun(lasting.length, 'item')} on the host could not be read`
          : `${formatNoun(problems.length, 'item')} disappeared during the scan`,
      detail: `${listText(shown.map((problem) => problem.source))}. Numbers that depend on them are unknown.${isPermission ? ' Run the agent as root, or give it CAP_DAC_READ_SEARCH.' : ''}`,
      pgpuAddress: null,
    },
  ]
}

export const scanProblems: HostDetector = {
  findings: {
    'scan-problems': {
      title: 'Parts of a host could not be read',
      severities: ['warning', 'info'],
      detection: 'Agent: the report lists files or commands that failed.',
      consequence: UNKNOWN,
      nextStep:
        'Allow the agent to read these paths, or configure other paths. Correct or remove files that are damaged or out of place.',
      source: 'agent',
      isRisk: true,
    },
  },
  detect,
}
