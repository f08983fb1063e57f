'use client'

import { useQueryStates } from 'nuqs'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import type { PlanPassthrough } from '@/lib/schemas/api/change-inputs'
import { CardPlan } from './card-plan'
import { chosenText, newPassthroughParams, passthroughInput } from './new-plan-params'
import { NoneChosen } from './none-chosen'
import { PassthroughChoice } from './passthrough-choice'
import { readGpus } from './read-gpus'

const TITLES: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole: 'Hand cards out whole',
  sliced: 'Take cards out of passthrough',
}

const NOTHING: Readonly<Record<PlanPassthrough['to'], string>> = {
  whole: 'Every chosen card goes out whole already.',
  sliced: 'Every chosen card is under its driver already.',
}

/** Prepares a change between slices and the whole card. The address holds what was chosen, so it can be sent to a colleague. */
export const NewPassthroughPage = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(newPassthroughParams)
  const isNoneChosen = params.filter === '' && readGpus(params.gpus).length === 0
  return (
    <>
      <PageHeader title={TITLES[params.to]} sub={isNoneChosen ? undefined : chosenText(params)} />
      {isNoneChosen ? (
        <NoneChosen cloud={cloud}>Select pGPUs in the list and press “Configure passthrough”.</NoneChosen>
      ) : (
        <div className="flex flex-col gap-3">
          <PassthroughChoice
            key={`${params.to} ${params.alias}`}
            wish={{ to: params.to, alias: params.alias, isFlavorLossAccepted: params.loss }}
            onWish={({ to, alias, isFlavorLossAccepted }) =>
              void setParams({ to, alias, loss: isFlavorLossAccepted })
            }
          />
          <CardPlan nothing={NOTHING[params.to]} input={passthroughInput(cloud, params)} />
        </div>
      )}
    </>
  )
}
