import { sh } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { type FleetDetector, hostReports, makeFinding } from './detector'

/** Hosts whose agents do not report: their last known numbers stay in the totals, and no other detector judges them. */
export const hostSilent: FleetDetector = {
  code: 'host-silent',
  title: 'A host is silent',
  reference: {
    severities: ['warning'],
    sources: ['agent'],
    detection: 'Agent: the last report and heartbeat of the host are too old.',
    consequence: 'Totals include the last reported numbers of the host, which may be outdated.',
    nextStep: 'Check that the host runs and that its agent reaches the console.',
  },
  needs: [],
  detect: (fleet) =>
    fleet.hosts
      .filter(({ host }) => host.isSilent)
      .map((joined) =>
        makeFinding({
          code: 'host-silent',
          severity: 'warning',
          subject: { kind: 'host', host: joined.host.name },
          sentence: `${joined.host.name} has been silent since ${joined.host.seenAt}`,
          consequence: `Totals include the last known numbers of its ${formatNoun(joined.pgpus.length, 'pGPU')}, which may be outdated.`,
          nextStep: 'Look whether the host runs and its agent reaches the console.',
          command: sh`systemctl status sliceboard-agent`,
          sourceToCorrect: 'agent',
          evidence: [
            hostReports(joined, 'agent', 'last report or heartbeat'),
            {
              source: 'nova',
              reported:
                joined.service.value === null
                  ? joined.service.because
                  : `nova-compute is ${joined.service.value.state}`,
              at: fleet.input.facts.services.at,
            },
          ],
        }),
      ),
}
