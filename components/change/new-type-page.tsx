'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { type FormEvent, useState } from 'react'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { described, Field, Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { SkeletonRows } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { gpuDetailOptions } from '@/lib/api/gpu'
import { wantedTypes } from '@/lib/domain/plans/host-steps/vfio/wanted-types'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { formatMib } from '@/lib/util/format'
import { CardPlan } from './card-plan'
import { chosenText, newTypeParams, testOf, typeInput } from './new-plan-params'
import { NoneChosen } from './none-chosen'
import { readGpus } from './read-gpus'
import { TestBootChoice } from './test-boot-choice'

type Gpu = { host: string; address: string }
type TypeInput = { type: string; resourceClass: string; isFlavorLossAccepted: boolean }

/** The selected row is already visible. */
const showChosen = (box: HTMLDivElement | null): void => {
  const row = box?.querySelector('input:checked')?.closest('tr')
  if (box != null && row != null) box.scrollTop = row.offsetTop - box.clientHeight / 2
}

const CLASS_PATTERN = /^(CUSTOM_[A-Z0-9_]{1,248})?$/

const TypeRow = ({
  type,
  gpu,
  chosen,
  onChoose,
}: {
  type: ReturnType<typeof wantedTypes>[number]
  gpu: GpuDetail
  chosen: string
  onChoose: (typeId: string) => void
}) => (
  <Tr className={chosen === type.typeId ? 'bg-sel' : ''}>
    <Td className="whitespace-nowrap">
      <label className="flex cursor-pointer items-baseline gap-2">
        <input
          type="radio"
          name="target-type"
          value={type.typeId}
          checked={chosen === type.typeId}
          onChange={() => onChoose(type.typeId)}
        />
        <span className="font-[550]">{type.shortName}</span>
        <span className="font-mono text-ink3 text-small">{type.typeId}</span>
        {gpu.currentType?.typeId === type.typeId ? <Tag tone="accent">now</Tag> : null}
        {type.isMigBacked ? <Tag>MIG</Tag> : null}
        {type.isFromStore && type.creatable === 0 ? <Tag>when empty</Tag> : null}
      </label>
    </Td>
    <Td isNumber className="whitespace-nowrap">
      {type.framebufferMib === null ? '–' : formatMib(type.framebufferMib)}
    </Td>
    <Td isNumber>{type.maxInstance ?? '–'}</Td>
    <Td isNumber>{type.heads ?? '–'}</Td>
    <Td isNumber className="whitespace-nowrap">
      {type.maxResolution?.replace('x', ' × ') ?? '–'}
    </Td>
  </Tr>
)

const ChosenName = ({ gpu, chosen }: { gpu: GpuDetail; chosen: string }) => {
  const type = wantedTypes(gpu).find(({ typeId }) => typeId === chosen)
  if (chosen === '') return <span className="text-ink3">none selected</span>
  return (
    <Tag tone={type === undefined ? 'warn' : 'accent'}>{type?.shortName ?? `${chosen}, not supported`}</Tag>
  )
}

const Catalog = ({
  gpu,
  chosen,
  onChoose,
}: {
  gpu: GpuDetail
  chosen: string
  onChoose: (typeId: string) => void
}) => (
  <fieldset className="m-0 min-w-0 border-0 p-0">
    <legend className="mb-1 font-[550] text-small">
      New type. The driver supports these types on {gpu.model} {gpu.host} {gpu.address}:{' '}
      <ChosenName gpu={gpu} chosen={chosen} />
    </legend>
    {gpu.framework === 'vendor-vfio' ? (
      <p className="mb-1 text-ink3 text-small">
        While the card has vGPUs, the driver lists only types that fit in addition to them. The other types
        are from NVIDIA’s documentation. The driver confirms them when the card is empty.
      </p>
    ) : null}
    <SideScroll>
      <div ref={showChosen} className="max-h-72 overflow-y-auto print:max-h-none">
        <Table>
          <thead className="sticky top-0 z-10 print:static">
            <tr>
              <Th>Type</Th>
              <Th isNumber>Framebuffer</Th>
              <Th isNumber>Fit</Th>
              <Th isNumber>Heads</Th>
              <Th isNumber>Max resolution</Th>
            </tr>
          </thead>
          <tbody>
            {wantedTypes(gpu).map((type) => (
              <TypeRow key={type.typeId} type={type} gpu={gpu} chosen={chosen} onChoose={onChoose} />
            ))}
          </tbody>
        </Table>
      </div>
    </SideScroll>
  </fieldset>
)

