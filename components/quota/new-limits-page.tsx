'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsJson, useQueryStates } from 'nuqs'
import { PlanView } from '@/components/change/plan-view'
import { PlannedSteps } from '@/components/change/planned-steps'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { projectQuotaOptions } from '@/lib/api/quotas'
import type { PreviewOf } from '@/lib/schemas/api/change'
import type { QuotaList } from '@/lib/schemas/api/quota'
import * as z from '@/lib/schemas/mini'
import { formatNoun } from '@/lib/util/format'
import { quotasPath } from '@/lib/util/paths'
import { LimitForm } from './limit-form'
import { LimitMeaning } from './limit-meaning'
import { type LimitKey, limitKeysSchema, planOfTexts } from './limit-wish'

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
    <EmptyState title={isRefused ? 'It can’t be planned like this' : 'There is nothing to do'}>
      {isRefused
        ? 'The reason is listed under “Skipped”. Nothing was written.'
        : 'Every chosen limit is as wanted already.'}
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
          title="No limit is chosen"
          action={
            <Link href={quotasPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
              Choose limits
            </Link>
          }
        >
          Select projects in the list of quotas and press “Change limits”, or change the default of a class.
        </EmptyState>
      </>
    )
  return (
    <>
      <PageHeader title="Change limits" sub={formatNoun(keys.length, 'limit')} />
      <LoadProblem query={query} what="The quotas" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the quotas" /> : null}
      {data === undefined ? null : data.table === null ? (
        <EmptyState title="Can’t tell which limits there are">{data.because}.</EmptyState>
      ) : (
        <Form table={data.table} keys={keys} />
      )}
    </>
  )
}
