import { expect, test } from 'vitest'
import { createGpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { makeColumns } from '@/lib/domain/gpu-list/testing/make-columns'
import { aggregateChoices, groupChoices, holdingChoices } from './gpu-tools'

type Cards = Parameters<typeof makeColumns>[0]

const storeOf = (cards: Cards) => createGpuStore(makeColumns(cards))
const card = { host: 'cmp-1', address: '0000:18:00.0' }
const byAggregate = (cards: Cards) =>
  groupChoices(storeOf(cards)).find(({ value }) => value === 'aggregate')?.unavailable

test('grouping by aggregate shows why it is unavailable', () => {
  expect(byAggregate([card])).toBe('No cloud is connected.')
  expect(byAggregate([{ ...card, service: 'up' }])).toBe('The aggregates of the cloud are unknown.')
  expect(byAggregate([{ ...card, service: 'up', aggregates: [] }])).toBe('No host is in an aggregate.')
  expect(byAggregate([{ ...card, service: 'up', aggregates: ['gpu-a40'] }])).toBeUndefined()
})

test('a host in two aggregates counts in both, hosts in none are the last choice', () => {
  const store = storeOf([
    { ...card, aggregates: ['gpu-a40', 'gpu-desktop'] },
    { ...card, host: 'cmp-2', aggregates: ['gpu-a40'] },
    { ...card, host: 'cmp-3', aggregates: [] },
    { ...card, host: 'cmp-4', aggregates: null },
  ])
  expect(aggregateChoices(store)).toEqual([
    { value: 'gpu-a40', label: 'gpu-a40', count: 2 },
    { value: 'gpu-desktop', label: 'gpu-desktop', count: 1 },
    { value: 'none', label: 'in no aggregate', count: 1 },
  ])
})

test('where no host is in an aggregate there is nothing to choose', () => {
  expect(aggregateChoices(storeOf([{ ...card, aggregates: [] }]))).toEqual([])
})

test('the filter for stranded vGPUs is available when a cloud is read', () => {
  const unavailable = (cards: Cards) =>
    holdingChoices(storeOf(cards)).find(({ value }) => value === 'stranded')?.unavailable
  expect(unavailable([card])).toBe('No cloud is connected.')
  expect(unavailable([{ ...card, service: 'down' }])).toBeUndefined()
})
