import { expect, test } from 'vitest'
import { followServer, type HeldLocation } from './follow-server'

type Series = { id: number; hostId: number; address: string; type?: string }

const followed = (held: readonly HeldLocation[], series: readonly Series[]) =>
  followServer(held, { series, typesOf: ({ type }) => (type === undefined ? null : new Set([type])) }).map(
    ({ own, past }) => [own?.id ?? null, past.map(({ id }) => id)],
  )

const held = (hostId: number, address: string, { typeId = 'small', at = 1 } = {}): HeldLocation => ({
  hostId,
  address,
  typeId,
  at,
})

test('what was measured on earlier hosts, pGPUs and mdevs is the past of the vGPU that is held now', () => {
  const series = [
    { id: 4, hostId: 2, address: '61' },
    { id: 3, hostId: 2, address: '61' },
    { id: 2, hostId: 2, address: '41' },
    { id: 1, hostId: 1, address: '61' },
  ]
  expect(followed([held(2, '61')], series)).toEqual([[4, [3, 2, 1]]])
  expect(followed([held(2, '81')], series)).toEqual([[null, [4, 3, 2, 1]]])
})

test('two vGPUs of a server are no past of each other', () => {
  const series = [
    { id: 3, hostId: 2, address: '61' },
    { id: 2, hostId: 2, address: '61' },
    { id: 1, hostId: 1, address: '61' },
  ]
  expect(followed([held(2, '61'), held(2, '61')], series)).toEqual([
    [3, [1]],
    [2, [1]],
  ])
})

test('of a server with two types each has its own past, and of a type that it holds no more', () => {
  const now = [held(2, '61', { typeId: 'small' }), held(2, '81', { typeId: 'large' })]
  const series = [
    { id: 5, hostId: 2, address: '61' },
    { id: 4, hostId: 2, address: '81' },
    { id: 3, hostId: 1, address: '61', type: 'small' },
    { id: 2, hostId: 1, address: '81', type: 'large' },
    { id: 1, hostId: 1, address: '01', type: 'huge' },
  ]
  expect(followed(now, series)).toEqual([
    [5, [3, 1]],
    [4, [2, 1]],
  ])
})

test('a server that two hosts name is followed to the one that named it last', () => {
  const series = [
    { id: 2, hostId: 2, address: '61' },
    { id: 1, hostId: 1, address: '61' },
  ]
  expect(followed([held(1, '61', { at: 1 }), held(2, '61', { at: 5 })], series)).toEqual([
    [1, []],
    [2, [1]],
  ])
})
