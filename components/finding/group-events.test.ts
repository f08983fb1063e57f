import { expect, test } from 'vitest'
import { groupEvents } from './group-events'

const event = (kind: string, minute: number, changeId: number | null = null) => ({
  at: new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString(),
  kind,
  actor: 'system',
  note: null,
  changeId,
})

const groupsOf = (kinds: readonly string[]) => groupEvents(kinds.map((kind, minute) => event(kind, minute)))
const texts = (kinds: readonly string[]) =>
  groupsOf(kinds).map(({ event: { kind }, reopenedCount }) => `${kind} ${reopenedCount}`)

test('a finding that was resolved and reopened again and again is one entry with a count', () => {
  const kinds = ['opened', 'closed', 'reopened', 'closed', 'reopened', 'closed', 'reopened', 'closed']
  expect(texts(kinds)).toEqual(['opened 0', 'reopened 3', 'closed 0'])
  const [, group] = groupsOf(kinds)
  expect(group).toMatchObject({ from: event('closed', 1).at, event: { at: event('reopened', 6).at } })
})

test('a finding that came back once keeps its events', () => {
  expect(texts(['opened', 'closed', 'reopened'])).toEqual(['opened 0', 'closed 0', 'reopened 0'])
  expect(texts(['opened', 'acknowledged', 'acknowledgement-ended'])).toHaveLength(3)
  expect(groupEvents([])).toEqual([])
})

test('a resolution by a change stays a separate entry', () => {
  const events = [event('closed', 1, 7), event('reopened', 2), event('closed', 3), event('reopened', 4)]
  expect(groupEvents(events).map(({ reopenedCount }) => reopenedCount)).toEqual([0, 0, 0, 0])
})
