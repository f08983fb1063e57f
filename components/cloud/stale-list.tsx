'use client'

import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { cloudSettingsPath } from '@/lib/util/paths'
import { staleOfReading, staleSubject } from './part-label'

/** Each service that fails, with the parts that are old and since when. */
export const StaleList = ({
  data,
  cloud,
  isOwnPage,
}: {
  data: CloudReadingDto
  cloud: string | null
  isOwnPage: boolean
}) => {
  const stale = staleOfReading(data)
  return (
    <div role="alert" className="mb-3 rounded-panel border border-warn bg-warn2 px-3.5 py-2.5">
      <ul className="flex flex-col gap-1">
        {stale.map((one) => (
          <li key={`${staleSubject(one)} ${one.at}`}>
            <strong className="font-semibold text-warn">{staleSubject(one)}</strong> since{' '}
            <Moment at={one.since} />
            {one.isIncomplete ? null : ': '}
            {one.isIncomplete ? null : one.at === null ? (
              'not read yet'
            ) : (
              <>
                the data is from <Moment at={one.at} />
              </>
            )}
            . <span className="break-words text-ink2">{one.error}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-ink2">
        Everything else is from the last round. Findings that need this data are not updated.
        {isOwnPage ? null : (
          <>
            {' '}
            <Link href={cloudSettingsPath({ cloud })} className="underline">
              Cloud settings
            </Link>
          </>
        )}
      </p>
    </div>
  )
}
