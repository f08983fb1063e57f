import type { WaitingEnrollment } from '@/lib/domain/cloud/fleet-types'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { sh } from '@/lib/util/encode/shell'
import { type FleetDetector, makeFinding } from './detector'

const SENTENCES: Readonly<Record<WaitingEnrollment['reason'], (host: string) => string>> = {
  'live-credential': (host) => `A join token that is not bound to ${host} was used to replace its credential`,
  'removed-host': (host) => `${host} was removed and requests to enroll again`,
}

const CONSEQUENCES: Readonly<Record<WaitingEnrollment['reason'], string>> = {
  'live-credential':
    'The current credential stays valid. If the host was reinstalled, its new agent cannot report until an admin approves the request. If not, someone with a join token tries to report as this host.',
  'removed-host': 'The host stays out of the fleet until an admin approves the request.',
}

/** Enrollments that wait for an admin; one finding per host. */
export const enrollmentWaiting: FleetDetector = {
  code: 'enrollment-waiting',
  title: 'An enrollment is waiting for approval',
  reference: {
    severities: ['warning'],
    sources: [],
    detection: 'Console: an enrollment request waits for an admin.',
    consequence: 'The new agent cannot report until an admin approves the request.',
    nextStep:
      'Compare the code of the request with the log of the agent, then approve or decline it in Settings, Agents.',
  },
  needs: [],
  detect: ({ input: { waitingEnrollments = [] } }) =>
    [...groupBy(waitingEnrollments, ({ host }) => host)].flatMap(([host, requests]) => {
      const [first] = requests
      if (first === undefined) return []
      return [
        makeFinding({
          code: 'enrollment-waiting',
          severity: 'warning',
          subject: { kind: 'host', host },
          sentence: SENTENCES[first.reason](host),
          consequence: CONSEQUENCES[first.reason],
          nextStep:
            'Open Settings, Agents. Compare the code of each request with the log of the agent on the host, then approve or decline it.',
          command: sh`journalctl -u sliceboard-agent -n 20`,
          sourceToCorrect: null,
          evidence: requests.map(({ code, address, joinTokenLabel, lastAt }) => ({
            source: 'agent',
            reported: `request ${code} from ${address} with the join token "${joinTokenLabel}"`,
            at: lastAt,
          })),
        }),
      ]
    }),
}
