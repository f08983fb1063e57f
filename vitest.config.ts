import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { randomSeed, SEED_VARIABLE } from './scripts/testing/property-seed.ts'
import { ALIKE_ON_POSTGRES, WITH_POSTGRES } from './scripts/testing/short-form.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

process.env[SEED_VARIABLE] ||= randomSeed()

const shared = {
  resolve: { alias: { '@': path('.'), 'server-only': path('./lib/server/empty.ts') } },
  test: {
    environment: 'node' as const,
    restoreMocks: true,
    setupFiles: path('./scripts/testing/seed-properties.ts'),
  },
}
const printSeed = path('./scripts/testing/print-seed.ts')

const SERVICE_TESTS = 'lib/{server,services}/**/*.test.{ts,tsx}'
/** Named folder by folder, because the trees of simulated hosts in hidden folders contain circular links. */
const UNIT_TESTS = '{agent,app,bench,components,lab,lib,scripts,simulator}/**/*.test.{ts,tsx}'
/** lab/tests needs a running lab and has a separate configuration. */
const NO_TESTS = ['**/node_modules/**', '**/dist/**', '**/.next/**', 'e2e/**', 'lab/tests/**']

/** Which of them run on which database: `scripts/testing/short-form.ts`; `scripts/test.ts` decides when both are run. */
const isOnPostgres = Boolean(process.env.TEST_DATABASE_URL)
const isNextToPostgres = !isOnPostgres && process.env.SLICEBOARD_WITH_POSTGRES === '1'

export default defineConfig({
  test: {
    // Vitest leaves one core to itself; of two that is half, and many service tests mostly wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'unit',
          isolate: false,
          include: [UNIT_TESTS],
          exclude: [...NO_TESTS, SERVICE_TESTS],
          globalSetup: printSeed,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'service',
          isolate: false,
          include: isNextToPostgres ? [...WITH_POSTGRES] : [SERVICE_TESTS],
          exclude: isOnPostgres ? [...NO_TESTS, ...ALIKE_ON_POSTGRES] : NO_TESTS,
          globalSetup: [path('./lib/server/testing/prepare-databases.ts'), printSeed],
          pool: 'forks',
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
