import 'server-only'
import { StartError } from '@/lib/server/errors/start-error'
import type { Env } from '@/lib/server/settings/env'
import type { Database } from '../database/database'

/** A clouds.yaml that has disappeared, such as an unmounted volume, must not make everybody an admin. */
export const refuseLostSignIn = async ({
  database,
  env,
  hasSignIn,
}: {
  database: Database
  env: Env
  hasSignIn: boolean
}): Promise<void> => {
  if (hasSignIn || env.signIn === 'off' || env.openstack === 'off') return
  const last = await database.prisma.auditEntry.findFirst({
    where: { action: 'session.create' },
    orderBy: { id: 'desc' },
    select: { cloud: true },
  })
  if (last === null) return
  throw new StartError(
    `People sign in to this console through the cloud "${last.cloud}", but no clouds.yaml is found now, so Sliceboard does not start: put the file back, or set SLICEBOARD_SIGN_IN=off to run it without sign-in.`,
  )
}
