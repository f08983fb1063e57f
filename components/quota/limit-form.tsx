'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { QuotaList } from '@/lib/schemas/api/quota'
import { formatCount } from '@/lib/util/format'
import { LimitFigure } from './limit-figure'
import { type LimitKey, limitProblem, textNow } from './limit-wish'
import { className } from './quota-words'

type TableData = NonNullable<QuotaList['table']>

const rowOf = (table: TableData, key: LimitKey) =>
  table.rows.find((row) => row.resourceName === key.resourceName && row.projectId === key.projectId)

const Now = ({ table, limitKey }: { table: TableData; limitKey: LimitKey }) => {
  const limit =
    limitKey.projectId === null
      ? table.classes.find(({ resourceName }) => resourceName === limitKey.resourceName)?.standard
      : rowOf(table, limitKey)?.limit
  return limit === undefined ? (
    <Unknown reason="Keystone does not tell of it" />
  ) : (
    <LimitFigure limit={limit} hasOrigin={limitKey.projectId !== null} />
  )
}

const Used = ({ table, limitKey }: { table: TableData; limitKey: LimitKey }) => {
  if (limitKey.projectId === null) return null
  const used = rowOf(table, limitKey)?.used
  return used === undefined || used.value === null ? (
    <Unknown reason={used?.reason ?? 'Placement was not asked'} />
  ) : (
    formatCount(used.value)
  )
}

const LimitLine = ({
  table,
  limitKey,
  text,
  isTried,
  onText,
}: {
  table: TableData
  limitKey: LimitKey
  text: string
  isTried: boolean
  onText: (text: string) => void
}) => {
  const problem = isTried ? limitProblem(text, limitKey) : undefined
  const who =
    limitKey.projectId === null ? 'default' : (rowOf(table, limitKey)?.projectName ?? limitKey.projectId)
  const name = className(limitKey.resourceName)
  const id = `limit ${limitKey.resourceName} ${limitKey.projectId}`
  return (
    <Tr className="align-baseline">
      <Td className="wrap-anywhere">
        <span className="font-[550]">{name}</span> <span className="text-ink2">{who}</span>
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <Now table={table} limitKey={limitKey} />
      </Td>
      <Td isNumber>
        <Used table={table} limitKey={limitKey} />
      </Td>
      <Td className="w-40">
        <Input
          aria-label={`New limit on ${name}, ${who}`}
          value={text}
          inputMode="numeric"
          maxLength={11}
          placeholder={limitKey.projectId === null ? '' : 'default'}
          onChange={(event) => onText(event.target.value)}
          {...(problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-note` })}
        />
        {problem === undefined ? null : (
          <p id={`${id}-note`} className="text-bad text-small">
            {problem}
          </p>
        )}
      </Td>
    </Tr>
  )
}

/** Limits with what they are now and what they are to be. Nothing is planned before the button is pressed. */
export const LimitForm = ({
  table,
  keys,
  texts: first,
  onPlan,
}: {
  table: TableData
  keys: readonly LimitKey[]
  /** Null: the current values. */
  texts: readonly string[] | null
  onPlan: (texts: string[]) => void
}) => {
  const [texts, setTexts] = useState<readonly string[]>(() => first ?? keys.map((key) => textNow(table, key)))
  const [isTried, setIsTried] = useState(false)
  const isBad = keys.some((key, place) => limitProblem(texts[place] ?? '', key) !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (!isBad) onPlan([...texts])
  }
  return (
    <form onSubmit={submit} noValidate>
      <Panel>
        <div className="mb-3 overflow-x-auto">
          <Table aria-label="Limits to change">
            <thead>
              <tr>
                <Th>Limit</Th>
                <Th isNumber>Now</Th>
                <Th isNumber>Used</Th>
                <Th>New limit</Th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key, place) => (
                <LimitLine
                  key={`${key.resourceName} ${key.projectId}`}
                  table={table}
                  limitKey={key}
                  text={texts[place] ?? ''}
                  isTried={isTried}
                  onText={(text) => setTexts(keys.map((_, at) => (at === place ? text : (texts[at] ?? ''))))}
                />
              ))}
            </tbody>
          </Table>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" variant="main">
            Plan the change
          </Button>
          <p className="text-ink2">
            Empty takes a project’s own limit away, and the default holds. -1 is no limit from 2025.1 on.
          </p>
        </div>
      </Panel>
    </form>
  )
}
