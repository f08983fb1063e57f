'use client'

import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { EmptyState } from '@/components/ui/states'
import type { ChangePlan } from '@/lib/schemas/api/change'
import type { PlanPassthrough } from '@/lib/schemas/api/change-inputs'
import { formatNoun } from '@/lib/util/format'
import { ConfigPanel } from './config-panel'
import { ConfigTexts } from './config-texts'
import { NoneChosen } from './none-chosen'
import { PassthroughChoice } from './passthrough-choice'
import { PlanView } from './plan-view'
import { PlannedSteps } from './planned-steps'
import { LeftAlone } from './preview-panels'
import { readGpus } from './read-gpus'
import { StuckServersPanel } from './stuck-servers-panel'
import { TypeBars } from './type-bars'
import { TypeMeaningPanels } from './type-meaning-panels'

/** As lib/util/paths newPassthroughPath writes them. */
const newPassthroughParams = {
  gpus: parseAsString.withDefault(''),
  to: parseAsStringLiteral(['whole', 'sliced']).withDefault('whole'),
  alias: parseAsString.withDefault(''),
  loss: parseAsBoolean.withDefault(false),
}

const TITLES: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole: 'Hand cards out whole',
  sliced: 'Take cards out of passthrough',
}

const NothingToDo = ({ preview, to }: Pick<ChangePlan, 'preview'> & Pick<PlanPassthrough, 'to'>) => (
  <EmptyState title={preview.refusals.length === 0 ? 'There is nothing to do' : 'Nothing can be changed'}>
    {preview.refusals.length === 0
      ? to === 'whole'
        ? 'Every chosen card goes out whole already.'
        : 'Every chosen card is under its driver already.'
      : 'Each card is refused for the reason that stands under “Left alone”. Nothing was touched.'}
  </EmptyState>
)

const Plan = ({ input }: { input: PlanPassthrough }) => {
  const { cloud } = useCloud()
  return (
    <PlanView
      input={input}
      main={({ steps, preview }) => (
        <>
          {steps.length === 0 ? <NothingToDo preview={preview} to={input.to} /> : null}
          {preview.typeChange == null ? null : (
            <>
              <TypeBars change={preview.typeChange} cloud={cloud} />
              <StuckServersPanel servers={preview.typeChange.servers} />
              <ConfigPanel hosts={preview.typeChange.hosts} />
              <ConfigTexts change={preview.typeChange} />
            </>
          )}
          {steps.length === 0 ? null : <PlannedSteps steps={steps} />}
        </>
      )}
      side={({ preview }) => (
        <>
          <LeftAlone refusals={preview.refusals} cloud={cloud} />
          {preview.typeChange == null ? null : <TypeMeaningPanels change={preview.typeChange} />}
        </>
      )}
    />
  )
}

/** Prepares a change between slices and the whole card. The address holds what was chosen, so it can be sent to a colleague. */
export const NewPassthroughPage = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(newPassthroughParams)
  const gpus = readGpus(params.gpus)
  return (
    <>
      <PageHeader
        title={TITLES[params.to]}
        sub={gpus.length === 0 ? undefined : formatNoun(gpus.length, 'pGPU')}
      />
      {gpus.length === 0 ? (
        <NoneChosen cloud={cloud}>Open a pGPU and press “Hand out whole”.</NoneChosen>
      ) : (
        <div className="flex flex-col gap-3">
          <PassthroughChoice
            key={`${params.to} ${params.alias}`}
            wish={{ to: params.to, alias: params.alias, isFlavorLossAccepted: params.loss }}
            onWish={({ to, alias, isFlavorLossAccepted }) =>
              void setParams({ to, alias, loss: isFlavorLossAccepted })
            }
          />
          <Plan
            input={{
              cloud,
              kind: 'passthrough',
              gpus,
              to: params.to,
              alias: params.alias === '' ? null : params.alias,
              isFlavorLossAccepted: params.loss,
            }}
          />
        </div>
      )}
    </>
  )
}
