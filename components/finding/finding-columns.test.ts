import { expect, test } from 'vitest'
import { columnCsv } from '@/components/table/column-csv'
import { FINDING_COLUMNS } from './finding-columns'
import { buildFinding } from './testing/build-finding'

test('one line per finding, with what is not there left empty', () => {
  const [head = '', line = '', end] = columnCsv(
    FINDING_COLUMNS,
    [buildFinding({ sentence: 'reports "12", and 32', command: '=cmd' })],
    { cloud: 'paris' },
  ).split('\r\n')
  const columns = head.split(',')
  expect(line.startsWith('paris,1,orphan-mdevs,Orphaned mdevs block pGPUs,warning,open,pgpu,')).toBe(true)
  expect(line).toContain('"reports ""12"", and 32"')
  expect(line).toContain(",'=cmd,")
  expect(line.endsWith(',0,,,,,,')).toBe(true)
  expect(columns.slice(-3)).toEqual(['acknowledged_by', 'acknowledged_until', 'note'])
  expect(end).toBe('')
})

test('the source to correct is named as on the page, and times are UTC with a Z', () => {
  const [head = '', line = ''] = columnCsv(
    FINDING_COLUMNS,
    [buildFinding({ sourceToCorrect: 'placement', openedAt: '2026-11-21T11:00:00+01:00', sentence: 's' })],
    { cloud: 'paris' },
  ).split('\r\n')
  const fieldOf = (name: string) => line.split(',')[head.split(',').indexOf(name)]
  expect(fieldOf('source_to_correct')).toBe('Placement')
  expect(fieldOf('opened_at')).toBe('2026-11-21T10:00:00.000Z')
})
