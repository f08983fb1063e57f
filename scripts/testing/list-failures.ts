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

const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.int(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      status: z.string(),
      results: z.array(z.object({ errors: z.array(z.object({ message: z.string().optional() })) })),
    }),
  ),
})

/** Suites of Playwright's report hold specs and further suites. */
const playwrightSuite = z.object({
  specs: z.array(playwrightSpec),
  get suites() {
    return z.array(playwrightSuite).optional()
  },
})

type PlaywrightSuite = z.infer<typeof playwrightSuite>

const playwrightReport = z.object({ suites: z.array(playwrightSuite) })

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colors of Playwright's messages are control characters
const COLOURS = /\u001b\[[\d;]*m/g

/** The start of a failure's text, without what libraries add to its stack. */
const headOf = (message: string): string =>
  message
    .replaceAll(COLOURS, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, LINES)
    .map((line) => `    ${line.slice(0, WIDTH)}`)
    .join('\n')

const failuresOfSuite = ({ specs, suites = [] }: PlaywrightSuite): string[] => [
  ...specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, status, results }) => {
        const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message ?? ''))
        const tries = status === 'flaky' ? ' (passed at its second try)' : ''
        return `[${projectName}] ${file}:${line}: ${title}${tries}\n${headOf(messages.join('\n'))}`
      }),
  ),
  ...suites.flatMap(failuresOfSuite),
]

/**
 * What failed in a run of Vitest or Playwright, each test with the head of its message, and what passed at a second try
 * only: the end of a long log still shows it.
 */
export const listFailures = (file: string): string[] => {
  if (!existsSync(file)) return []
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const browser = playwrightReport.safeParse(json)
  if (browser.success) return browser.data.suites.flatMap(failuresOfSuite)
  const report = vitestReport.safeParse(json)
  if (!report.success) return []
  return report.data.testResults.flatMap(({ name, message, status, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${name}\n${headOf(message ?? '')}`]
    return failed.map(
      ({ fullName, failureMessages }) => `${name}: ${fullName}\n${headOf(failureMessages?.join('\n') ?? '')}`,
    )
  })
}
