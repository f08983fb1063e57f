'use client'

import {
  type inferParserType,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from 'nuqs'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import type { PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { formatNoun } from '@/lib/util/format'
import { CardPlan } from './card-plan'
import { NoneChosen } from './none-chosen'
import { readGpus } from './read-gpus'
import { TestBootChoice, type TestBootWish } from './test-boot-choice'
import { TypeChoice } from './type-choice'

/** As lib/util/paths newTypePath writes them. */
const newTypeParams = {
  gpus: parseAsString.withDefault(''),
  type: parseAsString.withDefault(''),
  class: parseAsString.withDefault(''),
  loss: parseAsBoolean.withDefault(false),
  test: parseAsBoolean.withDefault(false),
  flavor: parseAsString.withDefault(''),
  image: parseAsString.withDefault(''),
  net: parseAsStringLiteral(['none', 'auto']).withDefault('none'),
}

type Params = inferParserType<typeof newTypeParams>

const testOf = ({ test, flavor, image, net }: Params): TestBootWish =>
  test ? { flavor, image, networks: net } : null

/** Undefined while flavor and image are not both chosen; then there is no plan yet. */
const testBootOf = (wish: TestBootWish): PlanTypeChange['testBoot'] => {
  if (wish === null) return null
  const { flavor, image, networks } = wish
  return flavor === '' || image === '' ? undefined : { flavorId: flavor, imageId: image, networks }
}

/** Prepares a change of the vGPU type. The address holds what was chosen, so it can be sent to a colleague. */
export const NewTypePage = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(newTypeParams)
  const gpus = readGpus(params.gpus)
  const [first] = gpus
  const test = testOf(params)
  const testBoot = testBootOf(test)
  return (
    <>
      <PageHeader
        title="Change the vGPU type"
        sub={first === undefined ? undefined : formatNoun(gpus.length, 'pGPU')}
      />
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
            wish={test}
            onWish={(wish) =>
              void setParams(
                wish === null
                  ? { test: false, flavor: '', image: '', net: 'none' }
                  : { test: true, flavor: wish.flavor, image: wish.image, net: wish.networks },
              )
            }
          />
          {params.type === '' || testBoot === undefined ? (
            <p className="text-ink2">
              {params.type === ''
                ? 'Choose the wanted type: the plan is made from what is known now.'
                : 'Choose flavor and image of the test server, or leave it out.'}
            </p>
          ) : (
            <CardPlan
              nothing="Every chosen pGPU is on the type already."
              input={{
                cloud,
                kind: 'type',
                gpus,
                typeId: params.type,
                resourceClass: params.class === '' ? null : params.class,
                isFlavorLossAccepted: params.loss,
                testBoot,
              }}
            />
          )}
        </div>
      )}
    </>
  )
}
