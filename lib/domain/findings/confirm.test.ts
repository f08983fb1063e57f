import { expect, test } from 'vitest'
import { confirmFindings, type Unconfirmed } from './confirm'
import { type Evidence, type Finding, findingKey, type Subject } from './finding'

const subject: Subject = { kind: 'server', uuid: 's-1', name: 'web-1', host: 'cmp-1' }
const evidence = (source: Evidence['source'], second: number): Evidence => ({
  source,
  reported: 'something',
  at: `2026-11-21T14:00:${String(second).padStart(2, '0')}.000Z`,
})
const at = (second: number): string => evidence('nova', second).at ?? ''

const finding = (reported: Evidence[], code = 'server-without-allocation'): Finding => ({
  key: findingKey(code, subject),
  code,
  severity: 'error',
  subject,
  sentence: 'web-1 holds a vGPU without an allocation',
  consequence: 'Placement gives it away again.',
  nextStep: 'Heal the allocation.',
  command: null,
  sourceToCorrect: 'placement',
  evidence: reported,
})

const round = (
  findings: Finding[],
  {
    unconfirmed = new Map(),
    second = 10,
    isOpen = () => false,
  }: Partial<{
    unconfirmed: Unconfirmed
    second: number
    isOpen: (key: string) => boolean
  }> = {},
) => confirmFindings({ findings, unconfirmed, isOpen, now: at(second) })

test('a moving finding opens once every source has reported it again', () => {
  const first = round([finding([evidence('libvirt', 8), evidence('placement', 10)])])
  expect(first.findings).toEqual([])
  const early = round([finding([evidence('libvirt', 8), evidence('placement', 20)])], {
    unconfirmed: first.unconfirmed,
    second: 20,
  })
  expect(early.findings).toEqual([])
  const again = round([finding([evidence('libvirt', 18), evidence('placement', 30)])], {
    unconfirmed: early.unconfirmed,
    second: 30,
  })
  expect(again.findings).toHaveLength(1)
  expect(again.unconfirmed.size).toBe(0)
})

test('a finding that was gone in between begins again', () => {
  const first = round([finding([evidence('libvirt', 8)])])
  const gone = round([], { unconfirmed: first.unconfirmed, second: 20 })
  const back = round([finding([evidence('libvirt', 28)])], { unconfirmed: gone.unconfirmed, second: 30 })
  expect(back.findings).toEqual([])
})

test('an open finding stays, and one that does not move opens at once', () => {
  expect(round([finding([evidence('libvirt', 8)])], { isOpen: () => true }).findings).toHaveLength(1)
  expect(round([finding([evidence('hardware', 8)], 'orphan-mdevs')]).findings).toHaveLength(1)
})
