/** The long form: all that `npm run test:all` runs. docs/ci.md says what the short one leaves out, and what holds that. */
export const isLong = process.env.SLICEBOARD_LONG === '1'

/**
 * Service tests that run on PostgreSQL in both forms, and take PGlite, which the browser tests use throughout, much longer:
 * in the short form they run on PostgreSQL alone. Where there is none, they run on PGlite.
 */
export const DEAR_ON_PGLITE: readonly string[] = [
  'lib/server/agent-api/{agent-run,crash,samples}.test.ts',
  'lib/services/catalog/{catalog,usual-waits}.test.ts',
  'lib/services/change/{fence,flavor-changes,generated-races,limit-changes,orphans,passthrough-vfs,races,steps-control,terms,test-boot,type-change,vfio-change}.test.ts',
  'lib/services/cloud-reading/read-cloud.test.ts',
  'lib/services/flavor/{flavors,flavors-in-trouble}.test.ts',
  'lib/services/history/write-past.test.ts',
  'lib/services/kept-trait/{kept-traits,keep-traits}.test.ts',
  'lib/services/migration/get-migration.test.ts',
  'lib/services/quota/quotas.test.ts',
  'lib/services/quota-driver/quota-driver.test.ts',
  'lib/services/quota-request/quota-requests.test.ts',
  'lib/services/report/{history-order,report-order}.test.ts',
  'lib/services/what-if/what-if.test.ts',
]
