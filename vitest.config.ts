import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { DEAR_ON_PGLITE } from './scripts/testing/short-form.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const shared = {
  resolve: { alias: { '@': path('.'), 'server-only': path('./lib/server/empty.ts') } },
  test: { environment: 'node' as const, restoreMocks: true },
}

const SERVICE_TESTS = 'lib/{server,services}/**/*.test.{ts,tsx}'
/** Named folder by folder: trees of simulated hosts in the hidden ones are full of links that lead in circles. */
const UNIT_TESTS = '{agent,app,bench,components,lab,lib,scripts,simulator}/**/*.test.{ts,tsx}'
/**
 * Service tests that need no database, or open PGlite by name: with PostgreSQL they would show once more what they show
 * without it.
 */
const ALIKE_ON_POSTGRES = [
  'lib/server/background/database-upkeep.test.ts',
  'lib/server/database/{apply-migrations,durability,lock-data-directory,pglite-template,read-replica}.test.ts',
  'lib/server/process/*.test.ts',
  'lib/services/fleet/{encode-fleet,json-bytes}.test.ts',
  'lib/services/report/{clock-problem,group-queue,inventory-reader}.test.ts',
]
/** lab/tests needs a running lab and has a configuration of its own. */
const NO_TESTS = ['**/node_modules/**', '**/dist/**', '**/.next/**', 'e2e/**', 'lab/tests/**']

/** `scripts/test.ts` says when the whole of them runs on PostgreSQL, too. */
const serviceExclude = (): string[] => {
  if (process.env.TEST_DATABASE_URL) return [...NO_TESTS, ...ALIKE_ON_POSTGRES]
  return process.env.SLICEBOARD_BESIDE_POSTGRES === '1' ? [...NO_TESTS, ...DEAR_ON_PGLITE] : NO_TESTS
}

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
          include: [SERVICE_TESTS],
          exclude: serviceExclude(),
          globalSetup: path('./lib/server/testing/prepare-databases.ts'),
          pool: 'forks',
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
