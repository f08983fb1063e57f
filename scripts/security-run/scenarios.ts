/** A set of test files and who runs it; `name` runs those tests only whose title matches it. */
export type TestRun = {
  by: 'unit' | 'service' | 'browser'
  files: string[]
  name?: string
  /** What makes a short test long; CI runs it without. */
  env?: Record<string, string>
}

/** A script of package.json with its arguments, for what is no test: it measures, or takes minutes. */
type ScriptRun = { by: 'script'; script: string; args?: string[] }

export type SecurityRun = TestRun | ScriptRun

export type SecurityScenario = { id: string; title: string; runs: SecurityRun[] }

/** What `npm run test:security` attacks, in the order of docs/security.md. CI runs the same files within its own suites. */
export const SECURITY_SCENARIOS: SecurityScenario[] = [
  {
    id: 'S3',
    title: 'Gzip bombs and bodies that do not end',
    runs: [
      {
        by: 'service',
        files: ['lib/server/agent-api/hostile-bodies.test.ts', 'lib/server/agent-api/report-limits.test.ts'],
      },
    ],
  },
  {
    id: 'S4',
    title: 'Parsers of foreign bytes, slow regular expressions',
    runs: [
      { by: 'script', script: 'test:fuzz', args: ['10'] },
      { by: 'script', script: 'test:regex' },
    ],
  },
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
  { id: 'S9', title: 'One agent floods', runs: [{ by: 'script', script: 'bench:attack' }] },
  { id: 'S10', title: 'Supply chain', runs: [{ by: 'unit', files: ['scripts/supply-chain'] }] },
  { id: 'S12', title: 'Canary secrets', runs: [{ by: 'unit', files: ['scripts/canaries'] }] },
]
