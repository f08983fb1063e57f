import { rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { type AliasProblem, readAliasProblems } from '@/lib/domain/nova-config/pci-alias'
import { type Detector, type HostDetector, NO_START } from './detector'

const REFUSED = 'the API answers every server of a flavor with an alias with 400'

/** What Nova does with a refused alias, by the release; `range` null: by any. */
const effectOf = ({ kind }: AliasProblem, range: Parameters<typeof rangeHas>[0]): string => {
  const isChecked = rangeHas(range, 'aliasCheckAtStart')
  if (isChecked === true) return NO_START
  if (kind === 'parse')
    return isChecked === false
      ? `With it, ${REFUSED}; Nova 31.3.1, 32.0.0 and newer do not even start.`
      : `Nova 31.3.1, 32.0.0 and newer do not start with it; before, ${REFUSED}.`
  return isChecked === false
    ? 'This release accepts it and gives servers any device that fits the rest of the alias; Nova 31.3.1, 32.0.0 and newer do not start with it.'
    : 'Nova 31.3.1, 32.0.0 and newer do not start with it.'
}

/**
 * An alias that Nova refuses, in the nova.conf of nova-compute or of Nova's API: each process checks its own, by its own
 * `[filter_scheduler] pci_in_placement` (nova/pci/request.py get_alias_from_config; bug 2111440).
 */
const detect: Detector = ({ inventory, nova, range }) => {
  const api = inventory.host.novaApi ?? null
  const found = [
    ...(nova?.aliasProblems ?? []).map((problem) => ({ problem, process: 'nova-compute' })),
    ...(api === null ? [] : readAliasProblems(api, range)).map((problem) => ({
      problem,
      process: 'nova-api',
    })),
  ]
  const bySource = new Map<string, (typeof found)[number] & { processes: string[] }>()
  for (const entry of found) {
    const held = bySource.get(entry.problem.source)
    if (held === undefined) bySource.set(entry.problem.source, { ...entry, processes: [entry.process] })
    else held.processes.push(entry.process)
  }
  return [...bySource.values()].map(({ problem, processes }) => ({
    code: 'alias-invalid',
    severity: 'error',
    sentence: `Nova refuses the PCI alias ${problem.name === null ? `in ${problem.source}` : problem.name}: ${problem.because}`,
    detail: `${problem.source}, read by ${processes.join(' and ')}: ${problem.value.slice(0, 120)}. ${effectOf(problem, range)}`,
    pgpuAddress: null,
  }))
}

export const aliasInvalid: HostDetector = {
  findings: {
    'alias-invalid': {
      title: 'Nova refuses a PCI alias',
      severities: ['error'],
      detection:
        "nova.conf of nova-compute and Nova's API: an alias is refused by Nova's rules for the release.",
      consequence:
        'Nova 31.3.1, 32.0.0 and newer do not start with it; before, no server with a PCI alias is created.',
      nextStep:
        'Write the alias with name, vendor_id, product_id and device_type, and with resource_class where device_spec has one.',
      source: 'nova.conf',
    },
  },
  detect,
}
