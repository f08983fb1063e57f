import type { ScenarioResult } from '@/lib/schemas/api/scenario-result'

/** A row of a table of results: the same key in each scenario; undefined: its answer leaves the row out. */
export type ResultRow<Row> = { key: string; first: Row; sides: readonly (Row | undefined)[] }

/** The rows of all scenarios, in the order of the first that has them. */
export const joinRows = <Row>(
  lists: readonly (readonly Row[])[],
  keyOf: (row: Row) => string,
): ResultRow<Row>[] => {
  const byKey = lists.map((rows) => new Map(rows.map((row) => [keyOf(row), row])))
  const firsts = new Map<string, Row>()
  for (const rows of lists) for (const row of rows) if (!firsts.has(keyOf(row))) firsts.set(keyOf(row), row)
  return [...firsts].map(([key, first]) => ({ key, first, sides: byKey.map((rows) => rows.get(key)) }))
}

type Group = ScenarioResult['aggregates'][number] | ScenarioResult['types'][number]

/** Whether the steps change anything of a type or an aggregate. */
export const isGroupChanged = (group: Group): boolean => {
  const { capacity, full } = group
  const isMoved =
    'cards' in group ? group.cards.before !== group.cards.after : group.used.before !== group.used.after
  return (
    isMoved ||
    capacity.before !== capacity.after ||
    JSON.stringify(full.before) !== JSON.stringify(full.after)
  )
}

/** Whether other servers of a flavor fit, somewhere. */
export const isFlavorChanged = ({
  fits,
  byAggregate,
}: NonNullable<ScenarioResult['flavors']>[number]): boolean =>
  fits.before !== fits.after || byAggregate.length > 0
