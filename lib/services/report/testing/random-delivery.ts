import fc from 'fast-check'
import { randomHost } from '@/lib/domain/testing/random-host'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { comparePositions, type Position } from '@/lib/schemas/agent/report'

export type Delivered = { position: Position; inventory: Inventory; isHeartbeat: boolean }

/** Messages of one agent in the order in which it made them, over some restarts. */
const story: fc.Arbitrary<Delivered[]> = fc
  .array(
    fc.record({
      inventory: randomHost.map((host) => host.inventory),
      restarts: fc.nat(3),
      heartbeats: fc.nat(2),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((steps) => {
    let position = { boot: 1, sequence: 0 }
    return steps.flatMap(({ inventory, restarts, heartbeats }) => {
      if (restarts === 3) position = { boot: position.boot + 1, sequence: 0 }
      return Array.from({ length: heartbeats + 1 }, (_, n) => {
        position = { boot: position.boot, sequence: position.sequence + 1 }
        return { position, inventory, isHeartbeat: n > 0 }
      })
    })
  })

/**
 * A story and how the network brings it: in any order, some messages twice or never, cut into groups, each group at one of
 * two consoles.
 */
export const randomDelivery: fc.Arbitrary<{ groups: { console: 0 | 1; members: Delivered[] }[] }> =
  story.chain((messages) =>
    fc
      .array(
        fc.record({
          message: fc.constantFrom(...messages),
          console: fc.constantFrom(0 as const, 1 as const),
          isLast: fc.boolean(),
        }),
        {
          minLength: 1,
          maxLength: 16,
        },
      )
      .map((sent) => {
        const groups: { console: 0 | 1; members: Delivered[] }[] = []
        let members: Delivered[] = []
        for (const { message, console, isLast } of sent) {
          members.push(message)
          if (!isLast) continue
          groups.push({ console, members })
          members = []
        }
        if (members.length > 0) groups.push({ console: 0, members })
        return { groups }
      }),
  )

/** What counts of a delivery, by the rule alone: within a group by position, and never at or below the newest. */
export const effectiveMessages = (
  groups: readonly { members: readonly Delivered[] }[],
  digestOf: (inventory: Inventory) => string,
): Delivered[] => {
  const effective: Delivered[] = []
  let newest: Position = { boot: 0, sequence: 0 }
  let digest: string | null = null
  for (const { members } of groups) {
    for (const message of members.toSorted((a, b) => comparePositions(a.position, b.position))) {
      if (comparePositions(message.position, newest) <= 0) continue
      if (message.isHeartbeat && digestOf(message.inventory) !== digest) continue
      newest = message.position
      digest = digestOf(message.inventory)
      effective.push(message)
    }
  }
  return effective
}
