import { isSameOrNewer } from '@/lib/domain/cloud/version'
import { type FleetDetector, hostReports, makeFinding } from './detector'

/** An agent older than the one that this console offers for installation. */
export const agentOutdated: FleetDetector = {
  code: 'agent-outdated',
  title: 'Agents are older than the console',
  reference: {
    severities: ['info'],
    sources: ['agent'],
    detection: 'Agent: its version is lower than the version of the agent that the console offers.',
    consequence: 'The agent may not report everything that this console can show.',
    nextStep: "Install the console's agent on the host.",
  },
  needs: [],
  detect: (fleet) => {
    const { currentAgentVersion } = fleet.input
    if (currentAgentVersion === null) return []
    return fleet.hosts
      .filter(({ host }) => !host.isSilent && isSameOrNewer(host.agentVersion, currentAgentVersion) === false)
      .map((joined) =>
        makeFinding({
          code: 'agent-outdated',
          severity: 'info',
          subject: { kind: 'host', host: joined.host.name },
          sentence: `the agent ${joined.host.agentVersion} is older than the console's ${currentAgentVersion}`,
          consequence: 'The agent may not report everything that this console can show.',
          nextStep: "Install the console's agent on the host.",
          command: null,
          sourceToCorrect: 'agent',
          evidence: [hostReports(joined, 'agent', `version ${joined.host.agentVersion}`)],
        }),
      )
  },
}
