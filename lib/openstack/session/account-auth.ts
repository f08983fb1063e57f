import type { CloudConfig } from '../clouds/cloud-config'
import type { Identity, Scope } from '../keystone/types'
import { OpenStackError } from '../openstack-error'
import type { AccountScope } from './types'

/** What the service account of a cloud proves itself with. */
export const toIdentity = (auth: CloudConfig['auth']): Identity =>
  auth.kind === 'password'
    ? { method: 'password', user: auth.user, password: auth.password }
    : { method: 'application_credential', credential: auth.credential, secret: auth.secret }

/** @throws OpenStackError when the account can't have the scope. */
export const toScope = (config: CloudConfig, scope: AccountScope): Scope => {
  const { auth, name } = config
  const refuse = (message: string) =>
    new OpenStackError(`The service account of cloud "${name}" ${message}`, {
      kind: 'auth',
      service: 'keystone',
      cloud: name,
    })
  if (auth.kind === 'application-credential') {
    if (scope === 'project') return { kind: 'unscoped' }
    throw refuse('is an application credential, which can never have the system scope; use a password user.')
  }
  if (scope === 'system' && auth.trustId !== null) {
    throw refuse('uses a trust, which can never have the system scope; use a user with a project.')
  }
  if (scope === 'system') return { kind: 'system' }
  if (auth.trustId !== null) return { kind: 'trust', trustId: auth.trustId }
  if (auth.project !== null) return { kind: 'project', project: auth.project }
  throw refuse('names no project, but Nova and Placement need a project-scoped token; add project_name.')
}
