'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsString, useQueryState } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { useIsInBrowser } from '@/components/shell/use-is-in-browser'
import { useRefusal } from '@/components/shell/use-refusal'
import { buttonStyle } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { Toolbar } from '@/components/ui/toolbar'
import { makeReviewOptions, reviewListOptions } from '@/lib/api/reviews'
import { actorLabel } from '@/lib/domain/wording'
import type { ListedPeriod, ReviewList } from '@/lib/schemas/api/review'
import { timeZoneName } from '@/lib/util/format'
import { capacityPath, reviewPath, reviewPreviewPath } from '@/lib/util/paths'
import { filterLabel, momentIn, periodTitle, shortFingerprint } from './review-text'

type Props = { list: ReviewList; zone: string | null }
type RowProps = { period: ListedPeriod; timeZone: string; zone: string | null }

const stateLabel = ({ state, closesAt, isRetained }: ListedPeriod, timeZone: string): string => {
  if (!isRetained) return 'hourly data has been deleted'
  if (state === 'open') return `In progress; final from ${momentIn(closesAt, timeZone)}`
  if (state === 'settling') return `accepts late reports until ${momentIn(closesAt, timeZone)}`
  return 'completed, not frozen yet'
}

const link = 'font-[550] text-accent-ink hover:underline'

const FrozenRow = ({ period, review, timeZone }: RowProps & { review: ListedPeriod['reviews'][number] }) => {
  const { cloud } = useCloud()
  return (
    <Tr>
      <Td className="whitespace-nowrap">
        <Link href={reviewPath({ cloud, id: review.id })} className={link}>
          {periodTitle(period)}
        </Link>
      </Td>
      <Td className="max-sm:hidden">{filterLabel({ ...review.filter, label: review.label })}</Td>
      <Td className="text-ink2">
        {review.filter.by === 'all' ? null : (
          <span className="sm:hidden">{filterLabel({ ...review.filter, label: review.label })}, </span>
        )}
        frozen {momentIn(review.madeAt, timeZone)} by {actorLabel(review.madeBy)}
      </Td>
      <Td className="whitespace-nowrap font-mono text-small max-sm:hidden" title={review.fingerprint}>
        {shortFingerprint(review.fingerprint)}
      </Td>
      <Td />
    </Tr>
  )
}

const FreezeButton = ({ period, zone }: RowProps) => {
  const { cloud } = useCloud()
  const refusal = useRefusal('review.make')
  const make = useMutation(makeReviewOptions())
  const name = periodTitle(period)
  return (
    <ConfirmButton
      label="Freeze"
      accessibleLabel={`Freeze the review of ${name}`}
      title={`Freeze the review of ${name}?`}
      confirmLabel="Freeze"
      refusal={refusal}
      onConfirm={() => make.mutateAsync({ cloud, period: period.name, zone, by: 'all', key: '' })}
    >
      The numbers do not change when more data arrives later. You cannot change or delete the review.
    </ConfirmButton>
  )
}

const UnfrozenRow = (props: RowProps) => {
  const { period, timeZone, zone } = props
  const { cloud } = useCloud()
  const name = periodTitle(period)
  return (
    <Tr>
      <Td className="whitespace-nowrap">{name}</Td>
      <Td className="max-sm:hidden">all models</Td>
      <Td className="text-ink2">{stateLabel(period, timeZone)}</Td>
      <Td className="max-sm:hidden" />
      <Td className="whitespace-nowrap text-right">
        {period.isRetained ? (
          <span className="inline-flex gap-2">
            <Link
              href={reviewPreviewPath({ cloud, period: period.name, zone })}
              aria-label={`Preview of ${name}`}
              className={buttonStyle({ size: 'small' })}
            >
              Preview
            </Link>
            {period.state === 'closed' ? <FreezeButton {...props} /> : null}
          </span>
        ) : null}
      </Td>
    </Tr>
  )
}

const Periods = ({
  title,
  periods,
  ...rest
}: { title: string; periods: readonly ListedPeriod[] } & Omit<RowProps, 'period'>) => (
  <section aria-label={title} className="mb-4">
    <h2 className="m-0 mb-1.5 font-semibold text-body">{title}</h2>
    <TablePanel>
      <Table aria-label={title}>
        <thead>
          <tr>
            <Th className="sm:w-36">Period</Th>
            <Th className="w-44 max-sm:hidden">Model</Th>
            <Th>State</Th>
            <Th className="w-40 max-sm:hidden">Fingerprint</Th>
            <Th className="sm:w-44">
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {periods.flatMap((period) => [
            ...period.reviews.map((review) => (
              <FrozenRow key={`${period.name} ${review.id}`} {...rest} period={period} review={review} />
            )),
            ...(period.reviews.some(({ filter }) => filter.by === 'all')
              ? []
              : [<UnfrozenRow key={period.name} {...rest} period={period} />]),
          ])}
        </tbody>
      </Table>
    </TablePanel>
  </section>
)

/** Quarters and months, the newest first, with their final reviews or their state. */
const ReviewTable = ({ list, zone }: Props) => {
  const of = (kind: ListedPeriod['kind']) => list.periods.filter((period) => period.kind === kind)
  return (
    <>
      <Periods title="Months" periods={of('month')} timeZone={list.timeZone} zone={zone} />
      <Periods title="Quarters" periods={of('quarter')} timeZone={list.timeZone} zone={zone} />
    </>
  )
}

/** The console's zone, UTC and the reader's own; the server knows no reader. */
const useZones = (list: ReviewList, isChosen: boolean): string[] => {
  const isOnBrowser = useIsInBrowser()
  const own = isOnBrowser ? [timeZoneName()] : []
  return [...new Set([...(isChosen ? [] : [list.timeZone]), 'UTC', ...own, list.timeZone])]
}

const ZoneChoice = ({ list }: { list: ReviewList }) => {
  const [zone, setZone] = useQueryState('zone', parseAsString)
  const zones = useZones(list, zone !== null)
  return (
    <Toolbar>
      <ChoiceChip
        label="Time zone"
        isMultiple={false}
        choices={zones.map((value) => ({ value, label: value }))}
        chosen={[list.timeZone]}
        onChoose={([value]) => void setZone(value ?? null)}
      />
    </Toolbar>
  )
}

/** Months and quarters of a cloud with what was reported of them. */
export const ReviewsPage = () => {
  const { cloud } = useCloud()
  const [zone] = useQueryState('zone', parseAsString)
  const query = useQuery(reviewListOptions({ cloud, zone }))
  const { data } = query
  return (
    <>
      <PageHeader
        title="Capacity reviews"
        sub="by month and quarter; completed periods are frozen"
        actions={
          <Link href={capacityPath({ cloud })} className={buttonStyle({})}>
            Capacity
          </Link>
        }
      />
      <LoadProblem query={query} what="The reviews" />
      {data === undefined ? (
        query.error === null ? (
          <SkeletonRows rows={6} label="Loading the reviews" />
        ) : null
      ) : data.periods.length === 0 ? (
        <EmptyState title="No history yet">
          The history begins with the first report of a host. The review of a month is frozen automatically
          one day after the end of the month and then listed here.
        </EmptyState>
      ) : (
        <>
          <ZoneChoice list={data} />
          <ReviewTable list={data} zone={zone} />
        </>
      )}
    </>
  )
}
