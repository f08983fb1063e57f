import { expect, test } from 'vitest'
import { filterGpus, type GpuFilter, NO_AGGREGATE, NO_TYPE } from './filter-gpus'
import { createGpuStore, gpuRowAt } from './gpu-store'
import { makeColumns } from './testing/make-columns'

const finding = { code: 'orphans-lock-type', severity: 'warning', sentence: '3 orphans' } as const
const store = createGpuStore(
  makeColumns([
    {
      host: 'cmp-r2-07',
      address: '0000:18:00.0',
      used: 2,
      aggregates: ['gpu-desktop', 'gpu-t4'],
      stranded: 0,
    },
    { host: 'cmp-r2-07', address: '0000:e7:00.0', orphan: 3, finding, aggregates: ['gpu-t4'], stranded: 1 },
    {
      host: 'cmp-r4-01',
      address: '0000:41:00.0',
      model: 'NVIDIA A40',
      type: null,
      framework: 'mdev-sriov',
      aggregates: [],
    },
    {
      host: 'cmp-r4-02',
      address: '0000:41:00.0',
      model: 'NVIDIA A40',
      type: 'A40-8Q',
      creatable: 2,
      used: null,
    },
  ]),
)
const all: GpuFilter = {
  text: '',
  models: [],
  types: [],
  frameworks: [],
  aggregates: [],
  finding: null,
  holding: null,
}
const nothingElse = { silentHosts: new Set<string>(), serverGpus: [] as { host: string; address: string }[] }

const shown = (filter: Partial<GpuFilter>, surroundings = nothingElse) =>
  [...filterGpus(store, { ...all, ...filter }, surroundings)].map((row) => {
    const { host, address } = gpuRowAt(store, row)
    return `${host} ${address.slice(5, 7)}`
  })

test('without a filter every row is shown', () => {
  expect(shown({})).toHaveLength(4)
})

test('words of the text must all match, each anywhere', () => {
  expect(shown({ text: 'r2-07 E7' })).toEqual(['cmp-r2-07 e7'])
  expect(shown({ text: 'a40 8q' })).toEqual(['cmp-r4-02 41'])
  expect(shown({ text: 'r2-07 a40' })).toEqual([])
})

test('the name of a server finds the pGPUs that it uses', () => {
  const serverGpus = [{ host: 'cmp-r4-02', address: '0000:41:00.0' }]
  expect(shown({ text: 'train-07' }, { ...nothingElse, serverGpus })).toEqual(['cmp-r4-02 41'])
})

test('a server’s pGPU that another filter leaves out stays out', () => {
  const serverGpus = [{ host: 'cmp-r4-02', address: '0000:41:00.0' }]
  expect(shown({ text: 'train-07', models: ['NVIDIA T4'] }, { ...nothingElse, serverGpus })).toEqual([])
})

test('several models widen, model and type narrow', () => {
  expect(shown({ models: ['NVIDIA A40', 'NVIDIA T4'] })).toHaveLength(4)
  expect(shown({ models: ['NVIDIA A40'], types: ['nvidia-A40-8Q'] })).toEqual(['cmp-r4-02 41'])
})

test('cards without a type are found by the word for it', () => {
  expect(shown({ types: [NO_TYPE] })).toEqual(['cmp-r4-01 41'])
})

test('findings narrow by any or by code', () => {
  expect(shown({ finding: 'any' })).toEqual(['cmp-r2-07 e7'])
  expect(shown({ finding: 'another' })).toEqual([])
})

test('the use of a card is a filter; an unknown number is not a zero', () => {
  expect(shown({ holding: 'used' })).toEqual(['cmp-r2-07 18'])
  expect(shown({ holding: 'orphan' })).toEqual(['cmp-r2-07 e7'])
  expect(shown({ holding: 'free' })).toEqual(['cmp-r4-02 41'])
  expect(shown({ holding: 'unknown' })).toEqual(['cmp-r4-02 41'])
})

test('silent hosts are found by what the console knows of their age', () => {
  expect(shown({ holding: 'silent' }, { ...nothingElse, silentHosts: new Set(['cmp-r2-07']) })).toHaveLength(
    2,
  )
})

test('a filter for something that no card has shows nothing', () => {
  expect(shown({ models: ['NVIDIA H100'] })).toEqual([])
})

test('aggregates narrow by any of a host’s, and hosts in none are found by the word for it', () => {
  expect(shown({ aggregates: ['gpu-t4'] })).toEqual(['cmp-r2-07 18', 'cmp-r2-07 e7'])
  expect(shown({ aggregates: ['gpu-desktop'] })).toEqual(['cmp-r2-07 18'])
  expect(shown({ aggregates: [NO_AGGREGATE] })).toEqual(['cmp-r4-01 41'])
})

test('the text finds aggregates by a part of their names', () => {
  expect(shown({ text: 'DESK' })).toEqual(['cmp-r2-07 18'])
  expect(shown({ text: 'gpu-t4 e7' })).toEqual(['cmp-r2-07 e7'])
})

test('stranded vGPUs are found; unknown is not stranded', () => {
  expect(shown({ holding: 'stranded' })).toEqual(['cmp-r2-07 e7'])
})
