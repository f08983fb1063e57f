import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { limitView } from '@/lib/domain/limits/limit-view'
import { formatNoun } from '@/lib/util/format'
import { cloudReports, type Detected, type FleetDetector, makeFinding } from './detector'
import { driverEvidence, limitSubject } from './limit-evidence'

const CODE = 'limit-sum-over-capacity'

/** What GPU providers offer of each class. */
const capacities = (fleet: Fleet): Map<string, number> => {
  const sums = new Map<string, number>()
  const children = [
    ...fleet.hosts.flatMap(({ pgpus }) => pgpus.flatMap(({ providers }) => providers)),
    ...fleet.unseen.flatMap(({ providers }) => providers),
  ]
  for (const { provider } of children)
    for (const [name, { capacity }] of Object.entries(provider.inventories ?? {}))
      sums.set(name, (sums.get(name) ?? 0) + capacity)
  return sums
}

/** The limits of the projects add up to more of a GPU class than Placement has. */
export const limitSumOverCapacity: FleetDetector = {
  code: CODE,
  title: 'Quotas exceed capacity',
  reference: {
    severities: ['info'],
    sources: [],
    detection:
      'Keystone and Placement: the limits of all projects exceed the capacity of a GPU resource class.',
    consequence: 'Projects within their limit can still get NoValidHost.',
    nextStep: 'Lower the limits, add pGPUs, or accept the overcommitment.',
  },
  needs: ['limits', 'providers'],
  detect: (fleet) => {
    const view = limitView(fleet)
    if (view === null) return []
    const region = view.limits.novaRegionId
    const byName = groupBy(view.limits.project ?? [], ({ resourceName }) => resourceName)
    return [...capacities(fleet)].flatMap(([name, capacity]): Detected[] => {
      const resourceName = `class:${name}`
      const subject = limitSubject(resourceName, region)
      if (view.limits.project === null)
        return [
          { code: CODE, scope: subject, because: "the service account may not read other projects' limits" },
        ]
      const rows = (byName.get(resourceName) ?? []).filter(
        (row) =>
          row.serviceId === view.limits.novaServiceId &&
          row.regionId === region &&
          row.projectId !== null &&
          row.resourceLimit > 0,
      )
      const sum = rows.reduce((total, row) => total + row.resourceLimit, 0)
      if (sum <= capacity) return []
      return [
        makeFinding({
          code: CODE,
          severity: 'info',
          subject,
          sentence: `the limits of ${formatNoun(rows.length, 'project')} on ${name} add up to ${sum}, but the capacity is ${capacity}`,
          consequence: 'Projects within their limit can still get NoValidHost.',
          nextStep: 'Lower the limits, add pGPUs, or accept the overcommitment.',
          command: null,
          sourceToCorrect: null,
          evidence: [
            cloudReports(
              fleet,
              'limits',
              `${resourceName}: ${sum} over ${formatNoun(rows.length, 'project')}`,
            ),
            cloudReports(fleet, 'providers', `${name}: ${capacity}`),
            ...driverEvidence(fleet),
          ],
        }),
      ]
    })
  },
}
