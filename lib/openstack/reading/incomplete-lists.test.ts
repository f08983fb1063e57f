import { expect, onTestFinished, test } from 'vitest'
import { cloudGap, incompleteBecause } from '@/lib/domain/cloud/freshness'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { detectCloudFindings } from '@/lib/domain/findings/cloud/registry'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { planLimits } from '@/lib/domain/plans/limits/plan-limits'
import { t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { isIncomplete } from '@/lib/util/is-incomplete'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import type { ReleaseName } from '@/simulator/openstack/releases'
import { startOpenStack } from '@/simulator/openstack/start-openstack'
import { createServiceAccount } from '../session/create-service-account'
import { testCloudConfig } from '../testing/cloud-config'
import { createCloudReader } from './create-cloud-reader'

/** A round of a simulated cloud, a quarter of an hour after the one before. */
const openCloud = async (release: ReleaseName, maxDbLimit = 1000) => {
  const openstack = await startOpenStack({ release, hostCount: 1, maxDbLimit })
  onTestFinished(openstack.stop)
  const { name, password, domain, project } = DEMO_ACCOUNTS.admin
  const account = createServiceAccount(
    testCloudConfig({
      name: 'paris',
      authUrl: openstack.authUrl,
      region: openstack.cloud.region,
      account: { name, password, domain, project },
      timeoutMs: 5000,
    }),
  )
  onTestFinished(account.close)
  const reader = createCloudReader({ account, ages: { projects: 600, limits: 600 } })
  let nowMs = Date.parse('2026-11-21T08:00:00Z')
  const read = async (minutes: number) => {
    nowMs += minutes * 60_000
    return (await reader.readRound({ previous: null, now: new Date(nowMs) })).facts
  }
  return { keystone: openstack.cloud.keystone, read }
}

test('a cloud with more projects than a page is read to its end', async () => {
  const { keystone, read } = await openCloud('2025.1', 3)
  const { projects } = await read(1)
  expect(projects.error).toBeNull()
  expect(projects.value?.map(({ id }) => id).toSorted()).toEqual(
    keystone.projects.map(({ id }) => id).toSorted(),
  )
})

test.each(['2024.1', '2025.1'] as const)(
  'lists that Keystone %s cuts are kept, marked as incomplete and read again in their time',
  async (release) => {
    const { keystone, read } = await openCloud(release)
    keystone.listLimit = 1
    if (release === '2024.1') keystone.defaultListLimit = 2
    const facts = await read(1)
    expect(facts.limits.value?.registered).toHaveLength(1)
    expect(facts.limits).toMatchObject({
      at: '2026-11-21T08:01:00.000Z',
      failingSince: '2026-11-21T08:01:00.000Z',
    })
    expect(incompleteBecause({ facts }, 'limits')).toContain('[unified_limit] list_limit')
    // From 2025.1 on projects are paged with any options.
    expect(isIncomplete(facts.projects)).toBe(release === '2024.1')
    expect(facts.projects.value?.length).toBe(release === '2024.1' ? 2 : keystone.projects.length)

    keystone.listLimit = null
    keystone.defaultListLimit = null
    expect((await read(1)).limits.at).toBe(facts.limits.at)
    // A part whose time has come waits for a round with room.
    await read(60)
    const later = await read(60)
    expect([later.limits.error, later.projects.error]).toEqual([null, null])
    expect(later.projects.value).toHaveLength(keystone.projects.length)
  },
)

const BECAUSE = "Keystone's list of projects is incomplete after 1: Keystone cut it."
const at = '2026-11-21T13:00:00.000Z'

test('nothing is concluded from an incomplete list', () => {
  const input = t4Cloud()
  const { limits } = input.facts
  if (limits.value === null) throw new Error('the cloud has limits')
  const incomplete = { at, error: BECAUSE, failingSince: at }
  const cut = withFacts(input, {
    limits: { value: limits.value, ...incomplete },
    projects: { value: [], ...incomplete },
  })
  expect(cloudGap(cut, 'limits')).toBe(BECAUSE)
  const { unverified } = detectCloudFindings(joinFleet(cut))
  expect(unverified.find(({ code }) => code === 'limit-sum-over-capacity')?.because).toBe(BECAUSE)

  const fleet = joinFleet(withFacts(input, { projects: { value: [], ...incomplete } }))
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has limits')
  const wishes = [{ resourceName: 'class:VGPU', projectId: 'not-listed', value: 8 }]
  const rest = { uses: new Map(), grant: null, isSetUp: false, configs: [], removesStrays: false }
  const { limitChange } = planLimits(fleet, { view, wishes, ...rest })
  expect(limitChange?.refusals[0]?.reason).toBe(
    `the project is not in the console's list, which does not prove that it is missing: ${BECAUSE}`,
  )
})

test('a list that fails after it was incomplete is old, not incomplete', () => {
  const old = { at, error: 'no answer', failingSince: '2026-11-21T13:05:00.000Z' }
  expect(isIncomplete(old)).toBe(false)
})
