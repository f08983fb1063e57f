import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DescribedGuest, DescribedMdev, HostDescription } from '@/lib/domain/host/types'
import {
  createListKeys,
  guestHolders,
  guestRows,
  type Holders,
  holdingRows,
  type ListKeys,
  mdevRows,
  unknownHolders,
} from './list-rows'

const guest = (uuid: string, flavor: string, holdings: DescribedGuest['holdings']): DescribedGuest => ({
  guestUuid: uuid,
  guestName: `instance-${uuid}`,
  guestState: 'running',
  serverName: null,
  flavorName: flavor,
  projectId: null,
  projectName: null,
  userName: null,
  pgpuAddresses: [],
  holdings,
})

const mdev = (uuid: string, isActive: boolean): DescribedMdev => ({
  uuid,
  pgpuAddress: null,
  parent: '0000:3b:00.0',
  typeId: 'nvidia-222',
  typeName: null,
  isActive,
  isDefined: null,
  isAutostart: null,
  state: 'spare',
  occupant: null,
})

const UUIDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const HELD = [{ pgpuAddress: '0000:3b:00.0', typeId: 'nvidia-222' }]

/** Few objects, so that lists share them, reorder them, tell one twice and tell others under the same uuid. */
const GUESTS = UUIDS.flatMap((uuid) => [
  guest(uuid, 'small', HELD),
  guest(uuid, 'small', HELD),
  guest(uuid, 'large', []),
  guest(uuid, 'large', null),
])
const MDEVS = UUIDS.flatMap((uuid) => [mdev(uuid, true), mdev(uuid, true), mdev(uuid, false)])

const listsOf = <Item>(pool: readonly Item[], sure: readonly Item[]) => {
  const any = fc.array(fc.constantFrom(...pool), { maxLength: 10 })
  const orderly = fc.subarray([...sure])
  return fc.option(fc.oneof(orderly, orderly, any), { nil: null })
}

const description = fc
  .record({
    guests: listsOf(
      GUESTS,
      GUESTS.filter((_, place) => place % 4 === 0),
    ),
    mdevs: listsOf(
      MDEVS,
      MDEVS.filter((_, place) => place % 3 === 0),
    ),
  })
  .map((lists): HostDescription => ({ ...lists, pgpus: [], guestGap: null, findings: [], novaOptions: null }))

type Told = NonNullable<Parameters<typeof guestRows>[1]['before']>
const tell = (told: HostDescription, before: Told | null, keys: ListKeys): Told => {
  const guests = guestRows(told, { before, keys })
  const holders: Holders = guestHolders(told, { rows: guests, before })
  const rows = { mdevs: mdevRows(told, { before, keys }), guests, holdings: holdingRows(holders, before) }
  return { description: told, holders, rows }
}
const tellAnew = (told: HostDescription) => tell(told, null, createListKeys())

test('rows that are taken from those of last time are those that are made anew, whatever went, came, moved or doubled', () => {
  fc.assert(
    fc.property(fc.array(description, { maxLength: 12 }), (descriptions) => {
      const keys = createListKeys()
      let before: Told | null = null
      for (const told of descriptions) {
        before = tell(told, before, keys)
        const anew = tellAnew(told)
        if (!isDeepStrictEqual(before.rows, anew.rows)) expect(before.rows).toEqual(anew.rows)
      }
    }),
    { numRuns: 2000 },
  )
})

const hostOf = (guests: DescribedGuest[], mdevs: DescribedMdev[] | null = []): HostDescription => ({
  guests,
  mdevs,
  pgpus: [],
  guestGap: null,
  findings: [],
  novaOptions: null,
})

test('a guest that came leaves the rows of the others the same objects, and all other lists as they are', () => {
  const keys = createListKeys()
  const [a, b, c] = [guest('a', 'small', HELD), guest('b', 'small', HELD), guest('c', 'small', HELD)]
  const mdevs = [mdev('m', true)]
  const first = tell(hostOf([a, c], mdevs), null, keys)
  const second = tell(hostOf([a, b, c], mdevs), first, keys)
  expect(second.rows.guests.map(([uuid]) => uuid)).toEqual(['a', 'b', 'c'])
  expect(second.rows.guests[0]).toBe(first.rows.guests[0])
  expect(second.rows.guests[2]).toBe(first.rows.guests[1])
  expect(second.rows.holdings[2]).toBe(first.rows.holdings[1])
  expect(second.rows.mdevs).toBe(first.rows.mdevs)
  const third = tell(hostOf([a, b, guest('c', 'small', HELD)], mdevs), second, keys)
  expect(third.rows.guests[2]).toBe(second.rows.guests[2])
})

test('of two guests under one uuid the last one stands, also where it came later', () => {
  const keys = createListKeys()
  const first = tell(hostOf([guest('a', 'small', HELD), guest('b', 'small', HELD)]), null, keys)
  const twice = [...(first.description.guests ?? []), guest('a', 'large', HELD)]
  const second = tell(hostOf(twice), first, keys)
  expect(second.rows.guests.map(([uuid, , , , flavor]) => [uuid, flavor])).toEqual([
    ['a', 'large'],
    ['b', 'small'],
  ])
  expect(second.rows.holdings).toHaveLength(2)
})

test('what guests hold is unknown only where the mdevs could not be read', () => {
  const guests = [guest('a', 'small', null), guest('b', 'small', HELD)]
  expect([...unknownHolders(hostOf(guests, null))]).toEqual(['a'])
  expect([...unknownHolders(hostOf(guests))]).toEqual([])
})
