import { expect, test } from 'vitest'
import { createGpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { makeColumns } from '@/lib/domain/gpu-list/testing/make-columns'
import { readFilter } from './filter-text'
import { type SelectedAction, selectedActions } from './selected-actions'

type Cards = Parameters<typeof makeColumns>[0]

const cards = Array.from({ length: 1001 }, (_, index) => ({ host: `cmp-${index}`, address: '0000:18:00.0' }))
const params = {
  ...{ q: 'cmp-r2', model: ['NVIDIA T4'], type: [], framework: [], aggregate: ['a&b', 'c'] },
  ...{ finding: 'any', holds: 'free' as const },
}

const actionsOf = (
  of: Cards,
  { selected = of.length, shown = of.length, silent = [] as string[], filter = params } = {},
) =>
  selectedActions(
    createGpuStore(makeColumns(of)),
    { selected: Int32Array.from({ length: selected }, (_, row) => row), shown },
    { cloud: 'paris', params: filter, silentHosts: new Map(silent.map((host) => [host, null])) },
  )

const becauseOf = (actions: SelectedAction[]) =>
  Object.fromEntries(actions.map(({ label, because }) => [label, because]))
const queryOf = (path: string) => new URL(path, 'https://console.example').searchParams

test('few pGPUs are named in the address', () => {
  for (const { path } of actionsOf(cards, { selected: 2, shown: 1000 })) {
    expect(queryOf(path).get('gpus')?.split(' ')).toHaveLength(2)
    expect(queryOf(path).get('filter')).toBeNull()
  }
})

test('all that the list shows, of up to 1,000, are named by its filter', () => {
  const actions = actionsOf(cards, { selected: 1000, shown: 1000 })
  for (const { path } of actions) {
    expect(path.length).toBeLessThan(300)
    expect(readFilter(queryOf(path).get('filter') ?? '')).toEqual(params)
  }
  expect(
    queryOf(actions[0]?.path ?? '')
      .get('gpus')
      ?.split(' '),
  ).toHaveLength(1)
})

test('a list without a filter has an address too', () => {
  const none = { q: '', model: [], type: [], framework: [], aggregate: [], finding: null, holds: null }
  const [, traits] = actionsOf(cards, { selected: 300, shown: 300, filter: none as never })
  expect(readFilter(queryOf(traits?.path ?? '').get('filter') ?? 'absent')).toEqual(none)
})

test('many of those shown are refused, and so are more than 1,000', () => {
  const refusal = (selected: number) =>
    new Set(actionsOf(cards, { selected, shown: 1001 }).map(({ because }) => because))
  expect([...refusal(201)]).toEqual([
    'To change more than 200 pGPUs, filter the list and select all shown pGPUs.',
  ])
  expect([...refusal(1001)]).toEqual(['Select at most 1000 pGPUs for one change.'])
})

test('cards in passthrough have no type to change, and leave passthrough', () => {
  const whole = { host: 'cmp-1', address: '0000:18:00.0', framework: 'passthrough' } as const
  expect(becauseOf(actionsOf([whole]))).toEqual({
    'Change type': 'All selected pGPUs are in PCI passthrough.',
    'Tag with traits': null,
    'Remove from PCI passthrough': null,
    'Remove orphans': 'No selected pGPU has orphaned mdevs.',
  })
  expect(becauseOf(actionsOf([whole, { host: 'cmp-2', address: '0000:18:00.0', orphan: 2 }]))).toEqual({
    'Change type': null,
    'Tag with traits': null,
    'Configure PCI passthrough': null,
    'Remove orphans': null,
  })
})

test('orphans that could not be counted can be removed', () => {
  const [, , , orphans] = actionsOf([{ host: 'cmp-1', address: '0000:18:00.0', orphan: null }])
  expect(orphans?.because).toBeNull()
})

test('nothing is planned while all agents are silent, and one that reports is enough', () => {
  const two = [
    { host: 'cmp-1', address: '0000:18:00.0' },
    { host: 'cmp-2', address: '0000:18:00.0' },
  ]
  const traits = (silent: string[]) => becauseOf(actionsOf(two, { silent }))['Tag with traits']
  expect(traits(['cmp-1', 'cmp-2'])).toBe('The agents of all selected pGPUs are silent. Start them first.')
  expect(traits(['cmp-1'])).toBeNull()
})
