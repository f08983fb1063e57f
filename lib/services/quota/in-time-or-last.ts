import { inTime } from '@/lib/util/in-time'
import { MAX_AWAITED } from './believed-ms'

const PATIENCE_MS = 250

/** What is being read of projects; of many and after a short wait, the last values. */
export const inTimeOrLast = async <Answer>(
  projectIds: readonly string[],
  { reading, last }: { reading: Promise<Answer>; last: () => Answer },
): Promise<Answer> =>
  projectIds.length <= MAX_AWAITED ? reading : ((await inTime(PATIENCE_MS, reading)) ?? last())
