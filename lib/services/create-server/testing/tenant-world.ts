import { pino } from 'pino'
import { createAccountRequests } from '@/lib/server/context/account-requests'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import type { SignIn } from '@/lib/server/context/sign-in'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { sealToken } from '@/lib/server/session/session-tokens'
import { countCatalog } from '@/lib/services/catalog/catalog-cache'
import { createFlavorWorld, type FlavorWorld } from '@/lib/services/flavor/testing/flavor-world'
import { DEMO_ACCOUNTS, projectIdOf } from '@/simulator/openstack/demo-cloud/accounts'
import type { IssuedToken } from '@/simulator/openstack/keystone/keystone-state'
import { signIn as keystoneToken } from '@/simulator/openstack/testing/api-client'

type Who = 'tenant' | 'otherTenant' | 'admin'

const HOUR_MS = 3_600_000

export type TenantWorld = FlavorWorld & {
  /** A request of a person who has signed in to the project of the account, with a real Keystone token. */
  as: (who: Who, change?: (actor: Extract<Actor, { kind: 'user' }>) => Actor) => Promise<ServiceContext>
  /** The Keystone token of that person's session. */
  tokenOf: (ctx: ServiceContext) => IssuedToken
  /** Every host reports, a round is read, and the catalog is counted. */
  readCatalog: () => Promise<void>
}

/** A cloud with signed-in tenants. */
export const createTenantWorld = (): TenantWorld => {
  const world = createFlavorWorld()
  const tokens = new Map<number, string>()
  const box = createSecretBox(['a secret of at least thirty-two characters'])

  const signIn = (): SignIn => {
    const { account, cloud } = world.opened()
    return {
      clouds: [{ name: cloud.name, region: cloud.region, keystone: account.signInKeystone }],
      webSso: [],
      roleNames: { admin: ['admin'], reader: [] },
      box,
      idleMs: HOUR_MS,
      longestMs: 12 * HOUR_MS,
      requests: createAccountRequests({ perSecond: 1000, log: pino({ level: 'silent' }) }),
    }
  }

  const as: TenantWorld['as'] = async (who, change = (actor) => actor) => {
    const { name, project, domain } = DEMO_ACCOUNTS[who]
    const { cloud } = world.opened()
    const tokenId = await keystoneToken(world.openstack().authUrl, who)
    const userId = world.openstack().cloud.keystone.users.find((user) => user.name === name)?.id ?? ''
    const now = world.ctx().now()
    const hash = `hash-${tokenId.slice(-20)}`
    const scope = { kind: 'project' as const, id: projectIdOf(project), name: project, domain }
    const { id: sessionId } = await world.ctx().database.prisma.session.create({
      data: {
        hash,
        cloud: cloud.name,
        userId,
        userName: name,
        userDomain: domain,
        userDomainId: 'default',
        method: 'password',
        scopeKind: 'project',
        projectId: scope.id,
        projectName: scope.name,
        projectDomain: domain,
        role: who === 'admin' ? 'admin' : 'tenant',
        keystoneRoles: ['member'],
        scopedToken: sealToken({ box }, { hash, kind: 'scoped', tokenId }),
        tokenExpiresAt: new Date(now.getTime() + HOUR_MS),
        checkedAt: now,
        address: '10.1.2.3',
        createdAt: now,
        lastUsedAt: now,
        expiresAt: new Date(now.getTime() + 12 * HOUR_MS),
      },
      select: { id: true },
    })
    tokens.set(sessionId, tokenId)
    const actor = change({
      kind: 'user',
      name: `${name}@${domain}`,
      roles: [who === 'admin' ? 'admin' : 'tenant'],
      account: {
        cloud: cloud.name,
        userId,
        userName: name,
        userDomain: domain,
        scope,
        source: { kind: 'session', sessionId, sessionHash: hash },
      },
    })
    return { ...world.ctx(actor), signIn: signIn() }
  }

  return {
    ...world,
    as,
    tokenOf: ({ actor }) => {
      const source = actor.kind === 'user' ? actor.account?.source : undefined
      const id = source?.kind === 'session' ? tokens.get(source.sessionId) : undefined
      const token = world.openstack().cloud.keystone.tokens.get(id ?? '')
      if (token === undefined) throw new Error('the request has no Keystone token')
      return token
    },
    readCatalog: async () => {
      await world.read()
      await countCatalog(world.ctx(), world.opened().cloud)
    },
  }
}
