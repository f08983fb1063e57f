import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { GpuTotals, strandedFigure } from './gpu-totals'
import { unitsNote } from './units-note'

const known = {
  capacity: 559,
  used: 400,
  spare: 90,
  orphan: 20,
  creatable: 40,
  locked: 9,
  unknown: 2,
  unknownReason: 'on silent hosts',
}

const tiles = (totals: typeof known | Record<keyof typeof known, number | string | null>) =>
  [
    ...renderToStaticMarkup(<GpuTotals label="Totals" totals={totals as typeof known} />).matchAll(
      /<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g,
    ),
  ].map(([, label = '', value = '']) => {
    const text = (html: string) =>
      html
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
    return `${text(label)}: ${text(value)}`
  })

test('capacity = used + spare + orphan + free + locked can be read off the tiles', () => {
  expect(tiles(known)).toEqual([
    'Capacity of the present types: 559 vGPUs',
    'Used: 400 72 %',
    'Spare: 90 reused by Nova',
    'Orphan: 20',
    'Free: 40 can be made now',
    'Locked: 9 can’t be made now',
    'Unknown: 2 pGPUs',
  ])
})

test('without a locked place there is no tile for them', () => {
  expect(tiles({ ...known, locked: 0 }).join()).not.toContain('Locked')
})

test('unknown sums are dashes with the reason, never zeros', () => {
  const nothing = { capacity: null, used: null, spare: null, orphan: null, creatable: null, locked: null }
  expect(tiles({ ...known, ...nothing })).toEqual([
    'Capacity of the present types: – unknown: on silent hosts',
    'Used: – on silent hosts',
    'Spare: – on silent hosts',
    'Orphan: – on silent hosts',
    'Free: – on silent hosts',
    'Unknown: 2 pGPUs',
  ])
})

const strandedTile = (figure: ReturnType<typeof strandedFigure>) =>
  renderToStaticMarkup(<GpuTotals label="Totals" totals={known} stranded={figure} />).match(
    /Stranded<\/dt>(.*?)<\/dd>/,
  )?.[1]

test('stranded is a tile of its own when a cloud is read', () => {
  const silent = 0
  expect(strandedTile(strandedFigure({ stranded: 33, strandedUnknown: 0, silent }))).toMatch(
    /text-warn.*33.*free, out of reach/,
  )
  expect(tiles(known).join()).not.toContain('Stranded')
})

test('a stranded sum says what it leaves out, and is a dash when nothing is known', () => {
  expect(strandedFigure({ stranded: 3, strandedUnknown: 2, silent: 1 })).toEqual({
    sum: 3,
    note: '3 pGPUs unknown',
  })
  const unknown = strandedFigure({ stranded: null, strandedUnknown: 2, silent: 0 })
  expect(strandedTile(unknown)).toMatch(/–.*the cloud did not say/)
  expect(strandedFigure({ stranded: null, strandedUnknown: 0, silent: 2 }).note).toBe('on silent hosts')
})

test('a sum of vGPUs and whole cards tells each in its unit', () => {
  expect(unitsNote(618, 6)).toBe('612 vGPUs, 6 whole cards')
  expect(unitsNote(618, 0)).toBe('vGPUs')
  expect(unitsNote(1, 1)).toBe('1 whole card')
  expect(unitsNote(null, 2)).toBe('vGPUs')
})