/** Which type, of what class, and whether flavors may lose their last host. */
const TypeChoice = ({
  gpu: at,
  input,
  onChange,
}: {
  /** The first of the selected pGPUs, whose catalog is shown. */
  gpu: Gpu
  input: TypeInput
  onChange: (input: TypeInput) => void
}) => {
  const { cloud } = useCloud()
  const { data: gpu, error, isPending, isFetching, refetch } = useQuery(gpuDetailOptions({ cloud, ...at }))
  const [resourceClass, setResourceClass] = useState(input.resourceClass)
  const problem = CLASS_PATTERN.test(resourceClass)
    ? undefined
    : 'Start with CUSTOM_. Use capitals, digits and underscores.'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problem === undefined) onChange({ ...input, resourceClass })
  }
  return (
    <Panel>
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the types" /> : null}
      {error === null ? null : (
        <ErrorState
          title="The types of this pGPU could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
      {gpu === undefined ? null : (
        <form onSubmit={submit} className="flex flex-col gap-3">
          <Catalog gpu={gpu} chosen={input.type} onChoose={(type) => onChange({ ...input, type })} />
          <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
            <div className="w-full max-w-[300px]">
              <Field
                id="resource-class"
                label="Resource class"
                help={
                  gpu.framework === 'vendor-vfio'
                    ? 'Leave blank to name it like the class of the old type.'
                    : 'Leave blank to use VGPU. A custom class distinguishes types without traits.'
                }
                error={problem}
              >
                <Input
                  {...described('resource-class', problem)}
                  placeholder={gpu.framework === 'vendor-vfio' ? '' : 'VGPU'}
                  value={resourceClass}
                  maxLength={255}
                  spellCheck={false}
                  className="font-mono"
                  onChange={(event) => setResourceClass(event.target.value)}
                />
              </Field>
            </div>
            <Button
              type="submit"
              className="mt-[22px]"
              isUnavailable={problem !== undefined || resourceClass === input.resourceClass}
            >
              Apply class
            </Button>
            <label className="mt-[26px] flex items-baseline gap-2">
              <input
                type="checkbox"
                checked={input.isFlavorLossAccepted}
                onChange={(event) => onChange({ ...input, isFlavorLossAccepted: event.target.checked })}
              />
              Allow flavors to lose their last host
            </label>
          </div>
        </form>
      )}
    </Panel>
  )
}

/** Prepares a change of the vGPU type. The address holds what was chosen, so it can be sent to a colleague. */
export const NewTypePage = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(newTypeParams)
  const [first] = readGpus(params.gpus)
  const input = typeInput(cloud, params)
  return (
    <>
      <PageHeader title="Change vGPU type" sub={first === undefined ? undefined : chosenText(params)} />
      {first === undefined ? (
        <NoneChosen cloud={cloud}>
          Select pGPUs in the list, then “Change type”. To find them, filter by host or aggregate.
        </NoneChosen>
      ) : (
        <div className="flex flex-col gap-3">
          <TypeChoice
            gpu={first}
            input={{
              type: params.type,
              resourceClass: params.class,
              isFlavorLossAccepted: params.loss,
            }}
            onChange={({ type, resourceClass, isFlavorLossAccepted }) =>
              void setParams({ type, class: resourceClass, loss: isFlavorLossAccepted })
            }
          />
          <TestBootChoice
            input={testOf(params)}
            onChange={(input) =>
              void setParams(
                input === null
                  ? { test: false, flavor: '', image: '', net: 'none' }
                  : { test: true, flavor: input.flavor, image: input.image, net: input.networks },
              )
            }
          />
          {input === null ? (
            <p className="text-ink2">
              {params.type === ''
                ? 'Select the new type. The plan is based on the current data.'
                : 'Select flavor and image of the test server, or do not use one.'}
            </p>
          ) : (
            <CardPlan nothing="Every selected pGPU already has this type." input={input} />
          )}
        </div>
      )}
    </>
  )
}
