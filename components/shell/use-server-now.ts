'use client'

import { useQuery } from '@tanstack/react-query'
import { freshnessOptions } from '@/lib/api/freshness'
import { accountOptions } from '@/lib/api/session'
import { isAllowed } from '@/lib/domain/access/permissions'
import { useCloud } from './use-cloud'
import { useNow } from './use-now'

/** The console's clock in milliseconds, ticking: ages of what the server dated. Null before its first answer. */
export const useServerNow = (): number | null => {
  const { cloud } = useCloud()
  const account = useQuery(accountOptions())
  const roles = account.data === undefined ? [] : [account.data.role]
  const freshness = useQuery({
    ...freshnessOptions({ cloud }),
    enabled: account.data === undefined || isAllowed({ roles, action: 'fleet.read' }),
  })
  const nowMs = useNow()
  // A caller without access to the fleet still gets the server's time from the account.
  const { data, dataUpdatedAt } = freshness.data === undefined ? account : freshness
  if (data === undefined || nowMs === null) return null
  return new Date(data.now).getTime() + Math.max(0, nowMs - dataUpdatedAt)
}
