import type { NetworkAgentCheck } from '@/lib/domain/cloud/types'
import { listText } from '@/lib/domain/wording'
import { sh, shellOption } from '@/lib/util/encode/shell'
import type { Finding } from '../finding'
import { cloudReports, type FleetDetector, makeFinding } from './detector'

const CODE = 'network-agent-missing'
const CONSEQUENCE =
  'Nova binds ports to the name of nova-compute. Without a live L2 agent of that name, port binding fails and new servers end in ERROR.'
const NEXT_STEP =
  'Set host in [DEFAULT] of neutron.conf of the L2 agent to the same name as in nova.conf, or remove the option from nova.conf before servers exist on the host.'
const START_AGENT =
  'Start the L2 agent on the host and read its log. Neutron does not bind ports to a dead agent.'

type Problem = Pick<Finding, 'severity' | 'sentence' | 'nextStep' | 'sourceToCorrect'> & { reported: string }

const problemOf = (check: NetworkAgentCheck): Problem | null => {
  const { host } = check
  if (check.state === 'alive') return null
  if (check.state === 'missing')
    return {
      severity: 'error',
      sentence: `Neutron has no L2 agent for ${host}, the name of nova-compute`,
      nextStep: NEXT_STEP,
      sourceToCorrect: 'nova.conf',
      reported: `GET /v2.0/agents: no L2 agent of ${host}`,
    }
  if (check.state === 'dead')
    return {
      severity: 'error',
      sentence: `the L2 agent of ${host} is dead`,
      nextStep: START_AGENT,
      sourceToCorrect: 'neutron',
      reported: `GET /v2.0/agents: ${listText(check.agentTypes)} of ${host}, alive is false`,
    }
  return {
    severity: 'info',
    sentence: `cannot verify that Neutron has an L2 agent for ${host}`,
    nextStep: `${check.because} Check with this command as an admin.`,
    sourceToCorrect: null,
    reported: `not verified: ${check.because}`,
  }
}

/** A nova-compute under another name than its host, to which Neutron cannot bind ports: it has no live L2 agent of that name. */
export const networkAgentMissing: FleetDetector = {
  code: CODE,
  title: 'A nova-compute has no Neutron L2 agent',
  reference: {
    severities: ['error', 'info'],
    sources: ['nova.conf', 'neutron'],
    detection:
      'Nova and Neutron: the host of a nova-compute with GPUs differs from the name of its hypervisor, and Neutron lists no live L2 agent of that name. OVN hosts have an OVN Controller agent. If Neutron lists no agents to the service account, the severity is info.',
    consequence: CONSEQUENCE,
    nextStep: `${NEXT_STEP} If the agent is dead, start it.`,
  },
  needs: ['networkAgents'],
  detect: (fleet) => {
    const names = new Map(fleet.hosts.map(({ service, host }) => [service.value?.host, host.name]))
    return (fleet.input.facts.networkAgents.value ?? []).flatMap((check) => {
      const problem = problemOf(check)
      if (problem === null) return []
      const { reported, ...rest } = problem
      return [
        makeFinding({
          code: CODE,
          subject: { kind: 'host', host: names.get(check.host) ?? check.host },
          consequence: CONSEQUENCE,
          command: sh`openstack network agent list ${shellOption(sh`--host`, check.host)}`,
          evidence: [cloudReports(fleet, 'networkAgents', reported)],
          ...rest,
        }),
      ]
    })
  },
}
