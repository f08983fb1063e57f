import { expect, test } from 'vitest'
import { needText } from './need-text'
import { vgpusPerCard } from './vgpus-per-card'

const atEnd = { day: '2027-05-20', low: 61, likely: 74, high: 88 }

test('the shortage at the end of the forecast is in whole cards, with its range', () => {
  expect(needText({ capacity: 60, atEnd, weak: null }, 4)).toBe('4 more cards by May 2027 (1 to 7)')
  expect(needText({ capacity: 60, atEnd: { ...atEnd, low: 74, high: 74 }, weak: null }, 16)).toBe(
    '1 more card by May 2027',
  )
})

test('without a known card vGPUs are counted', () => {
  expect(needText({ capacity: 60, atEnd, weak: null }, null)).toBe('14 more vGPUs by May 2027 (1 to 28)')
})

test('only the upper end needs some, or none does', () => {
  expect(needText({ capacity: 80, atEnd, weak: null }, 4)).toBe('up to 2 more cards by May 2027')
  expect(needText({ capacity: 100, atEnd, weak: null }, 4)).toBeNull()
  expect(needText({ capacity: null, atEnd, weak: null }, 4)).toBeNull()
})

test('a line with a weak signal counts where there is no forecast', () => {
  const growthPerWeek = { low: 0, likely: 1, high: 2 }
  const weak = { growthPerWeek, atEnd, exhaustion: null }
  expect(needText({ capacity: 60, atEnd: null, weak }, 4)).toBe('4 more cards by May 2027 (1 to 7)')
})

test('a type has the vGPUs of its cards over all models, an aggregate has none', () => {
  const row = (typeId: string, pgpus: number, capacity: number) =>
    ({ typeId, unit: 'vgpu', pgpus, capacity, unknownPgpus: 0 }) as never
  const overview = {
    byModel: [
      { model: 'T4', pgpus: 3, unknownPgpus: 1, capacity: 8, byType: [row('nvidia-1', 2, 8)] },
      { model: 'A16', pgpus: 1, unknownPgpus: 0, capacity: 4, byType: [row('nvidia-1', 1, 4)] },
    ] as never,
  }
  expect(vgpusPerCard(overview, { by: 'type', key: 'nvidia-1' })).toBe(4)
  expect(vgpusPerCard(overview, { by: 'model', key: 'T4' })).toBe(4)
  expect(vgpusPerCard(overview, { by: 'type', key: 'nvidia-2' })).toBeNull()
  expect(vgpusPerCard(overview, { by: 'aggregate', key: 'gpu' })).toBeNull()
  expect(vgpusPerCard(undefined, { by: 'type', key: 'nvidia-1' })).toBeNull()
})
