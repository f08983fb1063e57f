import type { ServiceContext } from '@/lib/server/service-context'

/** A host whose last word came before this moment is silent. */
export const silentBefore = (ctx: ServiceContext): Date =>
  new Date(ctx.now().getTime() - ctx.silentAfterSeconds * 1000)

/** A host that never spoke is silent too; `seenAt` null tells the two apart. */
export const isSilent = (ctx: ServiceContext, seenAt: Date | null): boolean =>
  seenAt === null || seenAt < silentBefore(ctx)
