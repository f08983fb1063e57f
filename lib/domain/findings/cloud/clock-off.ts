import { sh } from '@/lib/util/encode/shell'
import { type FleetDetector, hostReports, makeFinding } from './detector'

/** The console saw that a host's clock is far from its own. */
export const clockOff: FleetDetector = {
  code: 'clock-off',
  title: "A host's clock is off",
  reference: {
    severities: ['warning'],
    sources: ['agent'],
    detection: "Agent and console: the time of the report differs from the console's clock.",
    consequence: 'Times in the logs and reports of the host cannot be compared with other hosts.',
    nextStep: 'Synchronize the clock of the host with NTP.',
  },
  needs: [],
  detect: (fleet) =>
    fleet.hosts.flatMap((joined) => {
      const problem = joined.host.problems.find(({ code }) => code === 'clock')
      if (problem === undefined || joined.host.isSilent) return []
      return [
        makeFinding({
          code: 'clock-off',
          severity: 'warning',
          subject: { kind: 'host', host: joined.host.name },
          sentence: `the clock of ${joined.host.name} is off`,
          consequence: 'Times in its logs and reports cannot be compared with those of other hosts.',
          nextStep: 'Synchronize the clock of the host with NTP.',
          command: sh`timedatectl set-ntp true`,
          sourceToCorrect: 'agent',
          evidence: [hostReports(joined, 'agent', problem.message)],
        }),
      ]
    }),
}
