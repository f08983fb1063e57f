'use client'

import { useQuery } from '@tanstack/react-query'
import { Tag } from '@/components/ui/tag'
import { changeCountsOptions } from '@/lib/api/change-counts'
import { formatCount } from '@/lib/util/format'
import { useCloud } from './use-cloud'

/** Changes that run, else those that stand and keep their hosts closed; nothing while there are none. */
export const ActiveChangesCount = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(changeCountsOptions({ cloud }))
  const { running, stopped } = data ?? { running: 0, stopped: 0 }
  if (running + stopped === 0) return null
  const words = running > 0 ? `${formatCount(running)} running` : `${formatCount(stopped)} stopped`
  return (
    <>
      <Tag aria-hidden tone={running > 0 ? 'accent' : 'warn'}>
        {words}
      </Tag>
      <span className="sr-only"> {words}</span>
    </>
  )
}
