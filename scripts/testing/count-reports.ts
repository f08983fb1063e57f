import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

export type TestCounts = { passed: number; failed: number; skipped: number }

const vitestReport = z.object({ numPassedTests: z.int(), numFailedTests: z.int(), numPendingTests: z.int() })
const playwrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
})

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** Counts of one runner's own JSON report. A report that is missing or unreadable counts as one failure. */
export const countReport = (file: string): TestCounts => {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  const json = readJson(file)
  const vitest = vitestReport.safeParse(json)
  if (vitest.success) {
    const { numPassedTests, numFailedTests, numPendingTests } = vitest.data
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests }
  }
  const playwright = playwrightReport.safeParse(json)
  if (!playwright.success) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = playwright.data.stats
  // A second try that passed counts, and listFailures names the test with what its first try met.
  return { passed: expected + flaky, failed: unexpected, skipped }
}
