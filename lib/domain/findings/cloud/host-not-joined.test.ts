import { expect, it } from 'vitest'
import { editList, findOne, gapsOf, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'

const CODE = 'host-not-joined'

it('a host that Nova and Placement do not know', () => {
  const nowhere = ['services', 'hypervisors', 'providers'] as const
  const input = nowhere.reduce((cloud, part) => editList(cloud, part, () => null), t4Cloud())
  expect(findOne(input, CODE)).toMatchObject({
    severity: 'error',
    sentence: 'no nova-compute service is named cmp-1',
  })
  expect(gapsOf(input, 'pgpu-without-provider')).toEqual(['cmp-1: no root provider is named cmp-1'])
})

it('a root provider with another uuid than its hypervisor', () => {
  const input = editList(t4Cloud(), 'hypervisors', (node) => ({ ...node, id: uuidOf(5) }))
  expect(sentences(input)).toHaveLength(1)
  expect(findOne(input, CODE).severity).toBe('warning')
})
