import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { TestCounts } from './count-reports'

const countsSchema = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() })

/** `N passed, N failed`, and `, N skipped` where some were. */
export const closingLine = ({ passed, failed, skipped }: TestCounts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/**
 * Ends a run: the closing line for a person, or with TEST_COUNTS_FILE the counts in that file, for a caller that sums several
 * runs into one line. The exit status is 0 when all passed.
 */
export const closeRun = (counts: TestCounts): void => {
  const file = process.env.TEST_COUNTS_FILE
  if (file) writeFileSync(file, JSON.stringify(counts))
  else process.stdout.write(`${closingLine(counts)}\n`)
  process.exitCode = counts.failed === 0 ? 0 : 1
}

/** All runs together. A file that is missing or unreadable counts as a failed run: one failure. */
export const sumCounts = (files: readonly string[]): TestCounts => {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const file of files) {
    const counts = readCounts(file)
    sum.passed += counts.passed
    sum.failed += counts.failed
    sum.skipped += counts.skipped
  }
  return sum
}

const BROKEN_OFF: TestCounts = { passed: 0, failed: 1, skipped: 0 }

const readCounts = (file: string): TestCounts => {
  if (!existsSync(file)) return BROKEN_OFF
  try {
    return countsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return BROKEN_OFF
  }
}
