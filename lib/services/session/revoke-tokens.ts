import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { SignInCloud } from '@/lib/server/context/sign-in'

/**
 * Gives tokens back to Keystone, whose word decides when the next call comes with them. They are forgotten here already, so
 * a Keystone that does not answer holds nobody up: they expire by themselves.
 */
export const revokeTokens = async (
  ctx: ServiceContext,
  { keystone, name }: SignInCloud,
  tokenIds: readonly (string | null)[],
): Promise<void> => {
  for (const tokenId of tokenIds) {
    if (tokenId === null) continue
    try {
      await keystone.revoke({ tokenId })
    } catch (err) {
      ctx.log.warn({ err, cloud: name }, 'A Keystone token could not be revoked; it expires by itself')
      return
    }
  }
}
