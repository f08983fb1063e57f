'use client'

import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '@/lib/api/session'
import { describeRefusal } from '@/lib/domain/access/describe-refusal'
import { type Action, isAllowed } from '@/lib/domain/access/permissions'

/** Why the person may not do this, in one sentence; null when it is allowed or not known yet. The server decides anyway. */
export const useRefusal = (action: Action): string | null => {
  const { data } = useQuery(accountOptions())
  if (data === undefined || isAllowed({ roles: [data.role], action })) return null
  return describeRefusal(action)
}
