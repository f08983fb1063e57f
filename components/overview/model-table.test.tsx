import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CloudScope } from '@/components/shell/use-cloud'
import type { FleetTotals } from '@/lib/schemas/api/fleet'
import { ModelTable } from './model-table'

const known: FleetTotals = {
  pgpus: 2,
  capacity: 14,
  used: 6,
  spare: 2,
  orphan: 1,
  returning: 0,
  creatable: 2,
  locked: 3,
  unknown: 1,
  unknownReason: 'on a silent host',
}
const unknown: FleetTotals = {
  pgpus: 1,
  capacity: null,
  used: null,
  spare: null,
  orphan: null,
  returning: null,
  creatable: null,
  locked: null,
  unknown: 1,
  unknownReason: 'on a silent host',
}

const rowsOf = (totals: FleetTotals) => {
  const byType = [{ typeId: 'nvidia-1155', shortName: 'L40S-24Q', ...unknown }]
  const markup = renderToStaticMarkup(
    <NuqsTestingAdapter>
      <CloudScope>
        <ModelTable byModel={[{ model: 'NVIDIA L40S', ...totals, byType }]} />
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

test('places that can’t be made now have a column, so that a row adds up', () => {
  const [head, model] = rowsOf(known)
  expect(head?.slice(3)).toEqual(['Used', 'Spare', 'Orphan', 'Free', 'Locked', 'Unknown'])
  expect(model?.slice(3)).toEqual(['6 / 14 43 %', '2', '1', '2', '3', '1'])
})

test('without one the column is left out', () => {
  expect(rowsOf({ ...known, locked: 0 })[0]).not.toContain('Locked')
})

test('a type of which nobody knows a number has dashes with the reason, never zeros', () => {
  const dash = '– unknown: on a silent host'
  expect(rowsOf(known)[2]?.slice(3)).toEqual([dash, dash, dash, dash, dash, '1'])
})
