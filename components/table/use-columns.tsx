'use client'

import dynamic from 'next/dynamic'
import { parseAsArrayOf, parseAsString, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { type Column, isShown } from './column'

/** Not needed for the first paint. */
const ColumnMenu = dynamic(() => import('./column-menu').then((module) => module.ColumnMenu))

/** The columns without those that the address hides, and the menu that hides them. The CSV has all columns. */
export const useColumns = <Row, Context, Sort extends string>(
  columns: readonly Column<Row, Context, Sort>[],
): { columns: Column<Row, Context, Sort>[]; menu: ReactNode } => {
  const [hidden, setHidden] = useQueryState('hide', parseAsArrayOf(parseAsString).withDefault([]))
  const choices = columns
    .filter(isShown)
    .filter(({ isFixed }) => isFixed !== true)
    .map(({ id, header }) => ({ value: id, label: header }))
  const chosen = hidden.filter((id) => choices.some(({ value }) => value === id))
  return {
    columns: columns.filter(({ id }) => !chosen.includes(id)),
    menu: (
      <ColumnMenu
        choices={choices}
        hidden={chosen}
        onHide={(next) => void setHidden(next.length === 0 ? null : next)}
      />
    ),
  }
}
