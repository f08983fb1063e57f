'use client'

import { useQuery } from '@tanstack/react-query'
import { findingCountsOptions } from '@/lib/api/finding-counts'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatNoun } from '@/lib/util/format'
import { useCloud } from './use-cloud'

/** The number of open errors and warnings without an acknowledgement; hidden if there are none. */
export const OpenFindingsCount = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(findingCountsOptions({ cloud }))
  const { error, warning } = data?.open ?? { error: 0, warning: 0 }
  if (error + warning === 0) return null
  const words = [
    error === 0 ? null : formatNoun(error, 'error'),
    warning === 0 ? null : formatNoun(warning, 'warning'),
  ]
    .filter((part) => part !== null)
    .join(' and ')
  return (
    <>
      <span
        aria-hidden
        title={`${words} open`}
        className={classNames(
          'rounded-tag px-[5px] font-semibold text-tiny tabular-nums leading-[16px]',
          error > 0 ? 'bg-bad2 text-bad' : 'bg-warn2 text-warn',
        )}
      >
        {formatCount(error + warning)}
      </span>
      <span className="sr-only"> {words} open</span>
    </>
  )
}
