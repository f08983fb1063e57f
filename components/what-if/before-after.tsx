import { formatGrowth } from '@/components/capacity/capacity-labels'
import { SINCE_NOTE } from '@/components/forecast/forecast-text'
import { useMoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { WhatIf, WhatIfType } from '@/lib/schemas/api/what-if'
import { formatCount, formatNoun } from '@/lib/util/format'
import { fullText } from './full-text'

type Pair = { before: number; after: number }

/** What was before, on its way to what would be. */
const Before = ({ words }: { words: string }) => (
  <span className="text-ink3">
    {words}
    <span aria-hidden> → </span>
    <span className="sr-only"> before, after </span>
  </span>
)

/** `48 → 40`, with the difference, so that no arrow has to be read. */
const Change = ({ pair }: { pair: Pair }) =>
  pair.after === pair.before ? (
    formatCount(pair.after)
  ) : (
    <>
      <Before words={formatCount(pair.before)} />
      <span className="font-[550]">{formatCount(pair.after)}</span>{' '}
      <span className={pair.after > pair.before ? 'text-accent-ink' : 'text-warn'}>
        {formatGrowth(pair.after - pair.before)}
      </span>
    </>
  )

type Group = Pick<WhatIfType, 'capacity' | 'full'>

const Full = ({ group, today }: { group: Group; today: string | null }) => {
  if (group.capacity.after === 0) return <span className="text-ink3">no vGPUs</span>
  const [before, after] = [fullText(group, 'before', today), fullText(group, 'after', today)]
  if (before === after) return before
  return (
    <>
      <Before words={before} />
      <span className="font-[550]">{after}</span>
    </>
  )
}

/** More in use than there would be: servers without a place. */
const Short = ({ used, capacity }: { used: number; capacity: number }) =>
  used > capacity ? (
    <span className="block text-bad text-small">{formatCount(used - capacity)} missing</span>
  ) : null

/** States that the answer leaves out rows; none: nothing. */
const Listed = ({ listed, count }: { listed: number; count: number }) =>
  listed === count ? null : (
    <p className="mt-2 text-ink3 text-small">
      Only the {formatCount(listed)} with the largest changes of {formatCount(count)} are listed.
    </p>
  )

/** What `since` means in a table of groups; nothing where none is full. */
const SinceNote = ({ groups }: { groups: readonly Group[] }) =>
  groups.some(({ full }) => full.before?.kind === 'full' || full.after?.kind === 'full') ? (
    <p className="mt-2 text-ink3 text-small">{SINCE_NOTE}</p>
  ) : null

/** Capacity, use and forecast of each type. */
export const TypesBeforeAfter = ({
  types,
  today,
}: {
  types: readonly WhatIfType[]
  today: string | null
}) => {
  const { first, more } = useMoreRows(types, 20)
  return (
    <Panel title="By vGPU type" note="vGPUs">
      <SideScroll>
        <Table aria-label="By vGPU type, before and after">
          <thead>
            <tr>
              <Th>Type</Th>
              <Th isNumber className="max-sm:hidden">
                Cards
              </Th>
              <Th isNumber>Capacity</Th>
              <Th isNumber>Used now</Th>
              <Th className="text-right">Full</Th>
            </tr>
          </thead>
          <tbody>
            {first.map((type) => (
              <Tr key={type.key}>
                <Td className="whitespace-nowrap">{type.label}</Td>
                <Td isNumber className="whitespace-nowrap max-sm:hidden">
                  <Change pair={type.cards} />
                </Td>
                <Td isNumber className="whitespace-nowrap">
                  <Change pair={type.capacity} />
                </Td>
                <Td isNumber>
                  {formatCount(type.used)}
                  <Short used={type.used} capacity={type.capacity.after} />
                </Td>
                <Td className="text-right">
                  <Full group={type} today={today} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
      <SinceNote groups={types} />
    </Panel>
  )
}

type Flavor = NonNullable<WhatIf['flavors']>[number]

/** In which aggregates more or fewer fit. */
const ByAggregate = ({ byAggregate, moreAggregates }: Flavor) =>
  byAggregate.length === 0 ? null : (
    <span className="block break-normal text-ink3 text-small wrap-anywhere">
      {byAggregate.map(({ name, more }) => `${name} ${formatGrowth(more)}`).join(', ')}
      {moreAggregates === 0 ? null : ` and ${formatNoun(moreAggregates, 'more aggregate')}`}
    </span>
  )

const isSame = ({ fits, byAggregate }: Flavor): boolean =>
  fits.before === fits.after && byAggregate.length === 0

/** How many more servers of each flavor fit, and where that differs. `isTried`: there is something before and after. */
export const FlavorsBeforeAfter = ({ data, isTried }: { data: WhatIf; isTried: boolean }) => {
  const { first, more } = useMoreRows(data.flavors ?? [], 15)
  return (
    <Panel title="What fits" note={data.gap ?? 'additional servers, by the last reading'}>
      {data.flavors === null ? (
        <p className="text-ink2">{data.because}.</p>
      ) : (
        <>
          {isTried && data.flavors.every(isSame) ? (
            <p className="mb-2 text-ink2">No flavor fits more or fewer servers.</p>
          ) : null}
          <Table aria-label="What fits, before and after">
            <thead>
              <tr>
                <Th>Flavor</Th>
                <Th isNumber>Fit</Th>
              </tr>
            </thead>
            <tbody>
              {first.map((flavor) => (
                <Tr key={flavor.id}>
                  <Td className="break-all">
                    {flavor.name}
                    <ByAggregate {...flavor} />
                  </Td>
                  <Td isNumber className="whitespace-nowrap">
                    <Change pair={flavor.fits} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
      {more}
      <Listed listed={data.flavors?.length ?? 0} count={data.flavorCount} />
    </Panel>
  )
}

/** Capacity, use and forecast of each aggregate. */
export const AggregatesBeforeAfter = ({
  aggregates,
  aggregateCount,
  today,
}: Pick<WhatIf, 'aggregates' | 'aggregateCount' | 'today'>) => {
  const { first, more } = useMoreRows(aggregates, 15)
  return (
    <Panel title="By aggregate" note="vGPUs">
      {aggregates.length === 0 ? (
        <p className="text-ink2">No aggregate has GPUs.</p>
      ) : (
        <SideScroll>
          <Table aria-label="By aggregate, before and after">
            <thead>
              <tr>
                <Th>Aggregate</Th>
                <Th isNumber>Capacity</Th>
                <Th isNumber>Used now</Th>
                <Th className="text-right">Full</Th>
              </tr>
            </thead>
            <tbody>
              {first.map(({ key, label, capacity, used, full }) => (
                <Tr key={key}>
                  <Td className="min-w-28 wrap-anywhere">{label}</Td>
                  <Td isNumber className="whitespace-nowrap">
                    <Change pair={capacity} />
                  </Td>
                  <Td isNumber className="whitespace-nowrap">
                    <Change pair={used} />
                    <Short used={used.after} capacity={capacity.after} />
                  </Td>
                  <Td className="text-right">
                    <Full group={{ capacity, full }} today={today} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </SideScroll>
      )}
      {more}
      <Listed listed={aggregates.length} count={aggregateCount} />
      <SinceNote groups={aggregates} />
    </Panel>
  )
}
