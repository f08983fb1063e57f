import 'server-only'
import type { Runtime } from '@/lib/server/context/runtime'
import { listLostKeys, resealKeys } from './signing-keys'

/** Once at start: encrypts the signing keys with the newest secret, and reports those that cannot be decrypted. */
export const startSigningKeys = async ({ database, box, log }: Runtime): Promise<void> => {
  await resealKeys({ database, box })
  for (const { cloud } of await listLostKeys({ database, box }))
    log.warn(
      { cloud },
      'The signing key of this cloud cannot be decrypted with SLICEBOARD_SECRET, so hosts receive no commands: run "npm run key:replace -- signing-key", then enroll the hosts again',
    )
}
