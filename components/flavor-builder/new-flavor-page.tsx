'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsJson, useQueryStates } from 'nuqs'
import * as z from 'zod/mini'
import { PlanView } from '@/components/change/plan-view'
import { PlannedSteps } from '@/components/change/planned-steps'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { CopyButton } from '@/components/ui/copyable'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Tabs } from '@/components/ui/tabs'
import { flavorOffersOptions } from '@/lib/api/flavors'
import type { ChangePlan, PreviewOf } from '@/lib/schemas/api/change'
import type { PlanFlavor } from '@/lib/schemas/api/change-inputs'
import type { FlavorOffers } from '@/lib/schemas/api/flavor-offer'
import { formatNoun } from '@/lib/util/format'
import { ChangeFlavorsForm } from './change-flavors-form'
import {
  EMPTY_CHANGE,
  EMPTY_FLAVOR,
  flavorChangeInputSchema,
  newFlavorInputSchema,
  planOfChange,
  planOfNew,
  problemsOf,
} from './flavor-input'
import { FlavorMeaning } from './flavor-meaning'
import { NewFlavorForm } from './new-flavor-form'

const Text = ({ text, label }: { text: string; label: string }) => (
  <div className="flex items-start gap-1">
    <pre className="m-0 min-w-0 flex-1 whitespace-pre-wrap rounded-control border border-line bg-bg px-3 py-1.5 font-mono text-small wrap-anywhere">
      {text}
    </pre>
    <CopyButton text={text} label={`Copy ${label}`} />
  </div>
)

/** The same by other means, for who would rather not have the console do it. */
const InsteadPanel = ({
  plan: { steps, stepCount, preview },
}: {
  plan: Pick<ChangePlan, 'steps' | 'stepCount'> & { preview: PreviewOf<'flavor'> }
}) => {
  const commands = steps.map(({ command }) => command).join('\n')
  const terraform = preview.flavorChange.terraform
  if (steps.length === 0) return null
  return (
    <Panel title="Alternatives" note="to run without the console">
      <Tabs
        label="Method"
        tabs={[
          {
            value: 'openstack',
            label: 'openstack',
            content:
              steps.length === stepCount ? (
                <Text text={commands} label="the commands" />
              ) : (
                <p className="text-ink2">Save the plan to download all commands as a runbook.</p>
              ),
          },
          ...(terraform === null
            ? []
            : [
                {
                  value: 'terraform',
                  label: 'Terraform',
                  content: <Text text={terraform.trimEnd()} label="the Terraform resources" />,
                },
              ]),
        ]}
      />
    </Panel>
  )
}

const parse =
  <Schema extends Parameters<typeof z.safeParse>[0]>(schema: Schema) =>
  (value: unknown): z.infer<Schema> | null => {
    const parsed = z.safeParse(schema, value)
    return parsed.success ? (parsed.data as z.infer<Schema>) : null
  }

/** As lib/util/paths newFlavorPath writes them; the last members contain what was planned last. */
const newFlavorParams = {
  flavors: parseAsJson(parse(z.array(z.string()))),
  input: parseAsJson(parse(newFlavorInputSchema)),
  change: parseAsJson(parse(flavorChangeInputSchema)),
}

const NothingToDo = ({ preview }: { preview: PreviewOf<'flavor'> }) => {
  const isRefused = preview.flavorChange.refusals.length > 0
  return (
    <EmptyState title={isRefused ? 'No plan is possible' : 'No changes needed'}>
      {isRefused
        ? 'The reason is listed under “Skipped”. Nothing was written.'
        : 'Every selected flavor already has these settings.'}
    </EmptyState>
  )
}

const Plan = ({ input }: { input: PlanFlavor }) => {
  const { cloud } = useCloud()
  return (
    <PlanView
      input={input}
      main={(plan) =>
        plan.steps.length === 0 ? (
          <NothingToDo preview={plan.preview} />
        ) : (
          <>
            <PlannedSteps plan={plan} />
            <InsteadPanel plan={plan} />
          </>
        )
      }
      side={({ preview }) => <FlavorMeaning change={preview.flavorChange} cloud={cloud} />}
    />
  )
}

const Builder = ({ offers }: { offers: FlavorOffers }) => {
  const { cloud } = useCloud()
  const [{ input }, setParams] = useQueryStates(newFlavorParams)
  const isReady = input !== null && Object.keys(problemsOf(input)).length === 0
  return (
    <>
      <NewFlavorForm
        offers={offers}
        input={input ?? EMPTY_FLAVOR}
        onPlan={(next) => void setParams({ input: next })}
      />
      {isReady ? <Plan input={planOfNew(cloud, input)} /> : null}
    </>
  )
}

const Changer = ({ offers, flavorIds }: { offers: FlavorOffers; flavorIds: readonly string[] }) => {
  const { cloud } = useCloud()
  const [{ change }, setParams] = useQueryStates(newFlavorParams)
  return (
    <>
      <ChangeFlavorsForm
        offers={offers}
        flavorIds={flavorIds}
        input={change ?? EMPTY_CHANGE}
        onPlan={(flavors, next) => void setParams({ flavors, change: next })}
      />
      {change === null || flavorIds.length === 0 ? null : (
        <Plan input={planOfChange(cloud, flavorIds, change)} />
      )}
    </>
  )
}

/** Builds a flavor from requirements, or changes existing flavors. The search params contain the last plan. */
export const NewFlavorPage = () => {
  const { cloud } = useCloud()
  const [{ flavors }] = useQueryStates(newFlavorParams)
  const { data, error, isPending, isFetching, refetch } = useQuery(flavorOffersOptions({ cloud }))
  return (
    <>
      <PageHeader
        title={flavors === null ? 'Create flavor' : 'Change flavors'}
        sub={flavors === null ? undefined : formatNoun(flavors.length, 'flavor')}
      />
      {isPending && error === null ? <SkeletonRows rows={8} label="Loading the options" /> : null}
      {error === null ? null : (
        <ErrorState
          title="The options for flavors could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
      {data === undefined ? null : (
        <div className="flex flex-col gap-3">
          {flavors === null ? <Builder offers={data} /> : <Changer offers={data} flavorIds={flavors} />}
        </div>
      )}
    </>
  )
}
