import { expect, test } from 'vitest'
import type { HostDetail } from '@/lib/schemas/api/host'
import { groupByNode } from './group-by-node'

const known = { value: 1, reason: null }
const pgpu = (address: string, numaNode: number | null): HostDetail['pgpus'][number] => ({
  address,
  numaNode,
  model: 'Tesla T4',
  framework: 'mdev',
  isMigBacked: false,
  currentType: null,
  numbers: { capacity: known, used: known, spare: known, orphan: known, returning: known, creatable: known },
  cells: [],
  findings: [],
  typeRange: null,
  stranded: null,
})

test('pGPUs are listed by node, those of an unknown node last', () => {
  const groups = groupByNode({
    pgpus: [
      pgpu('0000:f4:00.0', null),
      pgpu('0000:e7:00.0', 1),
      pgpu('0000:18:00.0', 0),
      pgpu('0000:19:00.0', 0),
    ],
    numaNodes: [{ id: 0, cpus: '0-23', memoryMib: 196_608 }],
  })
  expect(groups.map(({ id, node, pgpus }) => [id, node?.cpus ?? null, pgpus.length])).toEqual([
    [0, '0-23', 2],
    [1, null, 1],
    [null, null, 1],
  ])
})

test('a host without pGPUs has no groups', () => {
  expect(groupByNode({ pgpus: [], numaNodes: null })).toEqual([])
})
