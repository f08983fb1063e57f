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

const heard = { at: '2026-11-21T10:00:00.000Z', note: null }
const times = { hardware: heard, novaConf: heard, placement: heard, libvirt: heard }

test('only the odd cell is told why', () => {
  expect(oddBecause(odd, 'placement')).toBe('only 12 fit on the card')
  expect(oddBecause(odd, 'hardware')).toBeNull()
  expect(oddBecause(row('Used'), 'placement')).toBeNull()
})

test('disagreements are counted with their source and row', () => {
  expect(agreementWords({ rows: [row('Used'), odd], times })).toBe('1 disagreement: Placement on capacity')
  expect(agreementWords({ rows: [odd, row('vGPU type', { column: 'novaConf', because: '…' })], times })).toBe(
    '2 disagreements: Placement on capacity, nova.conf on vGPU type',
  )
  expect(agreementWords({ rows: [row('Used')], times })).toBe('no disagreement')
})

test('old values are not compared, so no agreement is stated', () => {
  const old = { ...times, placement: { ...heard, note: 'Placement is silent' } }
  expect(agreementWords({ rows: [row('Used')], times: old })).toBe('not compared: Placement is outdated')
  const silent = { ...times, hardware: old.placement, libvirt: old.placement }
  expect(agreementWords({ rows: [row('Used')], times: silent })).toBe(
    'not compared: Hardware, libvirt are outdated',
  )
})
