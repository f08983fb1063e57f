import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'

const DEFAULT_DAYS = 30
const MAX_DAYS = 3660

/** The requested range in ms, by default the last 30 days; it ends now at the latest. */
export const requestedRange = (
  ctx: ServiceContext,
  { from, until }: { from: string | null; until: string | null },
): { from: number; until: number } => {
  const now = ctx.now().getTime()
  const end = until === null ? now : Math.min(Date.parse(until), now)
  const begin = from === null ? end - DEFAULT_DAYS * DAY_MS : Date.parse(from)
  const refuse = (rule: string): never => {
    throw new ServiceError('validation', `from is ${new Date(begin).toISOString()}, but ${rule}.`, {
      field: 'from',
    })
  }
  if (begin >= end) return refuse('must be before until, and in the past')
  if (end - begin > MAX_DAYS * DAY_MS) return refuse(`must be at most ${MAX_DAYS} days before until`)
  return { from: begin, until: end }
}
