import 'server-only'
import type { RoleNames } from '@/lib/domain/access/console-roles'
import type { Keystone, UserRole } from '@/lib/openstack/keystone/types'
import type { SecretBox } from '@/lib/server/secrets/secret-box'
import type { AccountRequests } from './account-requests'

/** What sign-in asks of a cloud's Keystone, always with the token of the person. */
type SignInKeystone = Pick<
  Keystone,
  'authenticate' | 'validate' | 'revoke' | 'listProjects' | 'hasSystemScope' | 'webSsoUrl'
>

/** A way to sign in through an identity provider. */
type WebSsoProvider = {
  /** The text of the button: "Company login". */
  label: string
  /** Null: Keystone itself asks which one. */
  identityProvider: string | null
  /** Keystone's name of the federation protocol: `openid`, `saml2`, `mapped`. */
  protocol: string
}

export type SignInCloud = {
  name: string
  region: string | null
  keystone: SignInKeystone
  /** Keystone's address for browsers; null: `auth_url`. */
  browserKeystoneUrl?: () => Promise<string | null>
  /** The roles of a user, read with the service account, because users must not list their own. */
  listUserRoles?: (userId: string) => Promise<readonly UserRole[]>
}

/** Set when clouds are configured: then every person needs a Keystone account. */
export type SignIn = {
  /** By name; at least one. */
  clouds: readonly SignInCloud[]
  webSso: readonly WebSsoProvider[]
  roleNames: RoleNames
  box: SecretBox
  /** Without a request that a person caused. */
  idleMs: number
  /** From sign-in on, however much it is used. */
  longestMs: number
  requests: AccountRequests
}

export const findSignInCloud = (signIn: SignIn, name: string): SignInCloud | undefined =>
  signIn.clouds.find((cloud) => cloud.name === name)
