'use client'

import { useQuery } from '@tanstack/react-query'
import { freshnessOptions } from '@/lib/api/freshness'
import { useCloud } from './use-cloud'
import { useNow } from './use-now'

/** The console's clock in milliseconds, ticking: ages of what the server dated. Null before its first answer. */
export const useServerNow = (): number | null => {
  const { cloud } = useCloud()
  const { data, dataUpdatedAt } = useQuery(freshnessOptions({ cloud }))
  const nowMs = useNow()
  if (data === undefined || nowMs === null) return null
  return new Date(data.now).getTime() + Math.max(0, nowMs - dataUpdatedAt)
}
