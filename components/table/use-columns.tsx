'use client'

import dynamic from 'next/dynamic'
import { parseAsArrayOf, parseAsString, useQueryStates } from 'nuqs'
import { type ReactNode, useMemo } from 'react'
import type { Column } from './column'

/** Not needed for the first paint. */
const ColumnMenu = dynamic(() => import('./column-menu').then((module) => module.ColumnMenu))

/** What the menu needs of a column. */
type MenuColumn = Pick<Column<never>, 'id' | 'header' | 'isFixed' | 'isOptional'> & { cell?: unknown }

const idList = parseAsArrayOf(parseAsString).withDefault([])
/** Ids of the hidden columns, and of the shown optional ones. The names are public: bookmarks and saved views use them. */
const SEARCH_PARAMS = { hide: idList, show: idList }

const isInMenu = ({ cell, header, isFixed }: MenuColumn): boolean =>
  cell !== undefined && header !== undefined && isFixed !== true

const orNull = (ids: string[]): string[] | null => (ids.length === 0 ? null : ids)

/** The columns that the address shows, and the menu that chooses them. The CSV has all columns. */
export const useColumns = <Item extends MenuColumn>(
  columns: readonly Item[],
): { columns: Item[]; menu: ReactNode } => {
  const [{ hide, show }, setParams] = useQueryStates(SEARCH_PARAMS)
  return useMemo(() => {
    const choices = columns.filter(isInMenu)
    const isShown = ({ id, isOptional }: MenuColumn): boolean =>
      isOptional === true ? show.includes(id) : !hide.includes(id)
    return {
      columns: columns.filter((column) => !isInMenu(column) || isShown(column)),
      menu: (
        <ColumnMenu
          choices={choices.map(({ id, header = id }) => ({ value: id, label: header }))}
          shown={choices.filter(isShown).map(({ id }) => id)}
          onChoose={(shown) => {
            const ids = (isOptional: boolean): string[] =>
              choices
                .filter((column) => (column.isOptional ?? false) === isOptional)
                .map(({ id }) => id)
                .filter((id) => shown.includes(id) === isOptional)
            void setParams({ hide: orNull(ids(false)), show: orNull(ids(true)) })
          }}
          onReset={() => void setParams({ hide: null, show: null })}
        />
      ),
    }
  }, [columns, hide, show, setParams])
}
