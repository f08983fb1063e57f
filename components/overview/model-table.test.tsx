import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CloudScope } from '@/components/shell/use-cloud'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { ModelTable } from './model-table'

const known: FleetTotals = {
  pgpus: 2,
  capacity: 15,
  used: 6,
  spare: 2,
  free: 2,
  blocked: 4,
  unknown: 1,
  blockedBy: [],
  orphan: 1,
  locked: 3,
  stranded: 0,
  returning: 0,
  unknownPgpus: 0,
  unknownReason: 'no driver',
  unknownBy: [{ reason: 'no driver', pgpus: 1 }],
  lastKnown: null,
}
const sums = { capacity: null, used: null, spare: null, free: null, blocked: null, unknown: null }
const unknown: FleetTotals = { ...known, ...sums, pgpus: 1, unknownPgpus: 1 }
const none: FleetTotals = { ...known, pgpus: 0, capacity: 0 }

const L40S_24Q = { typeId: 'nvidia-1155', shortName: 'L40S-24Q', unit: 'vgpu' as const, ...unknown }

const rowsOf = (totals: FleetTotals, byType = [L40S_24Q]) => {
  const markup = renderToStaticMarkup(
    <NuqsTestingAdapter>
      <CloudScope>
        <ModelTable byModel={[{ model: 'NVIDIA L40S', ...totals, passthrough: none, byType }]} />
      </CloudScope>
    </NuqsTestingAdapter>,
  )
  return [...markup.matchAll(/<tr.*?<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) =>
      cell
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ),
  )
}

test('the columns of a row add up to its capacity', () => {
  const [head, model] = rowsOf(known)
  expect(head?.slice(3)).toEqual(['In use', 'Reusable', 'Free', 'Blocked', 'Unknown'])
  expect(model?.slice(3)).toEqual(['6 / 15 40 %', '2', '2', '4', '1'])
})

test('a type without a known number has dashes with the reason, never zeros', () => {
  const dash = '– unknown: no driver'
  expect(rowsOf(known)[2]?.slice(3)).toEqual([dash, dash, dash, dash, dash])
})

test('a fleet with many types has 36 rows at first, each type under its model', () => {
  const types = Array.from({ length: 40 }, (_, index) => ({
    ...L40S_24Q,
    typeId: `nvidia-${index}`,
    shortName: `L40S-${index}Q`,
  }))
  const [, model, ...others] = rowsOf(known, types)
  expect([model?.[0], others.length, others.at(-1)?.[0]]).toEqual(['NVIDIA L40S', 35, 'L40S-34Q nvidia-34'])
})
