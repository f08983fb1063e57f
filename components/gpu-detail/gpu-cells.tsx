import Link from 'next/link'
import { barLabel, rangeLabel } from '@/components/gpu/bar-cells'
import { CellLegend } from '@/components/gpu/cell-legend'
import { frameworkLabel } from '@/components/gpu/gpu-labels'
import { VgpuCells } from '@/components/gpu/vgpu-cells'
import { Tag } from '@/components/ui/tag'
import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import { typeRange } from '@/lib/domain/vgpu-type/type-range'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { typePath } from '@/lib/util/paths'

const barNumbers = ({ numbers }: GpuDetail) => ({
  capacity: numbers.capacity.value,
  used: numbers.used.value,
  spare: numbers.spare.value,
  orphan: numbers.orphan.value,
  creatable: numbers.creatable.value,
})

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

/** The vGPU type of a pGPU, and each of its vGPUs with its user. */
export const GpuCells = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => (
  <section aria-label="vGPUs" className="rounded-panel border border-line bg-panel px-3.5 pt-3 pb-1">
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
