import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { countReport } from './count-reports'

const reportFile = (content: string): string => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'counts-')), 'report.json')
  writeFileSync(file, content)
  return file
}

describe('countReport', () => {
  it('reads a vitest report', () => {
    const file = reportFile(JSON.stringify({ numPassedTests: 7, numFailedTests: 1, numPendingTests: 2 }))
    expect(countReport(file)).toEqual({ passed: 7, failed: 1, skipped: 2 })
  })

  it('counts a browser test by its last try', () => {
    const file = reportFile(JSON.stringify({ stats: { expected: 4, unexpected: 1, flaky: 2, skipped: 0 } }))
    expect(countReport(file)).toEqual({ passed: 6, failed: 1, skipped: 0 })
  })

  it('counts a missing report and one of another shape as a failure', () => {
    expect(countReport('/nonexistent/report.json').failed).toBe(1)
    expect(countReport(reportFile('{}')).failed).toBe(1)
  })
})
