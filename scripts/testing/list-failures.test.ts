import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listFailures } from './list-failures'

const reportFile = (report: unknown): string => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'failures-')), 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('a failed test is named with its file and message, without the stack of libraries', () => {
  const file = reportFile({
    testResults: [
      {
        name: 'lib/a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'adds', status: 'passed', failureMessages: [] },
          {
            fullName: 'subtracts',
            status: 'failed',
            failureMessages: [
              'Error: 1 is not 2\n    at lib/a.test.ts:3:1\n    at node_modules/runner.js:1:1',
            ],
          },
        ],
      },
    ],
  })
  expect(listFailures(file)).toEqual([
    'lib/a.test.ts: subtracts\n    Error: 1 is not 2\n        at lib/a.test.ts:3:1',
  ])
})

test('a file that could not be loaded is named with the reason', () => {
  const file = reportFile({
    testResults: [
      { name: 'lib/b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    ],
  })
  expect(listFailures(file)).toEqual(['lib/b.test.ts\n    Cannot find module'])
})

test('a failed test of the browser is named with its screen, file, line and message, without colors', () => {
  const spec = (title: string, status: string, messages: string[]) => ({
    title,
    file: 'pages.spec.ts',
    line: 33,
    tests: [{ projectName: 'dark', status, results: [{ errors: messages.map((message) => ({ message })) }] }],
  })
  const file = reportFile({
    suites: [
      {
        specs: [spec('opens', 'expected', []), spec('turns', 'flaky', ['Too late', ''])],
        suites: [{ specs: [spec('closes', 'unexpected', ['\u001b[31mExpected\u001b[39m closed'])] }],
      },
    ],
  })
  expect(listFailures(file)).toEqual([
    '[dark] pages.spec.ts:33: turns (passed at its second try)\n    Too late',
    '[dark] pages.spec.ts:33: closes\n    Expected closed',
  ])
})

test('a report that is missing or of another runner names nothing', () => {
  expect(listFailures('/nowhere.json')).toEqual([])
  expect(listFailures(reportFile({ stats: {} }))).toEqual([])
})
