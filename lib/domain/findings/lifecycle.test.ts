import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Finding, findingKey, type Subject, type Unverified } from './finding'
import { acknowledge, advanceFindings, type LifecycleStep, type StoredFinding } from './lifecycle'

const pgpu = (host: string): Subject => ({ kind: 'pgpu', host, address: '0000:18:00.0' })
const findingOn = (subject: Subject, severity: Finding['severity'] = 'warning'): Finding => ({
  key: findingKey('trait-lost', subject),
  code: 'trait-lost',
  severity,
  subject,
  sentence: 's',
  consequence: 'c',
  nextStep: 'n',
  command: null,
  sourceToCorrect: 'placement',
  evidence: [],
})
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString()
const step = (
  stored: readonly StoredFinding[],
  findings: readonly Finding[],
  minute: number,
  unverified: readonly Unverified[] = [],
): LifecycleStep => advanceFindings({ stored, findings, unverified, now: at(minute) })
const only = ({ all }: LifecycleStep): StoredFinding => {
  const [first] = all
  if (first === undefined || all.length > 1) throw new Error(`${all.length} findings`)
  return first
}
const finding = findingOn(pgpu('a'))
const first = step([], [finding], 0)

describe('a finding', () => {
  it('opens, stays, closes and reopens with its times', () => {
    expect(first.opened).toHaveLength(1)
    const unchanged = step(first.all, [finding], 1)
    expect(only(unchanged)).toMatchObject({ status: 'open', openedAt: at(0), seenAt: at(1) })
    const closed = step(unchanged.all, [], 2)
    expect(closed.closed).toHaveLength(1)
    expect(only(closed)).toMatchObject({ status: 'closed', closedAt: at(2) })
    expect(step(closed.all, [], 3).closed).toEqual([])
    const again = step(closed.all, [finding], 4)
    expect(again.reopened).toHaveLength(1)
    expect(only(again)).toMatchObject({ status: 'open', openedAt: at(0), closedAt: null, reopenedCount: 1 })
  })

  it('keeps its state while it is unknown, with the reason and the time', () => {
    const gap: Unverified = { code: 'trait-lost', scope: { kind: 'host', host: 'a' }, because: 'silent' }
    const unverified = step(first.all, [], 5, [gap])
    expect(unverified.closed).toEqual([])
    expect(only(step(unverified.all, [], 6, [gap]))).toMatchObject({
      status: 'open',
      unverified: { because: 'silent', since: at(5) },
    })
    expect(only(step(unverified.all, [finding], 7)).unverified).toBeNull()
  })

  it.each<[string, Unverified]>([
    ['another host', { code: 'trait-lost', scope: { kind: 'host', host: 'b' }, because: '' }],
    ['another code', { code: 'other', scope: { kind: 'cloud' }, because: '' }],
    ['another pGPU', { code: 'trait-lost', scope: { ...pgpu('b') }, because: '' }],
  ])('closes although %s is unknown', (_, gap) => {
    expect(step(first.all, [], 5, [gap]).closed).toHaveLength(1)
  })
})

describe('an acknowledged finding', () => {
  const known = (until: string | null): StoredFinding =>
    acknowledge(only(first), { by: 'ada', note: 'new fans on Monday', at: at(1), until })

  it('stays silent until its end, then reopens', () => {
    const held = [known(at(10))]
    expect(only(step(held, [finding], 9)).status).toBe('acknowledged')
    const over = step(held, [finding], 10)
    expect(over.reopened).toHaveLength(1)
    expect(only(over)).toMatchObject({ status: 'open', acknowledgement: null })
  })

  it('reopens when it gets worse', () => {
    expect(step([known(null)], [findingOn(pgpu('a'), 'error')], 2).reopened).toHaveLength(1)
  })

  it('that was gone comes back silent before its end only', () => {
    const back = (until: string | null): string =>
      only(step(step([known(until)], [], 2).all, [finding], 3)).status
    expect(back(at(10))).toBe('acknowledged')
    expect(back(at(3))).toBe('open')
    expect(back(null)).toBe('open')
  })

  it('can not be made of a closed one', () => {
    const closed = only(step(first.all, [], 2))
    expect(acknowledge(closed, { by: 'ada', note: '', at: at(3), until: null })).toEqual(closed)
  })
})

it('every round leaves each finding once, and open ones are those detected or unknown', () => {
  const hosts = ['a', 'b', 'c']
  const round = fc.record({ there: fc.subarray(hosts), unverified: fc.subarray(hosts) })
  fc.assert(
    fc.property(fc.array(round, { maxLength: 8 }), (rounds) => {
      let stored: readonly StoredFinding[] = []
      const open = new Set<string>()
      for (const [minute, { there, unverified }] of rounds.entries()) {
        const gaps = unverified.map(
          (host): Unverified => ({ code: 'trait-lost', scope: { kind: 'host', host }, because: 'x' }),
        )
        const next = step(
          stored,
          there.map((host) => findingOn(pgpu(host))),
          minute,
          gaps,
        )
        for (const host of hosts)
          if (there.includes(host)) open.add(host)
          else if (!unverified.includes(host)) open.delete(host)
        const isOpen = next.all
          .filter(({ status }) => status === 'open')
          .map(({ finding: { subject } }) => ('host' in subject ? subject.host : ''))
        expect(isOpen.toSorted()).toEqual([...open].toSorted())
        expect(new Set(next.all.map(({ key }) => key)).size).toBe(next.all.length)
        expect(next.opened.length + next.unchanged.length + next.closed.length + next.reopened.length).toBe(
          next.all.length,
        )
        stored = next.all
      }
    }),
  )
})
