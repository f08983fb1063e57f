import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GroupMember } from './group-member'
import { pickGroup } from './pick-group'

/** `r3`: a report of host 3, `h3`: its heartbeat. What else a member has does not matter here. */
const members = (texts: string): GroupMember[] =>
  texts.split(' ').map((one, index) => {
    const hostId = Number(one.slice(1))
    const kind = one.startsWith('r') ? 'report' : 'heartbeat'
    return { kind, actor: { hostId }, position: { boot: 1, sequence: index + 1 } } as unknown as GroupMember
  })

const textOf = (group: readonly GroupMember[]): string =>
  group.map(({ kind, actor }) => `${kind.charAt(0)}${actor.hostId}`).join(' ')

const picked = (texts: string, max: number): string => textOf(pickGroup(members(texts), max))

test('what fits into one group goes as it came', () => {
  expect(picked('r1 h2 r3', 3)).toBe('r1 h2 r3')
})

test('heartbeats go before reports that wait, up to half of a group', () => {
  expect(picked('r1 r2 r3 r4 r5 h6', 4)).toBe('h6 r1 r2 r3')
  expect(picked('r1 r2 r3 r4 r5 h6 h7 h8', 4)).toBe('h6 h7 r1 r2')
})

test('a heartbeat does not overtake a report from its own host', () => {
  expect(picked('r1 r2 r3 r4 r5 h5', 4)).toBe('r1 r2 r3 r4')
})

test('group by group each is taken once, and those of one host in their order', () => {
  const texts = fc.array(
    fc.tuple(fc.constantFrom('r', 'h'), fc.integer({ min: 1, max: 6 })).map(([kind, host]) => kind + host),
    { minLength: 1, maxLength: 60 },
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 9 }), (all, max) => {
      let waiting = members(all.join(' '))
      const taken: GroupMember[] = []
      while (waiting.length > 0) {
        const group = pickGroup(waiting, max)
        expect(group.length).toBe(Math.min(max, waiting.length))
        // Within a group only positions decide.
        taken.push(...group.toSorted((a, b) => a.position.sequence - b.position.sequence))
        waiting = waiting.filter((member) => !group.includes(member))
      }
      expect(new Set(taken).size).toBe(all.length)
      for (const host of [1, 2, 3, 4, 5, 6]) {
        const own = taken.filter(({ actor }) => actor.hostId === host)
        expect(own).toEqual(own.toSorted((a, b) => a.position.sequence - b.position.sequence))
      }
    }),
  )
})
