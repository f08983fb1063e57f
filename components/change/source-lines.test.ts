import { expect, it } from 'vitest'
import type { SourceRow } from '@/components/gpu-detail/source-words'
import { sourceLines } from './source-lines'

const row = (key: string, label: string, cells: Partial<SourceRow>): SourceRow => ({
  key,
  label,
  hardware: null,
  novaConf: null,
  placement: null,
  libvirt: null,
  disagree: null,
  ...cells,
})
const said = (value: string | number | null) => ({ value, reason: value === null ? 'not read' : null })

it('has one line for each source, with a dash for what is not known, and marks the odd one', () => {
  const lines = sourceLines({
    rows: [
      row('type', 'Type', {
        hardware: said('nvidia-320'),
        novaConf: said('nvidia-319'),
        disagree: { column: 'novaConf', because: 'it names the old type' },
      }),
      row('total', 'Total', { hardware: said(2), placement: said(null) }),
      row('orphan', 'Orphan', { hardware: said(0) }),
      row('traits', 'Traits', { placement: said('CUSTOM_A') }),
    ],
  })
  expect(lines).toEqual([
    { column: 'hardware', text: 'nvidia-320, total 2', isOdd: false },
    { column: 'novaConf', text: 'nvidia-319', isOdd: true },
    { column: 'placement', text: 'total –', isOdd: false },
    { column: 'libvirt', text: null, isOdd: false },
  ])
})
