'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { SmallHistory } from '@/components/capacity/small-history'
import { PlanLink } from '@/components/change/plan-link'
import { FindingsList } from '@/components/finding/findings-list'
import { TrackedList } from '@/components/finding/tracked-list'
import { untrackedFindings } from '@/components/finding/untracked-findings'
import { barLabel, rangeLabel } from '@/components/gpu/bar-cells'
import { CellLegend } from '@/components/gpu/cell-legend'
import { frameworkLabel } from '@/components/gpu/gpu-labels'
import { VgpuCells } from '@/components/gpu/vgpu-cells'
import { ManagedTraitsPanel } from '@/components/managed-trait/managed-traits-panel'
import { OldReport, silentRefusal } from '@/components/shell/old-report'
import { PageHeader } from '@/components/shell/page-header'
import { SilentTag } from '@/components/shell/silent-tag'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { Tag } from '@/components/ui/tag'
import { UsageDayPanel } from '@/components/utilization/usage-day-panel'
import { isNotFound } from '@/lib/api/client'
import { gpuDetailOptions } from '@/lib/api/gpu'
import { gpuSourcesOptions } from '@/lib/api/gpu-sources'
import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import { isVfioDriver } from '@/lib/domain/pgpu/vfio-driver'
import { typeRange } from '@/lib/domain/vgpu-type/type-range'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { classNames } from '@/lib/util/class-names'
import {
  gpusPath,
  hostPath,
  newPassthroughPath,
  newTraitsPath,
  newTypePath,
  typePath,
} from '@/lib/util/paths'
import { FunctionsPanel } from './functions-panel'
import { GpuInstancesPanel } from './gpu-instances-panel'
import { GpuNumbers } from './gpu-numbers'
import { GuestsPanel } from './guests-panel'
import { IdentityPanel } from './identity-panel'
import { InCloudPanel } from './in-cloud-panel'
import { MdevsPanel } from './mdevs-panel'
import { RawFactsPanel } from './raw-facts-panel'
import { SourcesPanel } from './sources-panel'
import { TypeCatalog } from './type-catalog'

/** The findings of a pGPU: those of the rounds, and the newer ones from the host's report. */
const GpuFindingsPanel = ({
  gpu,
  sources,
  cloud,
}: {
  gpu: GpuDetail
  sources: GpuSources | undefined
  cloud: string | null
}) => {
  const tracked = sources?.findings ?? []
  const untracked = untrackedFindings(gpu.findings, tracked)
  if (tracked.length + untracked.length === 0) return null
  return (
    <Panel title="Findings" className="max-xl:-order-2">
      <TrackedList findings={tracked} cloud={cloud} />
      {tracked.length > 0 && untracked.length > 0 ? (
        <p className="mt-3 mb-1 text-ink3 text-small">Reported by the host since the last round</p>
      ) : null}
      <FindingsList findings={untracked} />
    </Panel>
  )
}

const barNumbers = ({ numbers }: GpuDetail) => ({
  capacity: numbers.capacity.value,
  used: numbers.used.value,
  spare: numbers.spare.value,
  orphan: numbers.orphan.value,
  creatable: numbers.creatable.value,
})

/** A card in passthrough whose VFIO driver is bound; a card that is only configured for it still has to be bound. */
const isWhole = ({ framework, driver }: GpuDetail): boolean =>
  framework === 'passthrough' && driver !== null && isVfioDriver(driver)

/** A card of which no vGPU type can be chosen: none is offered, held or named by nova.conf. */
const hasNoTypes = ({ supportedTypes, currentType, configuredType }: GpuDetail): boolean =>
  (supportedTypes ?? []).length === 0 && currentType === null && configuredType === null

const TypeLine = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => (
  <div className="mb-2 flex flex-wrap items-baseline gap-x-2 gap-y-1">
    <h2 className="m-0 font-semibold text-lead">
      {gpu.currentType?.shortName ?? noTypeLabel(gpu.framework)}
    </h2>
    {gpu.currentType === null ? null : (
      <span className="font-mono text-ink3 text-small">{gpu.currentType.typeId}</span>
    )}
    <Tag>{frameworkLabel(gpu.framework)}</Tag>
    {gpu.isMigBacked ? <Tag>MIG</Tag> : null}
    {gpu.currentType === null ? null : (
      <Link
        href={typePath({ cloud, type: gpu.currentType.typeId })}
        prefetch={false}
        className="ml-auto text-accent-ink text-small underline"
      >
        Check available capacity
      </Link>
    )}
  </div>
)

const noCellsText = ({ numbers: { capacity }, supportedTypes }: GpuDetail): string => {
  if (capacity.value !== null) return 'No vGPU fits.'
  const range = typeRange(supportedTypes ?? [])
  const reason = capacity.reason ?? 'the capacity is unknown'
  return range === null ? `No bar: ${reason}.` : `${rangeLabel(range)}: ${reason}.`
}

