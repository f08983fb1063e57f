import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { createPlacement } from '../placement/create-placement'
import { testCloudConfig } from '../testing/cloud-config'
import { createServiceAccount } from './create-service-account'
import { personSession } from './person-session'
import type { ServiceAccount } from './types'

type Who = keyof typeof DEMO_ACCOUNTS

let openstack: OpenStackSimulator
let account: ServiceAccount

const projectOf = (who: Who) => ({
  name: DEMO_ACCOUNTS[who].project,
  domain: { name: DEMO_ACCOUNTS[who].domain },
})

const userOf = (who: Who) => {
  const { name, domain } = DEMO_ACCOUNTS[who]
  return { name, domain: { name: domain } }
}

beforeAll(async () => {
  openstack = await startOpenStack({ hostCount: 1 })
  account = createServiceAccount(
    testCloudConfig({ name: 'paris', authUrl: openstack.authUrl, account: DEMO_ACCOUNTS.service }),
  )
})
afterAll(async () => {
  await account.close()
  await openstack.stop()
})

const tokenOf = async (who: Who): Promise<string> => {
  const { id } = await account.keystone.authenticate({
    identity: { method: 'password', user: userOf(who), password: DEMO_ACCOUNTS[who].password },
    scope: { kind: 'project', project: projectOf(who) },
  })
  return id
}

test('acts as the person: what they may not do is refused, although the service account may', async () => {
  const admin = createPlacement({ account: personSession(account, await tokenOf('admin')) })
  expect((await admin.listProviders()).length).toBeGreaterThan(0)
  const tenant = createPlacement({ account: personSession(account, await tokenOf('tenant')) })
  await expect(tenant.createTrait('CUSTOM_BY_TENANT')).rejects.toMatchObject({ status: 403 })
  expect(openstack.cloud.placement.customTraits.has('CUSTOM_BY_TENANT')).toBe(false)
})

test('reports that the sign-in has ended when the token no longer holds', async () => {
  const tokenId = await tokenOf('admin')
  await account.keystone.revoke({ tokenId })
  const gone = createPlacement({ account: personSession(account, tokenId) })
  await expect(gone.listTraits()).rejects.toMatchObject({ kind: 'auth', service: 'keystone' })
})
