import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CloudScope } from '@/components/shell/use-cloud'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { GpuTotals } from './gpu-totals'

const known: FleetTotals = {
  pgpus: 90,
  capacity: 559,
  used: 400,
  spare: 90,
  free: 40,
  blocked: 25,
  unknown: 4,
  blockedBy: [
    { kind: 'orphaned', reason: 'held by orphaned mdevs', count: 20 },
    { kind: 'stranded', reason: 'no flavor requests them', count: 5 },
  ],
  orphan: 20,
  locked: 0,
  stranded: 5,
  returning: 0,
  unknownPgpus: 2,
  unknownReason: 'no driver',
  unknownBy: [{ reason: 'no driver', pgpus: 3 }],
  lastKnown: null,
}
const nothing = { capacity: null, used: null, spare: null, free: null, blocked: null, unknown: null }

const tiles = (totals: FleetTotals, passthrough?: FleetTotals) =>
  [
    ...renderToStaticMarkup(
      <QueryClientProvider client={new QueryClient()}>
        <NuqsTestingAdapter>
          <CloudScope>
            <GpuTotals label="Totals" totals={totals} passthrough={passthrough} />
          </CloudScope>
        </NuqsTestingAdapter>
      </QueryClientProvider>,
    ).matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g),
  ].map(([, label = '', value = '']) => {
    const text = (html: string) =>
      html
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
    return `${text(label)}: ${text(value)}`
  })

test('capacity = in use + reusable + free + blocked + unknown can be read off the tiles', () => {
  expect(tiles(known)).toEqual([
    'Total capacity: 559 vGPUs',
    'In use: 400 72 %',
    'Reusable: 90 created, unattached',
    'Free: 40 can be created and scheduled',
    'Blocked: 25 20 orphaned, 5 stranded 20 held by orphaned mdevs 5 no flavor requests them',
    'Unknown: 4 3 pGPUs affected 3 pGPUs no driver',
  ])
})

test('unknown sums are dashes with the reason, never zeros', () => {
  expect(tiles({ ...known, ...nothing, blockedBy: [] })).toEqual([
    'Total capacity: – no driver',
    'In use: – no driver',
    'Reusable: – no driver',
    'Free: – no driver',
    'Blocked: – no driver',
    'Unknown: – 3 pGPUs affected 3 pGPUs no driver',
  ])
})

test('the part from hosts that do not report is marked', () => {
  const partition = { capacity: 24, used: 12, spare: 0, free: 12, blocked: 0, unknown: 0 }
  const lastKnown = { hosts: 2, pgpus: 4, ...partition, oldestSeenAt: '2026-11-26T12:00:00.000Z' }
  expect(tiles({ ...known, lastKnown }).slice(0, 2)).toEqual([
    'Total capacity: 559 vGPUs includes 24 on 2 hosts, last seen earlier',
    'In use: 400 72 % includes 12 on 2 hosts, last seen earlier',
  ])
})

test('passthrough GPUs have a separate tile', () => {
  const passthrough = { ...known, pgpus: 8, capacity: 8, used: 6, free: 2, blocked: 0, unknown: 0 }
  expect(tiles(known, passthrough).at(-1)).toBe('Passthrough GPUs: 8 6 in use, 2 free')
  expect(tiles(known, { ...passthrough, pgpus: 0 })).toHaveLength(6)
})
