import { type DescribedNovaOption, describeNovaOptions } from '@/lib/domain/nova-config/describe-options'
import { listText } from '@/lib/domain/wording'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Detector, HostDetector } from './detector'

/** An API on the host of nova-compute may read the same file. */
const linesOf = ({ novaConfig, host }: Inventory): DescribedNovaOption[] => {
  const lines = [novaConfig, host.novaApi ?? null].flatMap((config) =>
    config === null ? [] : describeNovaOptions(config),
  )
  const lineNames = lines.map(({ file, line }) => `${file}:${line}`)
  return lines.filter((_, at) => lineNames.indexOf(lineNames[at] ?? '') === at)
}

/** Options under names that Nova has replaced; they still count. */
const detect: Detector = ({ inventory }) => {
  const old = linesOf(inventory).filter((option) => option.presentName !== null)
  if (old.length === 0) return []
  const items = old.map(
    (option) => `${option.file}:${option.line} ${option.name} is now ${option.presentName}`,
  )
  return [
    {
      code: 'old-option-names',
      severity: 'info',
      sentence: `nova.conf uses deprecated option names: ${listText([...new Set(old.map((option) => option.name))])}`,
      detail: `${listText(items)}. Rename them before a release removes the old names. In the same file, a line with the current name takes precedence.`,
      pgpuAddress: null,
    },
  ]
}

export const oldOptionNames: HostDetector = {
  findings: {
    'old-option-names': {
      title: 'nova.conf uses deprecated option names',
      severities: ['info'],
      detection: 'nova.conf: options are set under deprecated names.',
      consequence: 'A later release may drop the old names.',
      nextStep: 'Rename the options.',
      source: 'nova.conf',
      isRisk: true,
    },
  },
  detect,
}
