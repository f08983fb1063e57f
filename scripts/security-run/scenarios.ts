/** A set of test files and who runs it; `name` runs those tests only whose title matches it. */
export type SecurityRun = {
  by: 'unit' | 'service' | 'browser'
  files: string[]
  name?: string
  /** What makes a short test long; CI runs it without. */
  env?: Record<string, string>
}

export type SecurityScenario = { id: string; title: string; runs: SecurityRun[] }

/** What `npm run test:security` attacks, in the order of docs/security.md. CI runs the same files within its own suites. */
export const SECURITY_SCENARIOS: SecurityScenario[] = [
  {
    id: 'S5',
    title: 'Join tokens and agents’ credentials',
    runs: [
      {
        by: 'service',
        files: ['lib/services/enrolment/enroll-host.test.ts', 'lib/services/agent/agents.test.ts'],
      },
    ],
  },
  {
    id: 'S6',
    title: 'Sessions',
    runs: [
      {
        by: 'service',
        files: ['lib/services/session/sessions.test.ts', 'lib/services/session/session-api.test.ts'],
      },
    ],
  },
]
