import type {
  ApplicationCredentialAuth,
  CloudConfig,
  DomainRef,
  PasswordAuth,
  ProjectRef,
  UserRef,
} from './cloud-config'
import type { EntryReader } from './entry'

const PASSWORD_TYPES = ['password', 'v3password']
const APPLICATION_CREDENTIAL_TYPES = [
  'v3applicationcredential',
  'applicationcredential',
  'application_credential',
]

/** Keystone's first domain, which the OpenStack client assumes as well. */
const DEFAULT_DOMAIN: DomainRef = { id: 'default' }

/**
 * keystoneauth sends the id where there is one, also that of the default (identity/generic/password.py); v3password has no
 * default domain (identity/v3/password.py).
 */
const readDomain = (reader: EntryReader, whose: 'user' | 'project'): DomainRef => {
  const defaults = (form: 'id' | 'name') =>
    reader.text('auth_type') === 'v3password' ? [] : [`auth.default_domain_${form}`]
  const id = reader.text(`auth.${whose}_domain_id`, ...defaults('id'))
  if (id !== null) return { id }
  const name = reader.text(`auth.${whose}_domain_name`, ...defaults('name'))
  if (name !== null) return { name }
  const assumed = reader.text('auth.default_domain')
  return assumed === null ? DEFAULT_DOMAIN : { id: assumed }
}

const readUser = (reader: EntryReader): UserRef | null => {
  const id = reader.text('auth.user_id')
  if (id !== null) return { id }
  const name = reader.text('auth.username', 'auth.user_name')
  return name === null ? null : { name, domain: readDomain(reader, 'user') }
}

const readProject = (reader: EntryReader): ProjectRef | null => {
  const id = reader.text('auth.project_id')
  if (id !== null) return { id }
  const name = reader.text('auth.project_name')
  return name === null ? null : { name, domain: readDomain(reader, 'project') }
}

type PasswordScope = Pick<PasswordAuth, 'project' | 'trustId' | 'isSystemScoped'>

const readScope = (reader: EntryReader): PasswordScope => {
  const project = readProject(reader)
  const trustId = reader.text('auth.trust_id')
  const systemScope = reader.text('auth.system_scope')
  if (systemScope !== null && systemScope !== 'all') {
    reader.refuse('auth.system_scope', `system_scope is "${systemScope}", but Keystone knows only "all".`)
  }
  const hasOther = project !== null || systemScope !== null
  if (trustId !== null && hasOther) {
    reader.refuse(
      'auth.trust_id',
      'trust_id is set together with a project or system_scope, but a token has one scope; keep one of them.',
    )
  }
  if (trustId === null && !hasOther) {
    reader.refuse('auth', 'auth names neither a project nor system_scope; add project_name or project_id.')
  }
  // With a project, openstacksdk takes these as the domain of both; without one, they scope the token to the domain.
  if (project === null && reader.text('auth.domain_id', 'auth.domain_name') !== null) {
    reader.refuse(
      'auth',
      'auth scopes to a domain, but Nova and Placement need a project; add project_name, or name the domain of the user as user_domain_name.',
    )
  }
  return { project, trustId, isSystemScoped: systemScope === 'all' }
}

const readPassword = (reader: EntryReader): PasswordAuth | null => {
  const user = readUser(reader)
  const password = reader.text('auth.password')
  if (user === null) reader.refuse('auth', 'auth names no user; add username or user_id.')
  if (password === null) {
    reader.refuse('auth', 'auth has no password; add it to secure.yaml, or use an application credential.')
  }
  const scope = readScope(reader)
  return user === null || password === null ? null : { kind: 'password', user, password, ...scope }
}

const readApplicationCredential = (reader: EntryReader): ApplicationCredentialAuth | null => {
  const secret = reader.text('auth.application_credential_secret')
  const id = reader.text('auth.application_credential_id')
  const name = reader.text('auth.application_credential_name')
  const user = readUser(reader)
  if (secret === null) reader.refuse('auth', 'auth has no application_credential_secret.')
  if (id === null && (name === null || user === null)) {
    reader.refuse(
      'auth',
      'auth needs application_credential_id, or application_credential_name together with the user.',
    )
  }
  if (secret === null) return null
  if (id !== null) return { kind: 'application-credential', credential: { id }, secret }
  if (name === null || user === null) return null
  return { kind: 'application-credential', credential: { name, user }, secret }
}

const readAuthKind = (reader: EntryReader): CloudConfig['auth']['kind'] | null => {
  const type = reader.text('auth_type')
  if (type === null) {
    const names = reader.text('auth.application_credential_id', 'auth.application_credential_name')
    return names === null ? 'password' : 'application-credential'
  }
  if (PASSWORD_TYPES.includes(type)) return 'password'
  if (APPLICATION_CREDENTIAL_TYPES.includes(type)) return 'application-credential'
  reader.refuse(
    'auth_type',
    `auth_type is "${type}", but only password, v3password and v3applicationcredential are supported.`,
  )
  return null
}

/** Null after a problem was noted. */
export const readAuth = (reader: EntryReader): CloudConfig['auth'] | null => {
  const kind = readAuthKind(reader)
  if (kind === null) return null
  return kind === 'password' ? readPassword(reader) : readApplicationCredential(reader)
}
