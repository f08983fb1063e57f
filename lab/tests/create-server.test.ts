import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { openstackCommand } from '@/lib/domain/create-server/server-texts'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { configOf } from '@/lib/openstack/testing/suite/target'
import { createAccountRequests } from '@/lib/server/context/account-requests'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { sealToken } from '@/lib/server/session/session-tokens'
import { countCatalog } from '@/lib/services/catalog/catalog-cache'
import { createServer } from '@/lib/services/create-server/create-server'
import { getServerChoices } from '@/lib/services/create-server/get-server-choices'
import { labFile, labTarget } from './lab-cloud'
import { createLabConsole } from './lab-console'
import { type Operator, openOperator, waitUntil } from './operator'

const FLAVOR = 'vgpu.t4-4q'
const HOUR_MS = 3_600_000

const lab = createLabConsole()
let tenant: ServiceAccount | null = null
let operator: Operator | null = null
let ctx: ServiceContext
let projectId = ''
const names: string[] = []

/** The lab's tenant, signed in to the console with a token of the lab's Keystone. */
const signedIn = async (account: ServiceAccount): Promise<ServiceContext> => {
  const token = await account.token('project')
  if (token.scope.kind !== 'project') throw new Error('the tenant of the lab has no project')
  projectId = token.scope.id
  const { id: userId, name: userName } = token.user
  const cloud = lab.cloud()
  const [hash, now] = ['lab-hash', lab.now()]
  const box = createSecretBox(['a secret of at least thirty-two characters'])
  const { id: sessionId } = await lab.database().prisma.session.create({
    data: {
      hash,
      cloud: cloud.name,
      userId,
      userName,
      userDomain: 'Default',
      userDomainId: 'default',
      method: 'password',
      scopeKind: 'project',
      projectId,
      projectName: 'demo',
      projectDomain: 'Default',
      role: 'tenant',
      keystoneRoles: ['member'],
      scopedToken: sealToken({ box }, { hash, kind: 'scoped', tokenId: token.id }),
      tokenExpiresAt: new Date(now.getTime() + HOUR_MS),
      checkedAt: now,
      address: '10.1.2.3',
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + HOUR_MS),
    },
    select: { id: true },
  })
  const scope = { kind: 'project' as const, id: projectId, name: 'demo', domain: 'Default' }
  const source = { kind: 'session' as const, sessionId, sessionHash: hash }
  return {
    ...lab.context({
      kind: 'user',
      name: `${userName}@Default`,
      roles: ['tenant'],
      account: { cloud: cloud.name, userId, userName, userDomain: 'Default', scope, source },
    }),
    signIn: {
      clouds: [{ name: cloud.name, region: cloud.region, keystone: lab.account().signInKeystone }],
      webSso: [],
      roleNames: { admin: ['admin'], reader: [] },
      box,
      idleMs: HOUR_MS,
      longestMs: HOUR_MS,
      requests: createAccountRequests({ perSecond: 100, log: pino({ level: 'silent' }) }),
    },
  }
}

const opened = (): Operator => {
  if (operator === null) throw new Error('the operator opens before the first test')
  return operator
}

const flavorId = async (): Promise<string> =>
  (await opened().nova.listFlavors()).find(({ name }) => name === FLAVOR)?.id ?? ''

beforeAll(async () => {
  operator = await openOperator()
  const target = await labTarget()
  tenant = createServiceAccount(configOf(target, target.credentials.tenant))
  await lab.readRound()
  ctx = await signedIn(tenant)
  await countCatalog(ctx, lab.cloud())
})
afterAll(async () => {
  for (const name of names) await operator?.deleteServer(name)
  await tenant?.close()
  await operator?.close()
})

it('lists the images of the real Glance with the token of a tenant', async () => {
  const { images, networks, securityGroups, keyPairs, quota } = await getServerChoices(ctx, {
    flavor: await flavorId(),
  })
  expect(images).toMatchObject({ problem: null, items: [{ name: 'lab', isOwn: false, problem: null }] })
  // The lab's Neutron is a stand-in with empty lists.
  expect([networks, securityGroups]).toEqual([
    { items: [], problem: null },
    { items: [], problem: null },
  ])
  expect(keyPairs.problem).toBeNull()
  expect(quota.items?.find(({ resourceName }) => resourceName === 'class:VGPU')).toMatchObject({ needs: 1 })
})

it('creates a server in the tenant’s project through the real Nova', async () => {
  const name = `console-${randomBytes(3).toString('hex')}`
  names.push(name)
  const flavor = await flavorId()
  const { images } = await getServerChoices(ctx, { flavor })
  const { uuid } = await createServer(ctx, {
    body: {
      requestKey: randomBytes(16).toString('hex'),
      name,
      flavor,
      image: images.items?.[0]?.id ?? '',
      network: null,
      keyPair: null,
      securityGroups: [],
    },
  })
  const server = await waitUntil(`server ${name} ACTIVE`, async () => {
    const found = await opened().nova.getServer(uuid)
    return found?.status === 'ACTIVE' || found?.status === 'ERROR' ? found : null
  })
  expect(server).toMatchObject({ name, status: 'ACTIVE', projectId })
})

it('produces a command that python-openstackclient runs', async () => {
  const name = `-cli ${randomBytes(3).toString('hex')}`
  names.push(name)
  const command = openstackCommand({
    name,
    flavor: FLAVOR,
    image: { text: 'lab', isId: false },
    network: 'none',
    keyPair: null,
    securityGroups: [],
  })
  const asJson = command
    .replace(/^openstack/, 'lab/bin/openstack')
    .replace(' server create', ' server create -f json')
  const out = execFileSync('sh', ['-c', `. '${labFile('openrc-demo')}'\n${asJson}`])
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(out.toString()))
  expect(await opened().nova.getServer(id)).toMatchObject({ name, projectId })
})
