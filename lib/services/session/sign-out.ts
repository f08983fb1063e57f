import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { endAll } from './end-sessions'
import { ownSession } from './own-session'

/** Ends the session that asks, here and at Keystone. */
export const signOut = async (ctx: ServiceContext): Promise<void> => {
  const own = await ownSession(ctx)
  await endAll(ctx, [own], own)
}
