'use client'

import { useQueryStates } from 'nuqs'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { CardPlan } from './card-plan'
import { chosenText, newTypeParams, testOf, typeInput } from './new-plan-params'
import { NoneChosen } from './none-chosen'
import { readGpus } from './read-gpus'
import { TestBootChoice } from './test-boot-choice'
import { TypeChoice } from './type-choice'

/** Prepares a change of the vGPU type. The address holds what was chosen, so it can be sent to a colleague. */
export const NewTypePage = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(newTypeParams)
  const [first] = readGpus(params.gpus)
  const input = typeInput(cloud, params)
  return (
    <>
      <PageHeader title="Change the vGPU type" sub={first === undefined ? undefined : chosenText(params)} />
      {first === undefined ? (
        <NoneChosen cloud={cloud}>
          Select pGPUs in the list, those of a host or of an aggregate too, and press “Change type”.
        </NoneChosen>
      ) : (
        <div className="flex flex-col gap-3">
          <TypeChoice
            gpu={first}
            wish={{
              type: params.type,
              resourceClass: params.class,
              isFlavorLossAccepted: params.loss,
            }}
            onWish={({ type, resourceClass, isFlavorLossAccepted }) =>
              void setParams({ type, class: resourceClass, loss: isFlavorLossAccepted })
            }
          />
          <TestBootChoice
            wish={testOf(params)}
            onWish={(wish) =>
              void setParams(
                wish === null
                  ? { test: false, flavor: '', image: '', net: 'none' }
                  : { test: true, flavor: wish.flavor, image: wish.image, net: wish.networks },
              )
            }
          />
          {input === null ? (
            <p className="text-ink2">
              {params.type === ''
                ? 'Choose the wanted type: the plan is made from what is known now.'
                : 'Choose flavor and image of the test server, or leave it out.'}
            </p>
          ) : (
            <CardPlan nothing="Every chosen pGPU is on the type already." input={input} />
          )}
        </div>
      )}
    </>
  )
}
