/** The long form: all that `npm run test:all` runs. docs/ci.md lists what the short one leaves out, and what tests that. */
export const isLong = process.env.SLICEBOARD_LONG === '1'

const filesOf = (folders: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(folders).flatMap(([folder, names]) => names.map((name) => `lib/${folder}/${name}.test.ts`))

/**
 * Service tests that need no database, or open PGlite by name: with PostgreSQL they would show once more what they show
 * without it, so in both forms they run in PGlite's run alone.
 */
export const ALIKE_ON_POSTGRES: readonly string[] = filesOf({
  'server/background': ['database-upkeep'],
  'server/database': [
    'apply-migrations',
    'durability',
    'history-by-number',
    'lock-data-directory',
    'pglite-template',
    'read-replica',
  ],
  'server/agent-api': ['agent-api', 'credential-store', 'real-systemd', 'render-install-script'],
  'server/http': ['check-same-origin', 'no-store', 'read-bodies'],
  'server/process': [
    'allowed-host',
    'client-address',
    'http-server',
    'open-accounts',
    'prepare-request',
    'run-server',
    'security-headers',
    'slow-bodies',
  ],
  services: ['hostile-encoders'],
  'services/fleet': ['encode-fleet'],
  'services/host': ['remove-host-command'],
  'services/report': ['follow-watch', 'group-queue', 'host-changes', 'report-clock'],
})

/**
 * Service tests that run on both databases in the short form: each service's main file, what a database may answer in another
 * way, and the history's own. A file that is not named runs there on PostgreSQL alone, which takes about half of what PGlite
 * takes. The long form runs every file on both, and where there is no PostgreSQL all run on PGlite.
 */
export const ON_PGLITE_TOO: readonly string[] = filesOf({
  'server/agent-api': ['heartbeats', 'older-agents', 'reports'],
  'server/audit': ['audit'],
  'server/background': ['lease'],
  'server/database': ['database'],
  'server/errors': ['to-service-error'],
  'server/front-api': ['fleet-api'],
  services: ['hostile-strings'],
  'services/agent': ['agents'],
  'services/api-alias': ['api-aliases'],
  'services/api-token': ['api-tokens'],
  'services/audit': ['audit'],
  'services/capacity': ['capacity-series'],
  'services/cloud': ['list-clouds'],
  'services/cloud-reading': ['store-round'],
  'services/demand': ['refused-demand'],
  'services/enrollment': ['enroll-host'],
  'services/finding': ['findings'],
  'services/fleet': ['fleet-snapshot', 'get-freshness', 'ingested-fleet'],
  'services/forecast': ['forecast'],
  'services/gpu': ['get-gpu'],
  'services/history': ['drop-unused-numbers', 'keep-partitions'],
  'services/host': ['get-host', 'list-hosts', 'merge-host', 'remove-hosts'],
  'services/join-token': ['join-tokens'],
  'services/metrics': ['get-metrics'],
  'services/overview': ['get-overview'],
  'services/price': ['prices'],
  'services/report': ['commit-group', 'history', 'report-ingest'],
  'services/review': ['load-usage'],
  'services/roll-up': ['roll-up', 'start-roll-ups'],
  'services/scenario': ['scenarios'],
  'services/search': ['search-fleet'],
  'services/session': ['sessions', 'sign-in'],
  'services/utilization': ['fold-samples', 'get-utilization', 'roll-up-groups'],
  'services/webhook': ['events', 'start-webhook-deliveries', 'webhooks'],
})

/** The service tests of PGlite's run when the same run has all others on PostgreSQL. */
export const WITH_POSTGRES: readonly string[] = [...ALIKE_ON_POSTGRES, ...ON_PGLITE_TOO]
