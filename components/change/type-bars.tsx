import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { type BarNumbers, barLabel, cellCounts } from '@/components/gpu/bar-cells'
import { BAR_HEIGHT, BAR_WIDTH, barPaths } from '@/components/gpu/bar-paths'
import { CellPatterns } from '@/components/gpu/cell-patterns'
import type { TypeChangePreview } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { gpuPath } from '@/lib/util/paths'

type Pgpu = TypeChangePreview['hosts'][number]['pgpus'][number]

const MAX_DRAWN = 16
/** Of a large change: the steps begin on the first screen. */
const DRAWN_OF_MANY = 4

const StillBar = ({ numbers, label }: { numbers: BarNumbers; label: string }) => {
  const counts = cellCounts(numbers)
  if (counts === null) return <span className="text-ink3">–</span>
  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height={BAR_HEIGHT}
      viewBox={`0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`}
      preserveAspectRatio="none"
      className="bar mt-1 block max-w-[380px]"
    >
      {barPaths(counts).map(({ kind, path }) => (
        <path key={kind} className={`bar-${kind}`} d={path} />
      ))}
    </svg>
  )
}

const Before = ({ pgpu, host, cloud }: { pgpu: Pgpu; host: string; cloud: string | null }) => {
  const { address, fromTypeId, fromTypeName, capacityBefore, used, spare, orphan } = pgpu
  const made = (used ?? 0) + (spare ?? 0) + (orphan ?? 0)
  const creatable = capacityBefore === null ? null : Math.max(0, capacityBefore - made)
  const numbers = { capacity: capacityBefore, used, spare, orphan, creatable }
  return (
    <div className="min-w-0">
      <p className="text-ink2 text-small">
        <Link href={gpuPath({ cloud, host, address })} className="hover:text-accent-ink hover:underline">
          {host} <span className="font-mono">{address}</span>
        </Link>{' '}
        before
      </p>
      <p className="font-[550]">
        {fromTypeName ?? 'no type'}{' '}
        <span className="font-mono font-normal text-ink3 text-small">{fromTypeId}</span>
        {capacityBefore === null ? null : `, capacity ${capacityBefore}`}
      </p>
      <StillBar numbers={numbers} label={`Before: ${barLabel(numbers)}`} />
    </div>
  )
}

const After = ({ pgpu: { capacityAfter }, change }: { pgpu: Pgpu; change: TypeChangePreview }) => {
  const numbers = { capacity: capacityAfter, used: 0, spare: 0, orphan: 0, creatable: capacityAfter }
  return (
    <div className="min-w-0">
      <p className="text-ink2 text-small">after</p>
      <p className="font-[550]">
        {change.toTypeName}{' '}
        <span className="font-mono font-normal text-ink3 text-small">{change.toTypeId}</span>, capacity{' '}
        {capacityAfter}
      </p>
      <StillBar numbers={numbers} label={`Afterwards: ${barLabel(numbers)}`} />
    </div>
  )
}

/** Each pGPU of a change as the plan saw it and as it will be. */
export const TypeBars = ({ change, cloud }: { change: TypeChangePreview; cloud: string | null }) => {
  const all = change.hosts.flatMap(({ host, pgpus }) => pgpus.map((pgpu) => ({ host, pgpu })))
  const count = change.totals?.pgpus ?? all.length
  const drawn = count > MAX_DRAWN ? DRAWN_OF_MANY : count
  return (
    <section aria-label="Before and after" className="rounded-panel border border-line bg-panel px-3.5 py-3">
      <CellPatterns />
      <ul className="flex flex-col gap-3">
        {all.slice(0, drawn).map(({ host, pgpu }) => (
          <li
            key={`${host} ${pgpu.address}`}
            className="grid grid-cols-1 items-center gap-x-5 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]"
          >
            <Before pgpu={pgpu} host={host} cloud={cloud} />
            <ArrowRight size={16} aria-hidden className="text-ink3 max-sm:hidden" />
            <After pgpu={pgpu} change={change} />
          </li>
        ))}
      </ul>
      {count > drawn ? <p className="mt-2 text-ink3">and {formatNoun(count - drawn, 'more pGPU')}</p> : null}
    </section>
  )
}
