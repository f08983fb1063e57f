'use client'

import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '@/lib/api/session'
import { type Action, isAllowed } from '@/lib/domain/access/permissions'

/** True when the person's role does not allow the action; false also while the role is not known. The server decides anyway. */
export const useIsRefused = (action: Action): boolean => {
  const { data } = useQuery(accountOptions())
  return data !== undefined && !isAllowed({ roles: [data.role], action })
}
