import { expect, test } from 'vitest'
import { findingCsv } from './finding-csv'
import { buildFinding } from './testing/build-finding'

test('one line per finding, with what is not there left empty', () => {
  const [head = '', line = '', end] = findingCsv('paris', [
    buildFinding({ sentence: 'says "12", and 32', command: '=cmd' }),
  ]).split('\r\n')
  const columns = head.split(',')
  expect(line.startsWith('paris,1,orphan-mdevs,Orphan mdevs hold pGPUs,warning,open,pgpu,')).toBe(true)
  expect(line).toContain('"says ""12"", and 32"')
  expect(line).toContain(",'=cmd,")
  expect(line.endsWith(',0,,,,')).toBe(true)
  expect(columns.slice(-3)).toEqual(['acknowledged_by', 'acknowledged_until', 'note'])
  expect(end).toBe('')
})
