import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { closingLine, sumCounts } from './close-run'

const filesOf = (texts: string[]): string[] => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-counts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return texts.map((text, index) => {
    const file = path.join(folder, `${index}.json`)
    writeFileSync(file, text)
    return file
  })
}

it('names what was skipped only where something was', () => {
  expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(closingLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
})

it('sums the runs, and takes one that left no counts for a failure', () => {
  const files = filesOf(['{"passed":5,"failed":0,"skipped":1}', '{"passed":2,"failed":1,"skipped":0}'])
  expect(sumCounts(files)).toEqual({ passed: 7, failed: 1, skipped: 1 })
  expect(sumCounts([...files, '/nowhere/counts.json'])).toEqual({ passed: 7, failed: 2, skipped: 1 })
  expect(sumCounts(filesOf(['{"passed":5']))).toEqual({ passed: 0, failed: 1, skipped: 0 })
})