const Cells = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => (
  <section aria-label="vGPUs" className="mb-3 rounded-panel border border-line bg-panel px-3.5 pt-3 pb-1">
    <TypeLine gpu={gpu} cloud={cloud} />
    {gpu.cells.length === 0 ? (
      <p className="pb-2 text-ink2">{noCellsText(gpu)}</p>
    ) : (
      <>
        <VgpuCells
          cells={gpu.cells}
          label={barLabel(barNumbers(gpu), gpu.framework === 'passthrough')}
          isWhole={gpu.framework === 'passthrough'}
          isOld={gpu.isSilent}
        />
        <CellLegend />
      </>
    )}
  </section>
)

/** Two columns become one list on a narrow screen, and there what was found and the sources come first. */
const column = 'max-xl:contents xl:flex xl:min-w-0 xl:flex-col xl:gap-3'

const Detail = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => {
  const { data: sources } = useQuery(gpuSourcesOptions({ cloud, host: gpu.host, address: gpu.address }))
  return (
    <OldReport host={gpu.host} isSilent={gpu.isSilent} seenAt={gpu.seenAt}>
      <Cells gpu={gpu} cloud={cloud} />
      <GpuNumbers
        numbers={gpu.numbers}
        range={gpu.currentType === null ? typeRange(gpu.supportedTypes ?? []) : null}
        isWhole={gpu.framework === 'passthrough'}
      />
      <div className="flex flex-col gap-3 xl:grid xl:grid-cols-[minmax(0,1fr)_290px] xl:items-start">
        <div className={classNames(column, 'xl:order-2')}>
          <GpuFindingsPanel gpu={gpu} sources={sources} cloud={cloud} />
          {sources === undefined || sources.sources === null ? null : (
            <InCloudPanel sources={sources.sources} />
          )}
          <ManagedTraitsPanel
            cloud={cloud}
            host={gpu.host}
            address={gpu.address}
            typeId={gpu.currentType?.typeId ?? null}
          />
          <IdentityPanel gpu={gpu} />
        </div>
        <div className={column}>
          <SourcesPanel cloud={cloud} host={gpu.host} address={gpu.address} />
          <GuestsPanel gpu={gpu} sources={sources} />
          <GpuInstancesPanel gpu={gpu} />
          <SmallHistory cloud={cloud} of={{ by: 'pgpu', host: gpu.host, address: gpu.address }} />
          <UsageDayPanel
            cloud={cloud}
            host={gpu.host}
            address={gpu.address}
            silentSince={gpu.isSilent ? gpu.seenAt : undefined}
          />
          <TypeCatalog gpu={gpu} cloud={cloud} />
          <MdevsPanel gpu={gpu} cloud={cloud} />
          <FunctionsPanel gpu={gpu} />
          <RawFactsPanel facts={gpu.rawFacts} />
        </div>
      </div>
    </OldReport>
  )
}

/** The possible changes of the pGPU; all plans use its agent's current report. */
const Actions = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => {
  const gpus = [{ host: gpu.host, address: gpu.address }]
  const because = silentRefusal(gpu)
  return (
    <>
      <PlanLink href={newTraitsPath({ cloud, gpus })} because={because}>
        Tag with traits
      </PlanLink>
      {gpu.vendorId === null ? null : (
        <PlanLink
          href={newPassthroughPath({ cloud, gpus, to: isWhole(gpu) ? 'sliced' : 'whole' })}
          because={because}
        >
          {isWhole(gpu) ? 'Remove from PCI passthrough' : 'Configure PCI passthrough'}
        </PlanLink>
      )}
      {isWhole(gpu) || hasNoTypes(gpu) ? null : (
        <PlanLink href={newTypePath({ cloud, gpus })} variant="main" because={because}>
          Change type
        </PlanLink>
      )}
    </>
  )
}

const Pending = () => (
  <div className="flex flex-col gap-3" role="status" aria-label="Loading the pGPU">
    <Skeleton className="h-28" />
    <Skeleton className="h-20" />
    <Skeleton className="h-96" />
  </div>
)

/** One pGPU with everything that its host reports about it. */
export const GpuPage = ({ host, address }: { host: string; address: string }) => {
  const { cloud } = useCloud()
  const query = useQuery(gpuDetailOptions({ cloud, host, address }))
  const { data: gpu, error } = query
  const isMissing = isNotFound(error)
  return (
    <>
      <PageHeader
        title={gpu?.model ?? address}
        sub={
          <>
            {gpu === undefined ? null : (
              <>
                <span className="font-mono text-small">{gpu.address}</span>{' '}
              </>
            )}
            on{' '}
            <Link href={hostPath({ cloud, host })} className="text-accent-ink underline">
              {gpu?.host ?? host}
            </Link>{' '}
            {gpu?.isSilent ? <SilentTag seenAt={gpu.seenAt} /> : null}
          </>
        }
        isSubWhole
        actions={gpu === undefined ? undefined : <Actions gpu={gpu} cloud={cloud} />}
      />
      {query.isPending ? <Pending /> : null}
      <SubjectProblem
        query={query}
        subject="pGPU"
        all={{ href: gpusPath({ cloud }), label: 'All GPUs' }}
        what="The pGPU"
      />
      {gpu === undefined || isMissing ? null : <Detail gpu={gpu} cloud={cloud} />}
    </>
  )
}
