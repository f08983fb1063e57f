import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Compares the console's rules with the functions of OpenStack's own packages: docs/oracle.md. */
export default defineConfig({
  root: path('..'),
  resolve: { alias: { '@': path('..'), 'server-only': path('../lib/server/empty.ts') } },
  test: {
    name: 'oracle',
    include: ['oracle/**/*.test.ts'],
    environment: 'node',
    // 100,000 inputs of a function take half an hour.
    testTimeout: 2 * 60 * 60_000,
  },
})
