import { expect, test } from 'vitest'
import { agreementText, oddBecause, type SourceRow } from './source-labels'

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

const received = { at: '2026-11-21T10:00:00.000Z', note: null }
const times = { hardware: received, novaConf: received, placement: received, libvirt: received }

test('only the odd cell has a reason', () => {
  expect(oddBecause(odd, 'placement')).toBe('only 12 fit on the card')
  expect(oddBecause(odd, 'hardware')).toBeNull()
  expect(oddBecause(row('Used'), 'placement')).toBeNull()
})

test('disagreements are counted with their source and row', () => {
  expect(agreementText({ rows: [row('Used'), odd], times })).toBe('1 disagreement: Placement on capacity')
  expect(agreementText({ rows: [odd, row('vGPU type', { column: 'novaConf', because: '…' })], times })).toBe(
    '2 disagreements: Placement on capacity, nova.conf on vGPU type',
  )
  expect(agreementText({ rows: [row('Used')], times })).toBe('no disagreement')
})

test('old values are not compared, so no agreement is stated', () => {
  const old = { ...times, placement: { ...received, note: 'Placement is silent' } }
  expect(agreementText({ rows: [row('Used')], times: old })).toBe('not compared: Placement is outdated')
  const silent = { ...times, hardware: old.placement, libvirt: old.placement }
  expect(agreementText({ rows: [row('Used')], times: silent })).toBe(
    'not compared: Hardware, libvirt are outdated',
  )
})
