import { expect, test } from 'vitest'
import { columnCsv } from '@/components/table/column-csv'
import type { QuotaClass, QuotaLimit, QuotaRow } from '@/lib/schemas/api/quota'
import { QUOTA_COLUMNS, quotaLines } from './quota-columns'

const VGPU: QuotaClass = {
  resourceName: 'class:VGPU',
  isGpu: true,
  standard: { kind: 'number', value: 0, origin: 'default' },
  capacity: { value: 16, reason: null },
  advertised: 16,
  used: 4,
  sum: 12,
  unlimitedProjects: 0,
  ownCount: 1,
  over: 0,
  near: 0,
}

const rowOf = (limit: QuotaLimit, rest: Partial<QuotaRow> = {}): QuotaRow => ({
  projectId: 'f00d',
  projectName: 'vision',
  resourceName: 'class:VGPU',
  limit,
  used: { value: 4, reason: null },
  moving: { amount: 0, servers: [] },
  left: 2,
  ...rest,
})

const linesOf = (rows: QuotaRow[]): string[] =>
  columnCsv(QUOTA_COLUMNS, quotaLines({ classes: [VGPU], rows }), { cloud: 'paris', region: null })
    .trim()
    .split('\r\n')

test('the CSV has the limit with its share of the capacity, and no field for the checkbox and the bar', () => {
  expect(linesOf([rowOf({ kind: 'number', value: 6, origin: 'own' })])).toEqual([
    'cloud,region,project,project_id,resource,limit,limit_from,used,used_twice_by_moves,left,capacity,share_of_capacity_percent',
    'paris,,vision,f00d,class:VGPU,6,own,4,0,2,16,37.5',
  ])
})

test('an unlimited project is none, and what is unknown is empty', () => {
  const unknown = { left: null, used: { value: null, reason: 'not read' } }
  const [, unlimited, other] = linesOf([
    rowOf({ kind: 'unlimited', origin: 'own' }, { left: null }),
    rowOf(
      { kind: 'unknown', because: 'not read', origin: 'own' },
      { ...unknown, resourceName: 'class:VCPU' },
    ),
  ])
  expect(unlimited).toBe('paris,,vision,f00d,class:VGPU,none,own,4,0,,16,')
  expect(other).toBe('paris,,vision,f00d,class:VCPU,,own,,0,,,')
})
