import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { sh } from '@/lib/util/encode/shell'
import { cloudReports, type FleetDetector, hostReports, makeFinding } from './detector'

/** Why a host's names do not match; null if they do or if no service answered. */
const reasonFor = ({ service, hypervisor, root }: JoinedHost): string | null => {
  for (const match of [service, hypervisor, root])
    if (match.state === 'absent' || match.state === 'ambiguous') return match.because
  return root.note
}

/** A reporting host with pGPUs that is not found, or not for sure, among Nova's services and Placement's providers. */
export const hostNotJoined: FleetDetector = {
  code: 'host-not-joined',
  title: 'A host is not found in Nova or Placement',
  reference: {
    severities: ['error', 'warning'],
    sources: ['nova'],
    detection:
      'Agent, Nova and Placement: no service, hypervisor or root provider matches the name of a host that reports pGPUs.',
    consequence: 'The reports of the host cannot be compared with Nova and Placement.',
    nextStep:
      "Check that nova-compute runs, that [DEFAULT] host is the agent's name, and that the Nova cell answers.",
  },
  needs: ['services', 'hypervisors', 'providers'],
  detect: (fleet) =>
    fleet.hosts
      .filter(({ pgpus, host }) => pgpus.length > 0 && !host.isSilent)
      .flatMap((joined) => {
        const mismatch = reasonFor(joined)
        if (mismatch === null) return []
        const isCellDown = joined.service.value?.state === 'unknown'
        const reason = isCellDown ? `${mismatch}: its Nova cell does not answer` : mismatch
        return [
          makeFinding({
            code: 'host-not-joined',
            severity: joined.root.value === null ? 'error' : 'warning',
            subject: { kind: 'host', host: joined.host.name },
            sentence: reason,
            consequence: 'The reports of this host can not be compared with Nova and Placement.',
            nextStep: isCellDown
              ? 'Check the database and the message queue of the cell. Nova leaves out the hypervisors of a cell that does not answer.'
              : "Check that nova-compute runs here, that [DEFAULT] host is the agent's name, and that the agent belongs to this cloud.",
            command: isCellDown
              ? sh`nova-manage cell_v2 list_cells`
              : sh`openstack compute service list --service nova-compute`,
            sourceToCorrect: 'nova',
            evidence: [
              hostReports(joined, 'agent', `the host calls itself ${joined.host.name}`),
              cloudReports(fleet, joined.service.value === null ? 'services' : 'providers', reason),
            ],
          }),
        ]
      }),
}
