'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { buttonStyle } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { makeReviewOptions } from '@/lib/api/reviews'
import { actorWords } from '@/lib/domain/wording'
import type { ListedPeriod, ReviewList } from '@/lib/schemas/api/review'
import { reviewPath, reviewPreviewPath } from '@/lib/util/paths'
import { filterWords, momentIn, periodWords, shortFingerprint } from './review-words'

type Props = { list: ReviewList; zone: string | null }
type RowProps = { period: ListedPeriod; timeZone: string; zone: string | null }

const stateWords = ({ state, closesAt, isKept }: ListedPeriod, timeZone: string): string => {
  if (!isKept) return 'its hours are not kept any more'
  if (state === 'open') return `goes on; frozen from ${momentIn(closesAt, timeZone)} on`
  if (state === 'settling') return `late reports are waited for until ${momentIn(closesAt, timeZone)}`
  return 'closed and not frozen yet'
}

const link = 'font-[550] text-accent-ink hover:underline'

const FrozenRow = ({ period, review, timeZone }: RowProps & { review: ListedPeriod['reviews'][number] }) => {
  const { cloud } = useCloud()
  return (
    <Tr>
      <Td className="whitespace-nowrap">
        <Link href={reviewPath({ cloud, id: review.id })} className={link}>
          {periodWords(period)}
        </Link>
      </Td>
      <Td className="max-sm:hidden">{filterWords({ ...review.filter, label: review.label })}</Td>
      <Td className="text-ink2">
        {review.filter.by === 'all' ? null : (
          <span className="sm:hidden">{filterWords({ ...review.filter, label: review.label })}, </span>
        )}
        frozen {momentIn(review.madeAt, timeZone)} by {actorWords(review.madeBy)}
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
  const name = periodWords(period)
  return (
    <ConfirmButton
      label="Freeze"
      accessibleLabel={`Freeze the review of ${name}`}
      title={`Freeze the review of ${name}?`}
      confirmLabel="Freeze"
      refusal={refusal}
      onConfirm={() => make.mutateAsync({ cloud, period: period.name, zone, by: 'all', key: '' })}
    >
      Its numbers stay as they are now, whatever arrives later. Nobody can change or remove it.
    </ConfirmButton>
  )
}

const UnfrozenRow = (props: RowProps) => {
  const { period, timeZone, zone } = props
  const { cloud } = useCloud()
  const name = periodWords(period)
  return (
    <Tr>
      <Td className="whitespace-nowrap">{name}</Td>
      <Td className="max-sm:hidden">all models</Td>
      <Td className="text-ink2">{stateWords(period, timeZone)}</Td>
      <Td className="max-sm:hidden" />
      <Td className="whitespace-nowrap text-right">
        {period.isKept ? (
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
            <Th className="w-44 max-sm:hidden">Of</Th>
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
export const ReviewTable = ({ list, zone }: Props) => {
  const of = (kind: ListedPeriod['kind']) => list.periods.filter((period) => period.kind === kind)
  return (
    <>
      <Periods title="Months" periods={of('month')} timeZone={list.timeZone} zone={zone} />
      <Periods title="Quarters" periods={of('quarter')} timeZone={list.timeZone} zone={zone} />
    </>
  )
}
