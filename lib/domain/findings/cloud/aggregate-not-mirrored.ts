import { listText } from '@/lib/domain/wording'
import { sh } from '@/lib/util/encode/shell'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

/**
 * Hosts of a Nova aggregate whose root provider lacks it in Placement: Nova mirrors it only as best it can
 * (nova/scheduler/client/report.py).
 */
export const aggregateNotMirrored: FleetDetector = {
  code: 'aggregate-not-mirrored',
  title: 'An aggregate is not mirrored to Placement',
  reference: {
    severities: ['warning'],
    sources: ['placement'],
    detection:
      'Nova and Placement: a host is in a Nova aggregate, and its root provider is not in that aggregate in Placement.',
    consequence:
      'The scheduler does not send servers for the aggregate or its availability zone to the host.',
    nextStep: 'Run nova-manage placement sync_aggregates.',
  },
  needs: ['aggregates', 'providers', 'hypervisors'],
  detect: (fleet) =>
    (fleet.input.facts.aggregates.value ?? []).flatMap((aggregate) => {
      const members = new Set(aggregate.hosts.map((host) => host.toLowerCase()))
      const missing = fleet.hosts.filter(
        ({ service, root }) =>
          members.has((service.value?.host ?? '').toLowerCase()) &&
          root.value?.aggregateUuids?.includes(aggregate.uuid) === false,
      )
      if (missing.length === 0) return []
      const names = listText(missing.map(({ host }) => host.name))
      return [
        makeFinding({
          code: 'aggregate-not-mirrored',
          severity: 'warning',
          subject: { kind: 'aggregate', name: aggregate.name },
          sentence: `${aggregate.name} contains ${names} in Nova, but not in Placement`,
          consequence:
            'The scheduler sends no servers for this aggregate or its availability zone to these hosts.',
          nextStep: 'Copy the aggregates to Placement with nova-manage.',
          command: sh`nova-manage placement sync_aggregates`,
          sourceToCorrect: 'placement',
          evidence: [
            cloudReports(fleet, 'aggregates', `${aggregate.name}: ${listText(aggregate.hosts)}`),
            cloudReports(fleet, 'providers', `${names} without ${aggregate.uuid}`),
          ],
        }),
      ]
    }),
}
