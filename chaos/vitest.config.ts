import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** The faults that only `npm run test:chaos` makes: they mount disks, kill servers and take their time. */
export default defineConfig({
  root: path('..').replace(/\/$/, ''),
  resolve: { alias: { '@': path('..'), 'server-only': path('../lib/server/empty.ts') } },
  test: {
    name: 'chaos',
    environment: 'node',
    include: ['chaos/**/*.test.ts'],
    globalSetup: path('../lib/server/testing/prepare-databases.ts'),
    fileParallelism: false,
    restoreMocks: true,
    testTimeout: 3_600_000,
    hookTimeout: 240_000,
  },
})
