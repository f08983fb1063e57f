import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Each input writes and deletes files, which takes most of the time on a disk. */
const inMemory = existsSync('/dev/shm') ? { TMPDIR: '/dev/shm' } : {}

/** Compares the console's rules with the functions of OpenStack's own packages: docs/oracle.md. */
export default defineConfig({
  root: path('..'),
  resolve: { alias: { '@': path('..'), 'server-only': path('../lib/server/empty.ts') } },
  test: {
    name: 'oracle',
    include: ['oracle/**/*.test.ts'],
    environment: 'node',
    env: inMemory,
    // 100,000 inputs of a function take minutes.
    testTimeout: 2 * 60 * 60_000,
  },
})
