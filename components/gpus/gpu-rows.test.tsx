import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createGpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { makeColumns } from '@/lib/domain/gpu-list/testing/make-columns'
import { GPU_COLUMNS, type GpuColumn } from './gpu-columns'
import { GpuTableRow } from './gpu-rows'

type Card = Parameters<typeof makeColumns>[0][number]

const DEFAULT_COLUMNS = GPU_COLUMNS.filter(({ isOptional }) => isOptional !== true)

const rowOf = (card: Partial<Card>, columns: readonly GpuColumn[] = DEFAULT_COLUMNS): string =>
  renderToStaticMarkup(
    <table>
      <tbody>
        <GpuTableRow
          store={createGpuStore(makeColumns([{ host: 'cmp-1', address: '0000:18:00.0', ...card }]))}
          columns={columns}
          row={0}
          index={0}
          line={0}
          cloud={null}
          top={0}
          isSelected={false}
          isShown={false}
          isTabStop={false}
          activeCell={null}
          silentSince={undefined}
        />
      </tbody>
    </table>,
  )

const words = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const agreed = { capacity: 4, advertised: 4, advertisedUsed: 0, stranded: 0, service: 'up' } as const

test('a row whose cloud agrees is the row without a cloud', () => {
  expect(rowOf({ ...agreed, aggregates: ['gpu-t4'] })).toBe(rowOf({ capacity: 4 }))
})

test('Placement’s total is shown next to a different capacity, marked when it is more', () => {
  const more = rowOf({ ...agreed, advertised: 22, advertisedUsed: 9 })
  expect(words(more)).toContain('0 / 4 Placement 22 advertised, 9 of them allocated; 4 fit')
  expect(more).toContain('data-word="Warning: "')
  expect(rowOf({ ...agreed, advertised: 2 })).not.toContain('data-word')
})

test('what Placement advertises is a dash where it is unknown, and nothing without a cloud', () => {
  expect(words(rowOf({ ...agreed, advertised: null }))).toContain('Placement – its inventory is unknown')
  expect(rowOf({ capacity: 4 })).not.toContain('Placement')
})

test('stranded vGPUs and a disabled service are in the row', () => {
  const row = words(rowOf({ ...agreed, stranded: 3, service: 'disabled' }))
  expect(row).toContain('3 stranded')
  expect(row).toContain('cmp-1 nova-compute is disabled')
  expect(words(rowOf({ ...agreed, service: 'down' }))).toContain('cmp-1 nova-compute is down')
})

test('an empty cell keeps its place before an optional column', () => {
  const row = rowOf({ ...agreed, aggregates: ['gpu-t4'] }, GPU_COLUMNS)
  expect(words(row)).toMatch(/ gpu-t4$/)
  expect(row.match(/<td/g)).toHaveLength(9)
  expect(rowOf(agreed).match(/<td/g)).toHaveLength(5)
})

test('a row without findings has few elements, since thirty of them are in a window', () => {
  const [, row = ''] = /<tbody>(.*)<\/tbody>/.exec(rowOf({ capacity: 4, used: 3, creatable: 1 })) ?? []
  expect(row).toContain('aria-label="3 of 4 vGPUs used, 1 free"')
  // Twelve, and the links of the host and the address.
  expect(row.match(/<[a-z]/g)?.length).toBeLessThanOrEqual(14)
})
