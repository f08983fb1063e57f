import 'server-only'
import type { AccountScope } from '@/lib/server/context/service-context'
import type { SignInCloud } from '@/lib/server/context/sign-in'
import { shareByKey } from '@/lib/server/sharing/share-by-key'

/** One person who asks again and again must not use up what others need to sign in. */
const share = shareByKey('scopes')

type Owner = { domainId: string; domainName: string }

/** What an account can work in: the system first, then its projects by name. Throws OpenStackError. */
export const readScopes = async (
  { keystone }: SignInCloud,
  { tokenId, owner }: { tokenId: string; owner: Owner },
): Promise<AccountScope[]> => {
  const [projects, hasSystem] = await share(keystone, tokenId, () =>
    Promise.all([keystone.listProjects(tokenId), keystone.hasSystemScope(tokenId)]),
  )
  const scopes = projects
    .filter(({ isEnabled }) => isEnabled)
    .map(({ id, name, domainId }): Extract<AccountScope, { kind: 'project' }> => {
      // Only admins may read other domains, so their names are not known here.
      return { kind: 'project', id, name, domain: domainId === owner.domainId ? owner.domainName : domainId }
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.domain.localeCompare(b.domain, 'en'))
  return hasSystem ? [{ kind: 'system' }, ...scopes] : scopes
}
