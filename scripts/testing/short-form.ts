/** The long form: all that `npm run test:all` runs. docs/ci.md says what the short one leaves out, and what holds that. */
export const isLong = process.env.SLICEBOARD_LONG === '1'

/**
 * Service tests that run on PostgreSQL in both forms, and take PGlite, which the browser tests use throughout, much longer:
 * in the short form they run on PostgreSQL alone. Where there is none, they run on PGlite.
 */
export const DEAR_ON_PGLITE: readonly string[] = [
  'lib/server/agent-api/{agent-run,crash,samples}.test.ts',
  'lib/services/catalog/{catalog,usual-waits}.test.ts',
  'lib/services/change/{blind,change-tools,fence,flavor-changes,generated-races,limit-changes,list-changes,orphans}.test.ts',
  'lib/services/change/{passthrough-change,passthrough-vfs,races,terms,test-boot,traits,type-change,vfio-change}.test.ts',
  'lib/services/change/{steps-control,write-config,works/drain-server}.test.ts',
  'lib/services/cloud-reading/read-cloud.test.ts',
  'lib/services/flavor/{flavors,flavors-in-trouble}.test.ts',
  'lib/services/gpu/list-gpus.test.ts',
  'lib/services/history/{append-past,write-past,write-past-events}.test.ts',
  'lib/services/host/get-host-reboot.test.ts',
  'lib/services/kept-trait/{kept-traits,keep-traits}.test.ts',
  'lib/services/migration/get-migration.test.ts',
  'lib/services/quota/quotas.test.ts',
  'lib/services/quota-driver/quota-driver.test.ts',
  'lib/services/quota-request/quota-requests.test.ts',
  'lib/services/report/{history-order,report-order}.test.ts',
  'lib/services/review/reviews.test.ts',
  'lib/services/what-if/what-if.test.ts',
]
