import { expect, it } from 'vitest'
import { row, said, unsaid } from '@/lib/domain/fit/source-rows'
import { sourceLines } from './source-lines'

it('has one line for each source, with a dash for what is not known, and marks the odd one', () => {
  const lines = sourceLines({
    rows: [
      row('type', 'Type', {
        hardware: said('nvidia-320'),
        novaConf: said('nvidia-319'),
        disagree: { column: 'novaConf', because: 'it names the old type' },
      }),
      row('total', 'Total', { hardware: said(2), placement: unsaid('not read') }),
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
