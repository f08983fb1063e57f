'use client'

import Link from 'next/link'
import { blockedReasons } from '@/components/gpu/blocked-note'
import { StackedBar } from '@/components/gpu/stacked-bar'
import { useCloud } from '@/components/shell/use-cloud'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import type { Overview } from '@/lib/schemas/api/fleet'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatPercent } from '@/lib/util/format'
import { gpusPath, typePath } from '@/lib/util/paths'

type Model = Overview['byModel'][number]

type FigureProps = { count: number | null; reason: string | null }

const Figure = ({ count, reason }: FigureProps) =>
  count === null ? <Unknown reason={reason} /> : formatCount(count)

/** A figure that is rarely other than none: none is drawn quietly. */
const Rare = ({ count, reason, tone = 'text-ink' }: FigureProps & { tone?: string }) => (
  <span className={count === 0 ? 'text-ink3' : tone}>
    <Figure count={count} reason={reason} />
  </span>
)

const UsedOf = ({ used, capacity, unknownReason }: FleetTotals) =>
  used === null || capacity === null ? (
    <Unknown reason={unknownReason} />
  ) : (
    <>
      {formatCount(used)} <span className="text-ink3">/ {formatCount(capacity)}</span>
      <span className="ml-2 inline-block w-9 text-ink2 max-sm:hidden">
        {formatPercent(used, capacity) ?? ''}
      </span>
    </>
  )

const Figures = ({
  totals,
  pgpus = totals.pgpus,
  isModel,
}: {
  totals: FleetTotals
  /** Of both units. */
  pgpus?: number
  isModel: boolean
}) => {
  const reason = totals.unknownReason
  return (
    <>
      <Td isNumber>{formatCount(pgpus)}</Td>
      <Td className="w-[18%] min-w-16 sm:min-w-28">
        <div className="[&>svg]:mt-0">
          <StackedBar totals={totals} height={isModel ? 12 : 8} />
        </div>
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <UsedOf {...totals} />
      </Td>
      <Td isNumber>
        <Rare count={totals.spare} reason={reason} />
      </Td>
      <Td isNumber>
        <Figure count={totals.free} reason={reason} />
      </Td>
      <Td isNumber>
        <span title={blockedReasons(totals)}>
          <Rare count={totals.blocked} reason={reason} tone="text-warn font-[550]" />
        </span>
      </Td>
      <Td isNumber>
        <span title={reason ?? undefined}>
          <Rare count={totals.unknown} reason={reason} />
        </span>
      </Td>
    </>
  )
}

/** Rows of models and types that are drawn at first. */
const ROWS = 36

type Row = { model: Model; type: Model['byType'][number] | null }

/** A row of each model, followed by those of its types. */
const rowsOf = (byModel: readonly Model[]): Row[] =>
  byModel.flatMap((model) => [{ model, type: null }, ...model.byType.map((type) => ({ model, type }))])

/** The models of the rows, each with the types of the rows. */
const modelsOf = (rows: readonly Row[]): Model[] =>
  rows
    .filter(({ type }) => type === null)
    .map(({ model }) => ({
      ...model,
      byType: rows.flatMap((row) => (row.model === model && row.type !== null ? row.type : [])),
    }))

/** vGPU types in use and types that could be, under their model. */
export const ModelTable = ({ byModel }: { byModel: Overview['byModel'] }) => {
  const { first, more } = useMoreRows(rowsOf(byModel), ROWS)
  return (
    <TablePanel className="mb-3.5">
      <Table aria-label="pGPUs by model and vGPU type">
        <thead>
          <tr>
            <Th>Model and vGPU type</Th>
            <Th isNumber>pGPUs</Th>
            <Th>vGPUs</Th>
            <Th isNumber>In use</Th>
            <Th isNumber>Reusable</Th>
            <Th isNumber>Free</Th>
            <Th isNumber>Blocked</Th>
            <Th isNumber>Unknown</Th>
          </tr>
        </thead>
        {modelsOf(first).map((model) => (
          <ModelRows key={model.model} model={model} />
        ))}
      </Table>
      {more}
    </TablePanel>
  )
}

/** A model has vGPUs, or only passthrough GPUs; if it has both, the passthrough GPUs have a separate row. */
const shownTotals = (model: Model): FleetTotals => (model.pgpus > 0 ? model : model.passthrough)

const ModelRows = ({ model }: { model: Model }) => {
  const { cloud } = useCloud()
  return (
    <tbody>
      <Tr className="bg-bg font-[550] [&>td]:border-line [&:last-child>td]:border-b">
        <Td>
          <Link
            href={gpusPath({ cloud, search: { model: model.model, group: 'type' } })}
            prefetch={false}
            className="font-semibold hover:underline"
          >
            {model.model}
          </Link>
        </Td>
        <Figures totals={shownTotals(model)} pgpus={model.pgpus + model.passthrough.pgpus} isModel />
      </Tr>
      {model.byType.map((type) => (
        <Tr
          key={`${type.typeId ?? type.shortName} ${type.unit}`}
          className={classNames('[&:last-child>td]:border-b')}
        >
          <Td className="pl-6">
            <Link
              href={gpusPath({ cloud, search: { model: model.model, type: type.typeId ?? 'none' } })}
              prefetch={false}
              className={classNames('hover:underline', type.typeId === null && 'text-ink2')}
            >
              {type.unit === 'passthrough' ? 'Passthrough GPUs' : type.shortName}
            </Link>
            {type.typeId === null ? null : (
              <Link
                href={typePath({ cloud, type: type.typeId })}
                prefetch={false}
                title="Check available capacity"
                className="ml-1.5 whitespace-nowrap font-mono text-ink3 text-small hover:underline max-xl:hidden"
              >
                {type.typeId}
              </Link>
            )}
          </Td>
          <Figures totals={type} isModel={false} />
        </Tr>
      ))}
    </tbody>
  )
}
