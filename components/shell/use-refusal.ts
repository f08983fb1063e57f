'use client'

import { describeRefusal } from '@/lib/domain/access/describe-refusal'
import type { Action } from '@/lib/domain/access/permissions'
import { useIsRefused } from './use-is-refused'

/** Why the person's role does not allow the action, in one sentence; null when it does, or is not known. */
export const useRefusal = (action: Action): string | null =>
  useIsRefused(action) ? describeRefusal(action) : null
