import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { SignInCloud } from '@/lib/server/context/sign-in'

/**
 * Revokes tokens in Keystone, which validates them at the next call. They are deleted here already, so an unavailable
 * Keystone causes no wait: the tokens then expire.
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
      ctx.log.warn({ err, cloud: name }, 'A Keystone token could not be revoked; it will expire')
      return
    }
  }
}
