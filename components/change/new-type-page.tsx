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
import { EmptyState } from '@/components/ui/states'
import type { ChangePlan } from '@/lib/schemas/api/change'
import type { PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { formatNoun } from '@/lib/util/format'
import { ConfigPanel } from './config-panel'
import { ConfigTexts } from './config-texts'
import { NoneChosen } from './none-chosen'
import { PlanView } from './plan-view'
import { PlannedSteps } from './planned-steps'
import { LeftAlone } from './preview-panels'
import { readGpus } from './read-gpus'
import { StuckServersPanel } from './stuck-servers-panel'
import { TestBootChoice, type TestBootWish } from './test-boot-choice'
import { TypeBars } from './type-bars'
import { TypeChoice } from './type-choice'
import { TypeMeaningPanels } from './type-meaning-panels'

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

const NothingToDo = ({ preview }: { preview: ChangePlan['preview'] }) => (
  <EmptyState title={preview.refusals.length === 0 ? 'There is nothing to do' : 'Nothing can be changed'}>
    {preview.refusals.length === 0
      ? 'Every chosen pGPU is on the type already.'
      : 'Each pGPU is refused for the reason that stands under “Left alone”. Nothing was touched.'}
  </EmptyState>
)

const Plan = ({ input }: { input: PlanTypeChange }) => {
  const { cloud } = useCloud()
  return (
    <PlanView
      input={input}
      main={({ steps, preview }) => (
        <>
          {steps.length === 0 ? <NothingToDo preview={preview} /> : null}
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
            <Plan
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
