import { type NovaRange, novaAndNewer, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { type AliasProblem, readAliasProblems } from '@/lib/domain/nova-config/pci-alias'
import type { Detector, HostDetector } from './detector'

const REFUSED = 'the Nova API answers 400 to every request for a server of a flavor with an alias'
const CHECKING = novaAndNewer('aliasCheckAtStart')

type Found = { problem: AliasProblem; processes: string[] }

/** What Nova does with a refused alias, by the release; `range` null: by any. */
const effectOf = ({ problem: { kind }, processes }: Found, range: NovaRange | null): string => {
  const isChecked = rangeHas(range, 'aliasCheckAtStart')
  if (isChecked === true)
    return `${processes.join(' and ')} ${processes.length === 1 ? 'does' : 'do'} not start with this alias.`
  if (kind === 'parse')
    return isChecked === false
      ? `With this alias, ${REFUSED}. ${CHECKING} do not start.`
      : `${CHECKING} do not start with this alias. On earlier releases, ${REFUSED}.`
  return isChecked === false
    ? `This release accepts the alias and assigns any device that matches the rest of it. ${CHECKING} do not start with it.`
    : `${CHECKING} do not start with this alias.`
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
  const bySource = new Map<string, Found>()
  for (const { problem, process } of found) {
    const held = bySource.get(problem.source)
    if (held === undefined) bySource.set(problem.source, { problem, processes: [process] })
    else held.processes.push(process)
  }
  return [...bySource.values()].map((entry) => {
    const { problem, processes } = entry
    return {
      code: 'alias-invalid',
      severity: 'error',
      sentence: `Nova refuses the PCI alias ${problem.name === null ? `in ${problem.source}` : problem.name}: ${problem.because}`,
      detail: `${problem.source}, read by ${processes.join(' and ')}: ${problem.value.slice(0, 120)}. ${effectOf(entry, range)}`,
      pgpuAddress: null,
    }
  })
}

export const aliasInvalid: HostDetector = {
  findings: {
    'alias-invalid': {
      title: 'Nova refuses a PCI alias',
      severities: ['error'],
      detection:
        "nova.conf of nova-compute and Nova's API: an alias is refused by Nova's rules for the release.",
      consequence: `${CHECKING} do not start with the alias. On earlier releases, no server with a PCI alias is created.`,
      nextStep:
        'Write the alias with name, vendor_id, product_id and device_type, and with resource_class where device_spec has one.',
      source: 'nova.conf',
    },
  },
  detect,
}
