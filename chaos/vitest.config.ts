import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** They take most; docs/ci.md lists what tests the same in the suite. */
const DEAR = [
  'chaos/R6-*.test.ts',
  'chaos/R7-postgres-restarts.test.ts',
  'chaos/R8-rush.test.ts',
  'chaos/R12-backup.test.ts',
]

/** Faults made on purpose (`npm run test:chaos`); those of them that take little are part of `npm test`, too. */
export default defineConfig({
  root: path('..').replace(/\/$/, ''),
  resolve: { alias: { '@': path('..'), 'server-only': path('../lib/server/empty.ts') } },
  test: {
    name: 'chaos',
    environment: 'node',
    include: ['chaos/**/*.test.ts'],
    exclude: process.env.SLICEBOARD_SHORT_FAULTS === '1' ? DEAR : [],
    globalSetup: path('../lib/server/testing/prepare-databases.ts'),
    fileParallelism: false,
    restoreMocks: true,
    testTimeout: 3_600_000,
    hookTimeout: 240_000,
  },
})
