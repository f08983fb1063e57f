import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limitSetUpSchema } from '@/lib/schemas/api/limit-set-up'
import { createFlavorWorld, START_AT } from '@/lib/services/flavor/testing/flavor-world'
import { READER } from '@/lib/services/testing/service-world'
import { getLimitSetUp } from './get-limit-set-up'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const world = createFlavorWorld()
let close: (() => Promise<void>) | null = null
beforeEach(async () => {
  close = await world.openCloud()
})
afterEach(() => close?.())

const addProjects = (count = 120): void => {
  const { keystone } = world.openstack().cloud
  const [project] = keystone.projects
  if (project === undefined) throw new Error('the cloud has no project')
  for (let number = 0; number < count; number += 1)
    keystone.projects.push({ ...project, id: `many${`${number}`.padStart(28, '0')}`, name: `many-${number}` })
}

const setUp = async (flavor: string | null = null) =>
  limitSetUpSchema.parse(await getLimitSetUp(world.ctx(READER), { cloud: world.opened().cloud.name, flavor }))

const withoutReading = async (flavor: string | null = null) =>
  vi.waitFor(
    async () => {
      const answer = await setUp(flavor)
      expect(answer.projects.filter(({ isReading }) => isReading)).toEqual([])
      return answer
    },
    { timeout: 60_000, interval: 500 },
  )

it('does not wait for the quotas of many projects, names those still to be read, and has all in the end', async () => {
  addProjects()
  await world.read()
  const { controls } = world.openstack()
  controls.breakApi({ service: 'placement', kind: 'slow', value: '700' })
  controls.breakApi({ service: 'nova', kind: 'slow', value: '700' })
  const early = await setUp()
  expect(early.projects.length).toBeGreaterThan(120)
  expect(early.projects.every(({ isReading, quotas }) => isReading && quotas === null)).toBe(true)
  expect(early.facts.find(({ id }) => id === 'driver')).toMatchObject({
    state: 'unknown',
    reported: expect.stringContaining('still being read'),
  })
  controls.repairApi({ service: 'placement' })
  controls.repairApi({ service: 'nova' })
  const whole = await withoutReading()
  expect(whole.projects.every(({ quotas }) => quotas !== null)).toBe(true)

  const flavor = whole.flavors[0]?.id ?? ''
  const { dryRun } = await withoutReading(flavor)
  expect(dryRun?.projects.map(({ state }) => state)).not.toContain('unknown')
  expect(dryRun?.projects.some(({ message }) => message?.startsWith('As far as is known') === true)).toBe(
    false,
  )

  world.setClock(new Date(START_AT.getTime() + 600_000))
  controls.breakApi({ service: 'placement', kind: 'slow', value: '700' })
  controls.breakApi({ service: 'nova', kind: 'slow', value: '700' })
  expect((await setUp()).projects.every(({ isReading, quotas }) => isReading && quotas === null)).toBe(true)
})

it('counts the projects that are not read where there are very many', async () => {
  addProjects(320)
  await world.read()
  const flavor = world.openstack().cloud.nova.flavors.find(({ name }) => name === 'vgpu.t4-4q')
  const { projects, unreadProjects, dryRun } = await setUp(flavor?.id)
  const enabled = world.openstack().cloud.keystone.projects.filter(({ isEnabled }) => isEnabled)
  const count = new Set(enabled.map(({ id }) => id)).size
  expect([projects.length, unreadProjects]).toEqual([300, count - 300])
  expect([dryRun?.projects.length, dryRun?.unreadProjects]).toEqual([300, count - 300])
})
