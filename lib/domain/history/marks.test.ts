import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseMarks, type MarkEvent, nearMs } from './marks'

const DAY = 86_400_000
const UNTIL = Date.UTC(2026, 10, 21)
const RANGE = { from: UNTIL - 30 * DAY, until: UNTIL, hostCount: 10 }

const change = (id: number, at: number): MarkEvent => ({
  kind: 'change',
  id,
  at,
  title: `plan ${id}`,
  state: 'done',
})
const silence = (at: number, hosts: readonly string[], until: number | null): MarkEvent => ({
  kind: 'silence',
  at,
  until,
  count: hosts.length,
  together: hosts.length,
  hosts,
})
const finding = (
  at: number,
  id: number,
  { code = 'restart-would-fail', isAgain = false } = {},
): MarkEvent => ({
  kind: 'finding',
  at,
  code,
  title: 'A restart would fail',
  severity: 'error',
  opened: isAgain ? [] : [id],
  again: isAgain ? [id] : [],
  first: `cmp-${id}: it would fail`,
})
const labels = (events: readonly MarkEvent[]) => chooseMarks(events, RANGE).marks.map(({ label }) => label)

test('marks at the same position of the chart are one mark per kind and code', () => {
  const at = RANGE.from + DAY
  expect(labels([change(7, at), change(9, at + 1000), change(12, at + 3 * DAY)])).toEqual([
    '2 changes: 7, 9',
    'change 12: plan 12',
  ])
  expect(labels([finding(at, 1), finding(at, 2), finding(at, 3, { code: 'orphan-mdevs' })])).toEqual([
    '2 × A restart would fail',
    'cmp-3: it would fail',
  ])
  // The same one again and again is one finding.
  expect(labels([finding(at, 1), finding(at + 1000, 1)])).toEqual(['cmp-1: it would fail'])
})

test('a finding that had been closed is marked as one that came back', () => {
  const at = RANGE.from + DAY
  const again = { isAgain: true }
  expect(labels([finding(at, 1), finding(at + 9 * DAY, 1, again)])).toEqual([
    'cmp-1: it would fail',
    'cmp-1: it would fail (again)',
  ])
  expect(labels([finding(at, 1, again), finding(at, 2, again)])).toEqual(['2 × A restart would fail (again)'])
  expect(labels([finding(at, 1), finding(at, 2), finding(at, 3, again)])).toEqual([
    '3 × A restart would fail (1 again)',
  ])
  // It opened within the mark.
  expect(labels([finding(at, 1), finding(at + 1000, 1, again)])).toEqual(['cmp-1: it would fail'])
})

test('the fleet is silent if more than half of the hosts are, and not if half of them are', () => {
  const at = RANGE.from + DAY
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `cmp-${index}`)
  expect(chooseMarks([silence(at, hosts(6), at + 7_200_000)], RANGE).marks).toMatchObject([
    { kind: 'fleet-silent', label: 'console without data for up to 2 h: 6 of 10 hosts silent', count: 6 },
  ])
  // Of a part of the cloud: its hosts are named, and the cloud's are counted.
  const ofPart = { ...silence(at, ['cmp-1'], at + 7_200_000), together: 6 }
  expect(chooseMarks([ofPart], RANGE).marks).toMatchObject([
    {
      label: 'console without data for up to 2 h: 6 of 10 hosts silent',
      of: [{ kind: 'host', host: 'cmp-1' }],
    },
  ])
  expect(labels([silence(at, hosts(5), null)])).toEqual(['5 hosts silent since then'])
  expect(chooseMarks([silence(at, ['only'], null)], { ...RANGE, hostCount: 1 }).marks[0]?.kind).toBe(
    'silence',
  )
})

test('where there is too much, each kind keeps some, and the rest is counted', () => {
  const changes = Array.from({ length: 60 }, (_, id) => change(id, RANGE.from + id * 0.5 * DAY))
  const silences = Array.from({ length: 20 }, (_, index) =>
    silence(RANGE.from + index * DAY, [`cmp-${index}`], RANGE.from + index * DAY + (index + 1) * 3_600_000),
  )
  const { marks, more } = chooseMarks([...changes, ...silences], RANGE)
  expect(marks).toHaveLength(30)
  expect(more).toEqual({ changes: 60 - 23, silences: 13, findings: 0 })
  // The longest silences stay.
  expect(marks.filter(({ kind }) => kind === 'silence').map(({ of }) => of[0])).toContainEqual({
    kind: 'host',
    host: 'cmp-19',
  })
})

test('marks come in the order of time, at most 30, and none is lost', () => {
  const event = fc.oneof(
    fc.nat(29).map((day) => change(day, RANGE.from + day * DAY)),
    fc.nat(29).map((day) => silence(RANGE.from + day * DAY, [`cmp-${day}`], null)),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const { marks, more } = chooseMarks(events, RANGE)
      expect(marks.length).toBeLessThanOrEqual(30)
      expect(marks.map(({ at }) => at)).toEqual(marks.map(({ at }) => at).toSorted((a, b) => a - b))
      const sums = marks.reduce((sum, { count }) => sum + count, 0)
      expect(sums + more.changes + more.silences).toBe(events.length)
      for (const { of } of marks) expect(of.length).toBeLessThanOrEqual(5)
      const indexes = marks.filter(({ kind }) => kind === 'change').map(({ at }) => at)
      for (const [index, at] of indexes.entries())
        if (index > 0) expect(at - (indexes[index - 1] ?? 0)).toBeGreaterThanOrEqual(nearMs(RANGE))
    }),
  )
})
