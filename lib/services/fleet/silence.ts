import type { ServiceContext } from '@/lib/server/context/service-context'

/** By which clock, and after how long, a host is silent. */
type SilenceTerms = Pick<ServiceContext, 'now' | 'silentAfterSeconds'>

/** A host whose last report is older than this time is silent. */
export const silentBefore = (ctx: SilenceTerms): Date =>
  new Date(ctx.now().getTime() - ctx.silentAfterSeconds * 1000)

/** A host that never reported is silent too; `seenAt` null distinguishes it. */
export const isSilent = (ctx: SilenceTerms, seenAt: Date | null): boolean =>
  seenAt === null || seenAt < silentBefore(ctx)
