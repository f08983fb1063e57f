import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What the short form leaves out; docs/ci.md lists what tests it there. */
const IN_LONG_FORM = [
  'broken-devices',
  'broken-guests',
  'managed-trait',
  'orphan-mdevs',
  'pci-in-placement',
  'renamed-host',
  'restart',
].map((name) => `lab/tests/${name}.test.ts`)

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** `npm run test:lab`: against the running lab, so no other run includes it. */
export default defineConfig({
  root: path('..').replace(/\/$/, ''),
  resolve: { alias: { '@': path('..'), 'server-only': path('../lib/server/empty.ts') } },
  test: {
    name: 'lab',
    environment: 'node',
    include: ['lab/tests/**/*.test.ts'],
    exclude: process.env.SLICEBOARD_LONG === '1' ? [] : IN_LONG_FORM,
    globalSetup: path('./tests/prepare.ts'),
    setupFiles: path('./tests/revive-lab.ts'),
    // One cloud for all: a file that breaks it on purpose repairs it before the next begins.
    fileParallelism: false,
    // Each file would import the console's services again, and compile PGlite.
    isolate: false,
    // Above the limit of each wait, so that what did not happen is reported by its name.
    testTimeout: 600_000,
    hookTimeout: 900_000,
  },
})
