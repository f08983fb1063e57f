import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gpuColumnsSchema } from '@/lib/schemas/api/gpu-columns'
import {
  CARD_COLUMNS,
  type CardColumn,
  createFleetDictionaries,
  type FleetDictionaries,
  type HostBlock,
  UNKNOWN,
} from './card-table'
import { createJsonBytes, encodeFleet } from './encode-fleet'

const integer = fc.oneof(fc.nat(20), fc.integer({ min: -2_147_483_647, max: 2_147_483_647 }))

test('any integers and nulls come back from JSON.parse as they went in', () => {
  fc.assert(
    fc.property(fc.array(fc.option(integer, { nil: null })), (values) => {
      const json = createJsonBytes(0)
      json.integers(Int32Array.from(values, (value) => value ?? UNKNOWN))
      expect(JSON.parse(json.finish().toString())).toEqual(values)
    }),
  )
})

test('text of any width grows the buffer as it needs', () => {
  const text = 'Ü€🙂'.repeat(5000)
  const json = createJsonBytes(0)
  json.text(JSON.stringify(text))
  expect(JSON.parse(json.finish().toString())).toBe(text)
})

const card = (values: Partial<Record<CardColumn, number>>): number[] =>
  CARD_COLUMNS.map((name) => values[name] ?? UNKNOWN)

const block = (name: string, cards: number[][]): HostBlock => ({
  id: 1,
  name,
  changedXid: '1',
  findings: [],
  cards: Int32Array.from(cards.flat()),
})

const textId = (dictionary: FleetDictionaries['models'], text: string): number =>
  dictionary.idOf(text, () => text)

/** The same two cards, with the dictionaries filled in the given order. */
const encodeTwoCards = (modelsFirst: string[]) => {
  const dictionaries = createFleetDictionaries()
  for (const model of modelsFirst) textId(dictionaries.models, model)
  const cardOf = (address: string, model: string, used: number) =>
    card({
      addressIndex: textId(dictionaries.addresses, address),
      modelIndex: textId(dictionaries.models, model),
      frameworkIndex: textId(dictionaries.frameworks, 'mdev'),
      capacity: 16,
      used,
      numaNode: 0,
    })
  const blocks = [
    block('cmp-1', [cardOf('0000:18:00.0', 'Tesla T4', 11)]),
    block('cmp-2', []),
    block('cmp-3', [cardOf('0000:18:00.0', 'Größe „L“', 3), cardOf('0000:19:00.0', 'Tesla T4', 0)]),
  ]
  return encodeFleet({ cloud: 'paris', blocks, dictionaries })
}

test('rows become columns that the contract accepts', () => {
  const encoded = encodeTwoCards([])
  const gpus = gpuColumnsSchema.parse(JSON.parse(encoded.identity.toString()))
  expect(gpus.version).toBe(encoded.version)
  expect(gpus).toMatchObject({
    cloud: 'paris',
    hosts: ['cmp-1', 'cmp-3'],
    addresses: ['0000:18:00.0', '0000:19:00.0'],
    models: ['Tesla T4', 'Größe „L“'],
    types: [],
  })
  expect(gpus.columns).toMatchObject({
    hostIndex: [0, 1, 1],
    addressIndex: [0, 0, 1],
    modelIndex: [0, 1, 0],
    typeIndex: [null, null, null],
    capacity: [16, 16, 16],
    used: [11, 3, 0],
    spare: [null, null, null],
  })
})

test('the gzip form holds the same bytes', async () => {
  const encoded = encodeTwoCards([])
  expect(gunzipSync(await encoded.gzip()).equals(encoded.identity)).toBe(true)
})

test('equal content has the same version, regardless of the numbers in this process', () => {
  const other = encodeTwoCards(['never used', 'Größe „L“', 'Tesla T4'])
  expect(other.identity.equals(encodeTwoCards([]).identity)).toBe(true)
  expect(other.version).toBe(encodeTwoCards([]).version)
})

test('an empty fleet is a valid answer', () => {
  const encoded = encodeFleet({ cloud: 'paris', blocks: [], dictionaries: createFleetDictionaries() })
  expect(gpuColumnsSchema.parse(JSON.parse(encoded.identity.toString())).columns.hostIndex).toEqual([])
})
