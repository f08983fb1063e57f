'use client'

import '@/lib/schemas/without-eval'
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsJson, useQueryStates } from 'nuqs'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { PlanView } from '@/components/change/plan-view'
import { PlannedSteps } from '@/components/change/planned-steps'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { projectQuotaOptions } from '@/lib/api/quotas'
import type { PreviewOf } from '@/lib/schemas/api/change'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import type { QuotaList } from '@/lib/schemas/api/quota'
import { formatCount, formatNoun } from '@/lib/util/format'
import { quotasPath } from '@/lib/util/paths'
import { LimitFigure } from './limit-figure'
import { LimitMeaning } from './limit-meaning'
import { className } from './quota-labels'

/** A limit that is to be changed; `projectId` null: the registered default. */
export const limitKeysSchema = z.array(
  z.object({ resourceName: z.string(), projectId: z.nullable(z.string()) }),
)
type LimitKey = z.infer<typeof limitKeysSchema>[number]

const MAX_LIMIT = 2_147_483_647

/** Why a text is no limit; undefined: it is one. Empty: a project's own limit goes. */
export const limitProblem = (text: string, { projectId }: LimitKey): string | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return projectId === null ? 'Enter a number for the default.' : undefined
  return /^(-1|\d{1,10})$/.test(trimmed) && Number(trimmed) <= MAX_LIMIT
    ? undefined
    : `Enter a whole number from 0 to ${MAX_LIMIT}, or -1 for no limit.`
}

/** The plan for the texts of the keys. */
export const planOfTexts = (
  cloud: string | null,
  keys: readonly LimitKey[],
  texts: readonly string[],
): PlanLimits => ({
  cloud,
  kind: 'limits',
  limits: keys.map((key, index) => {
    const text = (texts[index] ?? '').trim()
    return { ...key, value: text === '' ? null : Number(text) }
  }),
})

/** The current value as text of the form: empty if a project has no project limit, and if none is known. */
const textNow = (table: NonNullable<QuotaList['table']>, key: LimitKey): string => {
  const limit =
    key.projectId === null
      ? table.classes.find(({ resourceName }) => resourceName === key.resourceName)?.standard
      : table.rows.find((row) => row.resourceName === key.resourceName && row.projectId === key.projectId)
          ?.limit
  if (limit === undefined || (key.projectId !== null && limit.origin !== 'own')) return ''
  if (limit.origin === 'missing') return ''
  return limit.kind === 'number' ? String(limit.value) : limit.kind === 'unlimited' ? '-1' : ''
}

type TableData = NonNullable<QuotaList['table']>

const rowOf = (table: TableData, key: LimitKey) =>
  table.rows.find((row) => row.resourceName === key.resourceName && row.projectId === key.projectId)

const Now = ({ table, limitKey }: { table: TableData; limitKey: LimitKey }) => {
  const limit =
    limitKey.projectId === null
      ? table.classes.find(({ resourceName }) => resourceName === limitKey.resourceName)?.standard
      : rowOf(table, limitKey)?.limit
  return limit === undefined ? (
    <Unknown reason="not reported by Keystone" />
  ) : (
    <LimitFigure limit={limit} hasOrigin={limitKey.projectId !== null} />
  )
}

const Used = ({ table, limitKey }: { table: TableData; limitKey: LimitKey }) => {
  if (limitKey.projectId === null) return null
  const used = rowOf(table, limitKey)?.used
  return used === undefined || used.value === null ? (
    <Unknown reason={used?.reason ?? 'Placement was not queried'} />
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
const LimitForm = ({
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
  const isBad = keys.some((key, index) => limitProblem(texts[index] ?? '', key) !== undefined)
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
              {keys.map((key, index) => (
                <LimitLine
                  key={`${key.resourceName} ${key.projectId}`}
                  table={table}
                  limitKey={key}
                  text={texts[index] ?? ''}
                  isTried={isTried}
                  onText={(text) => setTexts(keys.map((_, at) => (at === index ? text : (texts[at] ?? ''))))}
                />
              ))}
            </tbody>
          </Table>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" variant="main">
            Create plan
          </Button>
          <p className="text-ink2">
            Leave blank to remove the project limit and use the default. Since 2025.1, -1 means no limit.
          </p>
        </div>
      </Panel>
    </form>
  )
}

const parse =
  <Schema extends Parameters<typeof z.safeParse>[0]>(schema: Schema) =>
  (value: unknown): z.infer<Schema> | null => {
    const parsed = z.safeParse(schema, value)
    return parsed.success ? (parsed.data as z.infer<Schema>) : null
  }

/** As lib/util/paths newLimitsPath writes them; `to`: what was planned last, for each of `limits`. */
const newLimitsParams = {
  limits: parseAsJson(parse(limitKeysSchema)),
  to: parseAsJson(parse(z.array(z.string()))),
}

const NothingToDo = ({ preview }: { preview: PreviewOf<'limits'> }) => {
  const isRefused = preview.limitChange.refusals.length > 0
  return (
    <EmptyState title={isRefused ? 'No plan is possible' : 'No changes needed'}>
      {isRefused
        ? 'The reason is listed under “Skipped”. Nothing was written.'
        : 'Every selected limit already has this value.'}
    </EmptyState>
  )
}

const Form = ({ table, keys }: { table: NonNullable<QuotaList['table']>; keys: readonly LimitKey[] }) => {
  const { cloud } = useCloud()
  const [{ to }, setParams] = useQueryStates(newLimitsParams)
  return (
    <div className="flex flex-col gap-3">
      <LimitForm table={table} keys={keys} texts={to} onPlan={(texts) => void setParams({ to: texts })} />
      {to === null ? null : (
        <PlanView
          input={planOfTexts(cloud, keys, to)}
          main={(plan) =>
            plan.steps.length === 0 ? <NothingToDo preview={plan.preview} /> : <PlannedSteps plan={plan} />
          }
          side={({ preview }) => <LimitMeaning change={preview.limitChange} />}
        />
      )}
    </div>
  )
}

/** Prepares a change of limits. The address holds what was chosen and planned. */
export const NewLimitsPage = () => {
  const { cloud } = useCloud()
  const [{ limits }] = useQueryStates(newLimitsParams)
  const keys = limits ?? []
  const listOf = (values: readonly (string | null)[]): string =>
    [...new Set(values.filter((value) => value !== null))].toSorted().join()
  const query = useQuery(
    projectQuotaOptions({
      cloud,
      projects: listOf(keys.map(({ projectId }) => projectId)),
      classes: listOf(keys.map(({ resourceName }) => resourceName)),
    }),
  )
  const { data, error, isPending } = query
  if (keys.length === 0)
    return (
      <>
        <PageHeader title="Change limits" />
        <EmptyState
          title="No limit selected"
          action={
            <Link href={quotasPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
              Select limits
            </Link>
          }
        >
          Select projects in the list of quotas, then “Change limits”, or change the default of a class.
        </EmptyState>
      </>
    )
  return (
    <>
      <PageHeader title="Change limits" sub={formatNoun(keys.length, 'limit')} />
      <LoadProblem query={query} what="The quotas" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the quotas" /> : null}
      {data === undefined ? null : data.table === null ? (
        <EmptyState title="The limits are unknown">{data.because}.</EmptyState>
      ) : (
        <Form table={data.table} keys={keys} />
      )}
    </>
  )
}
