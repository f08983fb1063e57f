import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { couldLand } from '@/lib/domain/fit/could-land'
import type { FlavorRequest } from '@/lib/domain/fit/flavor-request'
import { servingHosts } from '@/lib/domain/fit/serving-hosts'
import { oncePer } from '@/lib/util/once-per'
import { subjectKey } from '../finding'
import { candidatesCommand } from './candidates-command'
import { cloudReports, type FlavorDetector, makeFinding } from './detector'
import { flavorClassWithoutInventory } from './flavor-class-without-inventory'
import { flavorGroupPolicyMissing } from './flavor-group-policy-missing'
import { flavorTraitSuffix } from './flavor-trait-suffix'
import { flavorTraitUnknown } from './flavor-trait-unknown'
import { flavorValueIgnored } from './flavor-value-ignored'
import { flavorValueRefused } from './flavor-value-refused'
import { flavorReports, flavorSubject } from './flavor-view'

const CODE = 'flavor-lands-nowhere'

const LINTS = [
  flavorValueIgnored,
  flavorValueRefused,
  flavorGroupPolicyMissing,
  flavorClassWithoutInventory,
  flavorTraitUnknown,
  flavorTraitSuffix,
]

/** Flavors for which another detector has a more exact finding, or cannot decide. */
const explained = oncePer(
  (fleet: Fleet): ReadonlySet<string> =>
    new Set(
      LINTS.flatMap((lint) => lint.detect(fleet)).map((entry) =>
        subjectKey('scope' in entry ? entry.scope : entry.subject),
      ),
    ),
)

/** Up to the first host that could take it. */
const askHosts = (fleet: Fleet, request: FlavorRequest): (boolean | null)[] => {
  const answers: (boolean | null)[] = []
  for (const joined of servingHosts(fleet, request, { isEmptied: true })) {
    const answer = couldLand(fleet, joined, request)
    answers.push(answer)
    if (answer === true) break
  }
  return answers
}

/** A flavor that no host could take even if it were empty: too big, or nowhere are its parts together. */
export const flavorLandsNowhere: FlavorDetector = {
  code: CODE,
  title: 'No host matches a flavor',
  reference: {
    severities: ['error'],
    sources: ['nova'],
    detection:
      'Flavors and Placement: no host could run a server of the flavor, even if the host were empty.',
    consequence: 'Every server of the flavor ends in NoValidHost.',
    nextStep:
      'Query the allocation candidates of the flavor, leaving out one option after the other. Then remove from the flavor what no host has.',
  },
  needs: ['flavors', 'providers', 'hypervisors'],
  detectFlavor: (view, fleet) => {
    const { classes, request } = view
    const subject = flavorSubject(view)
    if (classes.length === 0 || request.aliases.length > 0) return []
    if (explained(fleet).has(subjectKey(subject))) return []
    const answers = askHosts(fleet, view.request)
    if (answers.includes(true)) return []
    if (fleet.hosts.length === 0 && fleet.unseen.length === 0)
      return [{ code: CODE, scope: subject, because: 'no agent reports from this cloud' }]
    if (answers.includes(null))
      return [{ code: CODE, scope: subject, because: 'a host is not found in Placement, or not read' }]
    if (fleet.unseen.length > 0)
      return [
        {
          code: CODE,
          scope: subject,
          because: `${fleet.unseen[0]?.hypervisorHostname} has GPUs and no agent`,
        },
      ]
    return [
      makeFinding({
        code: CODE,
        severity: 'error',
        subject,
        sentence: `no host could run ${view.flavor.name}, even if it were empty`,
        consequence: 'Every server of this flavor ends in NoValidHost.',
        nextStep:
          'Query the allocation candidates with this command, leaving out one option after the other. Then remove from the flavor what no host has.',
        command: candidatesCommand(view.request),
        sourceToCorrect: 'nova',
        evidence: [
          flavorReports(fleet, view),
          cloudReports(fleet, 'providers', 'no host has all of its parts'),
        ],
      }),
    ]
  },
}
