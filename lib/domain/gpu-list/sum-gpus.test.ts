import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addToTotals, emptyTotals } from '@/lib/domain/fleet/totals'
import { createGpuStore } from './gpu-store'
import { silentMask, sumGpus } from './sum-gpus'
import { makeColumns } from './testing/make-columns'

const store = createGpuStore(
  makeColumns([
    { host: 'a', address: '1', used: 2, orphan: 1, creatable: 1 },
    { host: 'a', address: '2', used: null, spare: 1, creatable: 3, reason: 'the guests could not be read' },
    { host: 'silent', address: '1', used: 4 },
  ]),
)

test('a pGPU with an unknown number counts as unknown and stays out of the sums', () => {
  const isSilent = silentMask(store, new Set())
  expect(sumGpus(store, store.baseOrder, { isSilent })).toEqual({
    pgpus: 3,
    hosts: 2,
    wholeCards: 0,
    capacity: 8,
    used: 6,
    spare: 0,
    orphan: 1,
    returning: 0,
    creatable: 1,
    locked: 0,
    unknownReason: 'the guests could not be read',
    pgpusWithOrphans: 1,
    unknown: 1,
    silent: 0,
    stranded: null,
    strandedUnknown: 3,
  })
})

test('cards that are handed out whole are told apart from vGPUs', () => {
  const mixed = createGpuStore(
    makeColumns([
      { host: 'a', address: '1', used: 2 },
      { host: 'a', address: '2', framework: 'passthrough', capacity: 1, used: 1 },
      { host: 'a', address: '3', framework: 'passthrough', capacity: 1, used: null, reason: 'not told' },
      { host: 'silent', address: '1', framework: 'passthrough', capacity: 1, used: 0 },
    ]),
  )
  const isSilent = silentMask(mixed, new Set(['silent']))
  expect(sumGpus(mixed, mixed.baseOrder, { isSilent })).toMatchObject({ capacity: 5, wholeCards: 1 })
})

test('a silent host’s old numbers stay out of the sums', () => {
  const isSilent = silentMask(store, new Set(['silent']))
  const sums = sumGpus(store, store.baseOrder, { isSilent })
  expect(sums).toMatchObject({ pgpus: 3, capacity: 4, used: 2, unknown: 2, silent: 1 })
  expect(sums.unknownReason).toBe('1: the guests could not be read and 1 on a silent host')
})

test('a part of the rows sums for itself', () => {
  const isSilent = silentMask(store, new Set())
  expect(sumGpus(store, store.baseOrder, { isSilent, start: 2, end: 3 })).toMatchObject({
    pgpus: 1,
    hosts: 1,
    used: 4,
  })
})

test('sums over silent hosts alone are unknown, not 0', () => {
  const isSilent = silentMask(store, new Set(['silent']))
  expect(sumGpus(store, store.baseOrder, { isSilent, start: 2, end: 3 })).toMatchObject({
    pgpus: 1,
    capacity: null,
    used: null,
    creatable: null,
    unknown: 1,
    unknownReason: 'on a silent host',
  })
})

test('stranded vGPUs sum over what is known, silent hosts’ old numbers stay out', () => {
  const cloud = createGpuStore(
    makeColumns([
      { host: 'a', address: '1', stranded: 3 },
      { host: 'a', address: '2', stranded: 0 },
      { host: 'b', address: '1', stranded: null },
      { host: 'silent', address: '1', stranded: 5 },
    ]),
  )
  const isSilent = silentMask(cloud, new Set(['silent']))
  const sums = (start: number, end: number) => {
    const { stranded, strandedUnknown } = sumGpus(cloud, cloud.baseOrder, { isSilent, start, end })
    return { stranded, strandedUnknown }
  }
  expect(sums(0, 4)).toEqual({ stranded: 3, strandedUnknown: 1 })
  expect(sums(1, 2)).toEqual({ stranded: 0, strandedUnknown: 0 })
  expect(sums(2, 3)).toEqual({ stranded: null, strandedUnknown: 1 })
  expect(sums(3, 4)).toEqual({ stranded: null, strandedUnknown: 0 })
})

test('the sums are those that the overview makes pGPU by pGPU', () => {
  const number = fc.option(fc.integer({ min: 0, max: 9 }), { nil: null })
  const card = fc.record({
    host: fc.constantFrom('a', 'b', 'silent'),
    address: fc.constant('1'),
    capacity: number,
    used: number,
    spare: number,
    orphan: number,
    returning: number,
    creatable: number,
  })
  fc.assert(
    fc.property(fc.array(card, { maxLength: 8 }), (cards) => {
      const some = createGpuStore(makeColumns(cards))
      const totals = emptyTotals()
      for (const one of cards) addToTotals(totals, one, one.host === 'silent')
      const isSilent = silentMask(some, new Set(['silent']))
      expect(sumGpus(some, some.baseOrder, { isSilent })).toMatchObject(totals)
    }),
  )
})
