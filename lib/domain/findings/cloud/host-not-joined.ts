import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { sh } from '@/lib/util/encode/shell'
import { cloudSaid, type FleetDetector, hostSaid, makeFinding } from './detector'

/** Why a host's names do not fit together; null when they do or when nobody answered. */
const reasonFor = ({ service, hypervisor, root }: JoinedHost): string | null => {
  for (const match of [service, hypervisor, root])
    if (match.state === 'absent' || match.state === 'ambiguous') return match.because
  return root.note
}

/** A reporting host with pGPUs that is not found, or not for sure, among Nova's services and Placement's providers. */
export const hostNotJoined: FleetDetector = {
  code: 'host-not-joined',
  title: 'A host is not found in Nova or Placement',
  needs: ['services', 'hypervisors', 'providers'],
  detect: (fleet) =>
    fleet.hosts
      .filter(({ pgpus, host }) => pgpus.length > 0 && !host.isSilent)
      .flatMap((joined) => {
        const reason = reasonFor(joined)
        if (reason === null) return []
        return [
          makeFinding({
            code: 'host-not-joined',
            severity: joined.root.value === null ? 'error' : 'warning',
            subject: { kind: 'host', host: joined.host.name },
            sentence: reason,
            consequence: 'What the host says can not be held against Nova and Placement.',
            nextStep:
              "Check that nova-compute runs here, that [DEFAULT] host is the agent's name, and that the agent belongs to this cloud.",
            command: sh`openstack compute service list --service nova-compute`,
            blame: 'nova',
            evidence: [
              hostSaid(joined, 'agent', `the host calls itself ${joined.host.name}`),
              cloudSaid(fleet, joined.service.value === null ? 'services' : 'providers', reason),
            ],
          }),
        ]
      }),
}
