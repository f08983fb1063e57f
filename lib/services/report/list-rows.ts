import { listChange } from '@/lib/domain/host/list-change'
import type { DescribedGuest, DescribedMdev, HostDescription } from '@/lib/domain/host/types'
import { copyMap } from '@/lib/util/copy-map'
import type { HostRows, Rows, ToldHoldings } from './host-rows'
import type { Cell } from './pg-array'

/** The last description of a host and its rows. */
export type RowsBefore = { description: HostDescription; rows: HostRows } | null

const mdevRow = (mdev: DescribedMdev): readonly Cell[] => [
  mdev.uuid,
  mdev.pgpuAddress,
  mdev.parent,
  mdev.typeId,
  mdev.isActive,
  mdev.isDefined,
  mdev.isAutostart,
  mdev.occupant?.guestUuid ?? null,
]

const guestRow = (guest: DescribedGuest): readonly Cell[] => [
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
const holdingRow = (guest: DescribedGuest): readonly Cell[] | null =>
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

type ListRows<Item> = {
  items: readonly Item[]
  before: { items: readonly Item[]; rows: Rows } | null
  keyOf: (item: Item) => string
  rowOf: (item: Item) => readonly Cell[] | null
}

/**
 * The rows of a list by their keys: the very rows of last time for entries that are the same objects, and the very map when all
 * are. Of two entries under one key the last one stands, which `before: null` allows alone.
 */
const listRows = <Item extends object>({ items, before, keyOf, rowOf }: ListRows<Item>): Rows => {
  const { gone, come, sources } = listChange(before?.items ?? [], items)
  if (before !== null && sources === null) return before.rows
  const rows = before === null ? new Map<string, readonly Cell[]>() : copyMap(before.rows)
  for (const item of gone) rows.delete(keyOf(item))
  for (const item of before === null ? items : come) {
    const row = rowOf(item)
    if (row !== null) rows.set(keyOf(item), row)
  }
  return rows
}

const uuidOf = ({ uuid }: DescribedMdev): string => uuid
const guestUuidOf = ({ guestUuid }: DescribedGuest): string => guestUuid

/** Rows of a list in which each entry has one, under a key of its own on any host. */
const wholeRows = <Item extends object>(list: ListRows<Item>): Rows => {
  const { before, items } = list
  if (before !== null && before.rows.size === before.items.length) {
    const rows = listRows(list)
    if (rows.size === items.length) return rows
  }
  return listRows({ ...list, before: null })
}

export const mdevRows = ({ mdevs }: HostDescription, before: RowsBefore): Rows =>
  wholeRows({
    items: mdevs ?? [],
    before: before && { items: before.description.mdevs ?? [], rows: before.rows.mdevs },
    keyOf: uuidOf,
    rowOf: mdevRow,
  })

export const guestRows = ({ guests }: HostDescription, before: RowsBefore): Rows =>
  wholeRows({
    items: guests ?? [],
    before: before && { items: before.description.guests ?? [], rows: before.rows.guests },
    keyOf: guestUuidOf,
    rowOf: guestRow,
  })

const NOBODY: ReadonlySet<string> = new Set()

/** `rows`: those of the guests, one for each of other uuids. */
export const toldHoldings = (
  { guests, guestGap, mdevs }: HostDescription,
  { rows, before }: { rows: Rows; before: RowsBefore },
): ToldHoldings => {
  const items = guests ?? []
  const last = before?.description.guests ?? []
  const isPlain = before !== null && before.rows.guests.size === last.length && rows.size === items.length
  const unknown = mdevs === null ? items.filter(({ holdings }) => holdings === null) : []
  return {
    rows: listRows({
      items: isPlain ? items : [...new Map(items.map((guest) => [guest.guestUuid, guest])).values()],
      before: isPlain ? { items: last, rows: before.rows.holdings.rows } : null,
      keyOf: guestUuidOf,
      rowOf: holdingRow,
    }),
    unknown: unknown.length === 0 ? NOBODY : new Set(unknown.map(guestUuidOf)),
    isWhole: guestGap === null,
  }
}
