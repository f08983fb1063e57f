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
    id: 'S1',
    title: 'Each route and page, with each caller and with forged headers',
    runs: [
      { by: 'unit', files: ['scripts/security-run/undeclared-routes.test.ts'] },
      { by: 'service', files: ['lib/services/api-description/describe-api.test.ts'] },
      {
        by: 'browser',
        files: ['e2e/access.spec.ts'],
        name: 'policy|others trust|requires one|credential that holds',
        env: { SLICEBOARD_ACCESS: 'all' },
      },
    ],
  },
  {
    id: 'S2',
    title: 'No server action, nothing made in advance, nothing stored',
    runs: [
      {
        by: 'browser',
        files: ['e2e/access.spec.ts'],
        name: 'server action|answer is stored',
        env: { SLICEBOARD_ACCESS: 'all' },
      },
    ],
  },
  {
    id: 'S3',
    title: 'Gzip bombs, bodies that do not end, and slow senders',
    runs: [
      {
        by: 'service',
        files: [
          'lib/server/agent-api/hostile-bodies.test.ts',
          'lib/server/agent-api/refused-bodies.test.ts',
          'lib/server/agent-api/report-limits.test.ts',
          'lib/server/http/read-bodies.test.ts',
          'lib/server/process/slow-bodies.test.ts',
        ],
      },
    ],
  },
  {
    id: 'S4',
    title: 'Parsers of foreign bytes, slow regular expressions',
    runs: [
      { by: 'script', script: 'test:fuzz', args: ['10'] },
      { by: 'script', script: 'test:regex' },
      { by: 'unit', files: ['lib/domain/nova-config/short-pattern.test.ts'] },
    ],
  },
  {
    id: 'S5',
    title: 'Join tokens and agents’ credentials',
    runs: [
      {
        by: 'service',
        files: [
          'lib/services/enrollment/enroll-host.test.ts',
          'lib/services/agent/agents.test.ts',
          'lib/server/agent-api/credential-store.test.ts',
          'lib/server/agent-api/gate-limits.test.ts',
          'lib/server/agent-api/revoked.test.ts',
          'lib/services/agent-command/revoked-concurrently.test.ts',
        ],
      },
    ],
  },
  {
    id: 'S6',
    title: 'Sessions',
    runs: [
      {
        by: 'service',
        files: [
          'lib/services/session/sessions.test.ts',
          'lib/services/session/session-api.test.ts',
          'lib/services/session/sign-in.test.ts',
          'lib/services/session/still-known.test.ts',
          'lib/server/session/sign-in-guard.test.ts',
        ],
      },
    ],
  },
  {
    id: 'S7',
    title: 'What a browser receives: policy with nonces, frames, TLS',
    runs: [
      {
        by: 'service',
        files: [
          'lib/server/process/allowed-host.test.ts',
          'lib/server/process/http-server.test.ts',
          'lib/server/process/prepare-request.test.ts',
          'lib/server/process/security-headers.test.ts',
        ],
      },
      {
        by: 'browser',
        files: ['e2e/access.spec.ts', 'e2e/pages.spec.ts'],
        name: 'bind a browser|pages.spec',
      },
    ],
  },
  {
    id: 'S8',
    title: 'Outbound calls',
    runs: [
      {
        by: 'unit',
        files: [
          'scripts/security-run/outbound-calls.test.ts',
          'lib/openstack/transport/create-transport.test.ts',
        ],
      },
      {
        by: 'service',
        files: [
          'lib/server/webhook/allowed-address.test.ts',
          'lib/services/webhook/start-webhook-deliveries.test.ts',
        ],
      },
    ],
  },
  { id: 'S9', title: 'One agent floods', runs: [{ by: 'script', script: 'bench:attack' }] },
  { id: 'S10', title: 'Supply chain', runs: [{ by: 'unit', files: ['scripts/supply-chain'] }] },
  { id: 'S12', title: 'Canary secrets', runs: [{ by: 'unit', files: ['scripts/canaries'] }] },
  {
    id: 'S13',
    title: 'Two worlds that a tenant cannot tell apart',
    runs: [{ by: 'service', files: ['lib/services/catalog/catalog.test.ts'] }],
  },
  {
    id: 'S14',
    title: 'Malformed paths, parameters and bodies of every operation',
    runs: [
      {
        by: 'service',
        files: ['lib/services/api-description/hostile-requests.test.ts'],
        env: { SLICEBOARD_HOSTILE_REQUESTS: '6000' },
      },
    ],
  },
]
