import { expect, test } from 'vitest'
import { suggestSets } from './suggest-sets'

const NODES = [
  { cpus: '0-11', freeGpus: 0, gpus: 0 },
  { cpus: '12-23', freeGpus: 1, gpus: 1 },
]

test('keeps the last CPUs of the node that has the GPU', () => {
  expect(suggestSets(NODES, { count: 2, usable: null, dedicated: null })).toEqual({
    shared: '0-21',
    dedicated: '22-23',
  })
})

test('leaves the CPUs to the host that the old option leaves to it', () => {
  expect(suggestSets(NODES, { count: 2, usable: '0-22', dedicated: null })).toEqual({
    shared: '0-20',
    dedicated: '21-22',
  })
})

test('keeps what is dedicated already and adds to it', () => {
  expect(suggestSets(NODES, { count: 3, usable: '0-21', dedicated: '22-23' })).toEqual({
    shared: '0-20',
    dedicated: '21-23',
  })
})

test('uses CPUs of other nodes where those of the GPU are too few, and states if no host has so many', () => {
  expect(suggestSets(NODES, { count: 14, usable: null, dedicated: null })).toEqual({
    shared: '0-9',
    dedicated: '10-23',
  })
  expect(suggestSets(NODES, { count: 24, usable: null, dedicated: null })).toBeNull()
})
