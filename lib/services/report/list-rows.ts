import type { DescribedGuest, DescribedMdev, HostDescription } from '@/lib/domain/host/types'
import { changedStretch, type Stretch } from '@/lib/util/changed-stretch'
import type { HostRows, Row, Rows } from './host-rows'
import type { Cell } from './pg-array'
import { isSameRow } from './same-cells'

/** What a host's last report told as a list, and what was made of each entry, in its order. */
type MadeList<Item, Made> = { items: readonly Item[]; made: readonly Made[] }

const mdevRow = (mdev: DescribedMdev): Row => [
  mdev.uuid,
  mdev.pgpuAddress,
  mdev.parent,
  mdev.typeId,
  mdev.isActive,
  mdev.isDefined,
  mdev.isAutostart,
  mdev.occupant?.guestUuid ?? null,
]

const guestRow = (guest: DescribedGuest): Row => [
  guest.guestUuid,
  guest.guestName,
  guest.guestState,
  guest.serverName,
  guest.flavorName,
  guest.projectId,
  guest.projectName,
  guest.userName,
  guest.pgpuAddresses,
]

/** Null: the guest holds nothing, or it is not known what. */
const holdingRow = (guest: DescribedGuest): Row | null =>
  guest.holdings === null || guest.holdings.length === 0
    ? null
    : [
        guest.guestUuid,
        guest.serverName ?? guest.guestName,
        guest.flavorName,
        guest.projectId,
        guest.projectName,
        guest.holdings.map(({ pgpuAddress }) => pgpuAddress),
        guest.holdings.map(({ typeId }) => typeId ?? ''),
      ]

/** Of where both lists have several entries, for else none of them can have stayed. */
const madeBetween = <Item extends object, Made>(
  { items, made }: MadeList<Item, Made>,
  { start, beforeEnd, afterEnd }: Stretch,
): ReadonlyMap<Item, Made | undefined> | null => {
  if (beforeEnd - start <= 1 || afterEnd - start <= 1) return null
  return new Map(items.slice(start, beforeEnd).map((item, n) => [item, made[start + n]]))
}

/** What is made of each entry: that of last time for entries that are the same objects, and the very list when all are. */
const carryOver = <Item extends object, Made>(
  items: readonly Item[],
  before: MadeList<Item, Made>,
  /** `last`: what was made of the entry in its place, perhaps another one. */
  make: (item: Item, last: Made | undefined) => Made,
): readonly Made[] => {
  const stretch = changedStretch(before.items, items)
  if (stretch === null) return before.made
  const { start, beforeEnd, afterEnd } = stretch
  const made: Made[] = []
  const moved = beforeEnd === afterEnd ? null : madeBetween(before, stretch)
  for (let place = start; place < afterEnd; place += 1) {
    const item = items[place]
    if (item === undefined) continue
    const last = before.made[place]
    const known = item === before.items[place] ? last : moved?.get(item)
    made.push(known ?? make(item, last))
  }
  return before.made.toSpliced(start, beforeEnd - start, ...made)
}

/** The keys of a list's rows: kept in step with it, since to look for a new one in the rows would touch each of them. */
type Keys = Set<Cell | undefined>

const hasSameKeys = (before: Rows, after: Rows, { start, beforeEnd, afterEnd }: Stretch): boolean => {
  if (beforeEnd !== afterEnd) return false
  for (let place = start; place < afterEnd; place += 1)
    if (before[place]?.[0] !== after[place]?.[0]) return false
  return true
}

/** Whether each row has a key of its own, as each of `before` had. */
const followKeys = (keys: Keys, before: Rows, after: Rows): boolean => {
  const stretch = changedStretch(before, after)
  if (stretch === null || hasSameKeys(before, after, stretch)) return true
  const { start, beforeEnd, afterEnd } = stretch
  for (let place = start; place < beforeEnd; place += 1) keys.delete(before[place]?.[0])
  for (let place = start; place < afterEnd; place += 1) keys.add(after[place]?.[0])
  return keys.size === after.length
}

/** The row of last time when it says the same: nothing else is to be compared then. */
const keptRow = (row: Row, last: Row | undefined): Row =>
  last !== undefined && isSameRow(row, last) ? last : row

type ListRows<Item> = {
  items: readonly Item[]
  before: MadeList<Item, Row> | null
  /** Of the rows of last time, and then of these. */
  keys: Keys
  rowOf: (item: Item) => Row
}

/** The rows of a list in which each entry has one; of two entries under one key the last one stands. */
const listRows = <Item extends object>({ items, before, keys, rowOf }: ListRows<Item>): Rows => {
  if (before !== null && before.made.length === before.items.length) {
    const rows = carryOver(items, before, (item, last) => keptRow(rowOf(item), last))
    if (followKeys(keys, before.made, rows)) return rows
  }
  const byKey = new Map<Cell | undefined, Row>()
  for (const row of items.map(rowOf)) byKey.set(row[0], row)
  keys.clear()
  for (const key of byKey.keys()) keys.add(key)
  return [...byKey.values()]
}

const NONE: readonly never[] = []

export type ListKeys = { mdevs: Keys; guests: Keys }

export const createListKeys = (): ListKeys => ({ mdevs: new Set(), guests: new Set() })

/** The last description of a host and its rows. */
type ListsBefore = {
  description: HostDescription
  rows: Pick<HostRows, 'mdevs' | 'guests' | 'holdings'>
  holders: Holders
} | null

/** What each guest holds, as a row or null, in the order of the guests as far as no two of them have one uuid. */
export type Holders = readonly (Row | null)[]

type Lists = { before: ListsBefore; keys: ListKeys }

export const mdevRows = ({ mdevs }: HostDescription, { before, keys }: Lists): Rows =>
  listRows({
    items: mdevs ?? NONE,
    before: before && { items: before.description.mdevs ?? NONE, made: before.rows.mdevs },
    keys: keys.mdevs,
    rowOf: mdevRow,
  })

export const guestRows = ({ guests }: HostDescription, { before, keys }: Lists): Rows =>
  listRows({
    items: guests ?? NONE,
    before: before && { items: before.description.guests ?? NONE, made: before.rows.guests },
    keys: keys.guests,
    rowOf: guestRow,
  })

/** `rows`: those of the guests, one for each of other uuids. */
export const guestHolders = (
  { guests }: HostDescription,
  { rows, before }: { rows: Rows; before: ListsBefore },
): Holders => {
  const items = guests ?? NONE
  const last = before?.description.guests ?? NONE
  if (rows.length !== items.length)
    return [...new Map(items.map((guest) => [guest.guestUuid, guest])).values()].map(holdingRow)
  if (before === null || before.rows.guests.length !== last.length) return items.map(holdingRow)
  return carryOver(items, { items: last, made: before.holders }, holdingRow)
}

const doAllHold = (holders: Holders): holders is Rows => !holders.includes(null)

/** The rows of those who hold something. */
export const holdingRows = (holders: Holders, before: ListsBefore): Rows => {
  if (holders === before?.holders) return before.rows.holdings
  return doAllHold(holders) ? holders : holders.filter((row) => row !== null)
}

const NOBODY: ReadonlySet<string> = new Set()

/** Guests of which it is not known what they hold. */
export const unknownHolders = ({ guests, mdevs }: HostDescription): ReadonlySet<string> => {
  if (mdevs !== null || guests === null) return NOBODY
  const unknown = guests.filter(({ holdings }) => holdings === null)
  return unknown.length === 0 ? NOBODY : new Set(unknown.map(({ guestUuid }) => guestUuid))
}
