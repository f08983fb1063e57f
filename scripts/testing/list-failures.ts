import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const LINES = 12
const WIDTH = 300

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

/** The start of a failure's text, without what libraries add to its stack. */
const headOf = (message: string): string =>
  message
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, LINES)
    .map((line) => `    ${line.slice(0, WIDTH)}`)
    .join('\n')

/**
 * What failed in a run of Vitest, each test with the head of its message: whoever sees only the end of a long log still
 * learns it. Playwright says so itself.
 */
export const listFailures = (file: string): string[] => {
  if (!existsSync(file)) return []
  const report = vitestReport.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!report.success) return []
  return report.data.testResults.flatMap(({ name, message, status, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${name}\n${headOf(message ?? '')}`]
    return failed.map(
      ({ fullName, failureMessages }) => `${name}: ${fullName}\n${headOf(failureMessages?.join('\n') ?? '')}`,
    )
  })
}
