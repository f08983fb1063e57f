import { expect, test } from 'vitest'
import { agreementWords, oddBecause, type SourceRow } from './source-words'

const row = (label: string, disagree: SourceRow['disagree'] = null): SourceRow => ({
  key: label,
  label,
  hardware: { value: 12, reason: null },
  novaConf: null,
  placement: { value: 32, reason: null },
  libvirt: null,
  disagree,
})

const odd = row('Capacity', { column: 'placement', because: 'only 12 fit on the card' })

test('only the odd cell is told why', () => {
  expect(oddBecause(odd, 'placement')).toBe('only 12 fit on the card')
  expect(oddBecause(odd, 'hardware')).toBeNull()
  expect(oddBecause(row('Used'), 'placement')).toBeNull()
})

test('disagreements are counted with their source and row', () => {
  expect(agreementWords([row('Used'), odd])).toBe('1 disagreement: Placement on capacity')
  expect(agreementWords([odd, row('vGPU type', { column: 'novaConf', because: '…' })])).toBe(
    '2 disagreements: Placement on capacity, nova.conf on vGPU type',
  )
  expect(agreementWords([row('Used')])).toBe('no disagreement')
})
