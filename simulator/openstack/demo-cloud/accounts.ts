import { uuidFrom } from '@/simulator/random/uuid-from'
import { PROJECTS } from '@/simulator/world/projects'
import type {
  Assignment,
  IdentityProvider,
  KeystoneState,
  ScopeTarget,
  User,
} from '../keystone/keystone-state'

const compactId = (text: string): string => uuidFrom(text).replaceAll('-', '')

/** Accounts of the demo; they exist on the loopback only. */
export const DEMO_ACCOUNTS = {
  admin: { name: 'admin', password: 'demo-admin', domain: 'Default', project: 'admin' },
  /** Approves what the first has planned. */
  otherAdmin: { name: 'h.lindqvist', password: 'demo-lindqvist', domain: 'Default', project: 'admin' },
  reader: { name: 'auditor', password: 'demo-auditor', domain: 'Default', project: 'admin' },
  tenant: { name: 'm.ferrand', password: 'demo-ferrand', domain: 'Default', project: 'cfd-lab' },
  otherTenant: { name: 'p.novak', password: 'demo-novak', domain: 'Campus', project: 'campus-cad' },
  /** The console's own. */
  service: { name: 'sliceboard', password: 'demo-service', domain: 'Default', project: 'service' },
} as const

const DEFAULT_DOMAIN_ID = 'default'
const CAMPUS_DOMAIN_ID = compactId('domain Campus')

const ROLE_NAMES = ['admin', 'manager', 'member', 'reader', 'service'] as const
type RoleName = (typeof ROLE_NAMES)[number]

const roleId = (name: RoleName): string => compactId(`role ${name}`)

export const projectIdOf = (name: string): string =>
  Object.values(PROJECTS).find((project) => project.name === name)?.id ?? compactId(`project ${name}`)

const domainOfProject = (name: string): string =>
  name === 'campus-cad' ? CAMPUS_DOMAIN_ID : DEFAULT_DOMAIN_ID

const staff = (account: { name: string; password: string }): User => ({
  id: compactId(`user ${account.name}`),
  name: account.name,
  domainId: DEFAULT_DOMAIN_ID,
  password: account.password,
  isEnabled: true,
})

const passwordOf = (name: string): string =>
  Object.values(DEMO_ACCOUNTS).find((account) => account.name === name)?.password ?? `demo-${name}`

const grant = (userName: string, role: RoleName, target: ScopeTarget): Assignment => ({
  userId: compactId(`user ${userName}`),
  roleId: roleId(role),
  target,
})

const onProject = (name: string): ScopeTarget => ({ kind: 'project', id: projectIdOf(name) })
const ON_SYSTEM: ScopeTarget = { kind: 'system' }

const staffGrants = (): Assignment[] => [
  grant('admin', 'admin', onProject('admin')),
  grant('admin', 'admin', onProject('service')),
  grant('admin', 'admin', { kind: 'domain', id: DEFAULT_DOMAIN_ID }),
  grant('admin', 'admin', ON_SYSTEM),
  grant('h.lindqvist', 'admin', onProject('admin')),
  grant('auditor', 'reader', onProject('admin')),
  grant('auditor', 'reader', onProject('cfd-lab')),
  grant('auditor', 'reader', ON_SYSTEM),
  grant('sliceboard', 'admin', onProject('service')),
  grant('sliceboard', 'reader', ON_SYSTEM),
  grant('nova', 'service', onProject('service')),
  // oslo.limit reads the limits of all projects.
  grant('nova', 'reader', ON_SYSTEM),
]

const { otherTenant } = DEMO_ACCOUNTS

/** Signs everybody in as the tenant of the campus. */
export const CAMPUS_LOGIN: IdentityProvider = {
  id: 'campus-login',
  protocols: ['openid'],
  userId: Object.values(PROJECTS)
    .flatMap(({ users }) => users)
    .filter(({ name }) => name === otherTenant.name)
    .map(({ id }) => id)
    .join(),
}

type Accounts = Pick<KeystoneState, 'domains' | 'projects' | 'users' | 'roles' | 'assignments'>

/** Domains, projects, users and who may do what; the tenants' users are those of the world's servers. */
export const demoAccounts = (): Accounts => {
  const tenants = Object.values(PROJECTS)
  return {
    domains: [
      { id: DEFAULT_DOMAIN_ID, name: 'Default', isEnabled: true },
      { id: CAMPUS_DOMAIN_ID, name: 'Campus', isEnabled: true },
    ],
    projects: ['admin', 'service', ...tenants.map(({ name }) => name)].map((name) => ({
      id: projectIdOf(name),
      name,
      domainId: domainOfProject(name),
      isEnabled: true,
    })),
    users: [
      ...[DEMO_ACCOUNTS.admin, DEMO_ACCOUNTS.otherAdmin, DEMO_ACCOUNTS.reader, DEMO_ACCOUNTS.service].map(
        staff,
      ),
      staff({ name: 'nova', password: 'demo-nova' }),
      ...tenants.flatMap((project) =>
        project.users.map(({ id, name }) => ({
          id,
          name,
          domainId: domainOfProject(project.name),
          password: passwordOf(name),
          isEnabled: true,
        })),
      ),
    ],
    roles: ROLE_NAMES.map((name) => ({ id: roleId(name), name })),
    assignments: [
      ...staffGrants(),
      ...tenants.flatMap((project) =>
        project.users.map(({ name }) => grant(name, 'member', onProject(project.name))),
      ),
    ],
  }
}
