import type { ComputeService } from '@/lib/domain/cloud/types'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'network-agent-missing'
const CONSEQUENCE =
  'Nova binds ports to the name of nova-compute. Without an L2 agent of that name, port binding fails and servers end in ERROR.'
const NEXT_STEP =
  'Set host in [DEFAULT] of neutron.conf of the L2 agent to the same name as in nova.conf, or remove the option from nova.conf before servers exist on the host.'

const findingFor = ({ host, networkAgent }: ComputeService) => {
  if (networkAgent === undefined || networkAgent.isPresent === true) return null
  const command = sh`openstack network agent list --host ${shellWord(host)}`
  return networkAgent.isPresent === null
    ? {
        severity: 'info' as const,
        sentence: `cannot verify that Neutron has an L2 agent for ${host}`,
        nextStep: `${networkAgent.because.replace(/\.?$/, '.')} Check with this command as an admin.`,
        command,
        reported: `not verified: ${networkAgent.because}`,
      }
    : {
        severity: 'error' as const,
        sentence: `Neutron has no L2 agent for ${host}, the name of nova-compute`,
        nextStep: NEXT_STEP,
        command,
        reported: `GET /v2.0/agents?host=${host}: no L2 agent`,
      }
}

/** A nova-compute under another name than its host, for which Neutron has no agent: ports of its servers cannot be bound. */
export const networkAgentMissing: FleetDetector = {
  code: CODE,
  title: 'A nova-compute has no Neutron L2 agent',
  reference: {
    severities: ['error', 'info'],
    sources: ['nova.conf'],
    detection:
      'Nova and Neutron: the host of a nova-compute with GPUs differs from the name of its hypervisor, and Neutron lists no L2 agent of that name. OVN hosts have an OVN Controller agent.',
    consequence: CONSEQUENCE,
    nextStep: NEXT_STEP,
  },
  needs: ['services'],
  detect: (fleet) =>
    (fleet.input.facts.services.value ?? []).flatMap((service) => {
      const found = findingFor(service)
      if (found === null) return []
      const { reported, ...rest } = found
      const joined = fleet.hosts.find((one) => one.service.value?.host === service.host)
      return [
        makeFinding({
          code: CODE,
          subject: { kind: 'host', host: joined?.host.name ?? service.host },
          consequence: CONSEQUENCE,
          blame: rest.severity === 'error' ? 'nova.conf' : null,
          evidence: [cloudReports(fleet, 'services', reported)],
          ...rest,
        }),
      ]
    }),
}
