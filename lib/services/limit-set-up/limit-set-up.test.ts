import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limitSetUpSchema } from '@/lib/schemas/api/limit-set-up'
import { previewChange } from '@/lib/services/change/preview-change'
import { previewOfKind } from '@/lib/services/change/testing/preview-of-kind'
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
  const others = keystone.projects.filter(({ name }) => !name.startsWith('many-'))
  const [project] = others
  if (project === undefined) throw new Error('the cloud has no project')
  const many = Array.from({ length: count }, (_, number) => ({
    ...project,
    id: `many${`${number}`.padStart(28, '0')}`,
    name: `many-${number}`,
  }))
  keystone.projects = [...others, ...many]
}

const setUp = async (flavor: string | null = null, page: { q?: string; limit?: number } = { limit: 1000 }) =>
  limitSetUpSchema.parse(
    await getLimitSetUp(world.ctx(READER), { cloud: world.opened().cloud.name, flavor, ...page }),
  )

const withoutReading = async (flavor: string | null = null) =>
  vi.waitFor(
    async () => {
      const answer = await setUp(flavor)
      expect(answer.counts.reading).toBe(0)
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
  expect(early.counts.projects).toBeGreaterThan(120)
  expect(early.counts.reading).toBe(early.counts.projects)
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

it('reads every project of a large cloud, and lists them page by page or by a search', async () => {
  addProjects(320)
  await world.read()
  const flavor = world.openstack().cloud.nova.flavors.find(({ name }) => name === 'vgpu.t4-4q')
  const { counts, projects, dryRun } = await withoutReading(flavor?.id)
  const enabled = world.openstack().cloud.keystone.projects.filter(({ isEnabled }) => isEnabled)
  const count = new Set(enabled.map(({ id }) => id)).size
  expect([counts.projects, projects.length]).toEqual([count, count])
  const { refused, unknown, fits } = dryRun?.counts ?? { refused: 0, unknown: 0, fits: 0 }
  expect([refused + unknown + fits, dryRun?.projects.length]).toEqual([count, 100])
  const found = await setUp(null, { q: 'MANY-31', limit: 5 })
  expect(found.projects.map(({ projectName }) => projectName)).toEqual(
    ['31', '310', '311', '312', '313'].map((number) => `many-${number}`),
  )
  expect([found.total, found.next === null, found.counts.projects]).toEqual([11, false, count])
})

it('plans the limits of every project of a large cloud but those left out, in steps of 100', async () => {
  addProjects(220)
  const { cloud, controls } = world.openstack()
  controls.forgetLimits()
  const many = cloud.keystone.projects.filter(({ name }) => name.startsWith('many-'))
  for (const { id } of many) cloud.nova.legacyQuotas.set(id, { cores: 48, instances: 7 })
  await world.read()
  const plan = (projects: { only: string[] } | { except: string[] }) =>
    previewChange(world.ctx(), {
      cloud: world.opened().cloud.name,
      kind: 'limits',
      limits: [
        { resourceName: 'servers', projectId: null, value: 10 },
        { resourceName: 'class:VCPU', projectId: null, value: 20 },
      ],
      setUp: { user: 'nova', domainId: null, projects },
    })
  controls.breakApi({ service: 'nova', kind: 'slow', value: '700' })
  const error = { code: 'unavailable', message: expect.stringMatching(/projects are still being read/) }
  await expect(plan({ except: [] })).rejects.toMatchObject(error)
  controls.repairApi({ service: 'nova' })
  const { counts } = await withoutReading()
  const [left] = many
  const { preview, steps } = await plan({ except: [left?.id ?? ''] })
  const own = steps.filter(({ id }) => id.startsWith('set-project-limits'))
  expect(own.map(({ id, title }) => [id, title])).toEqual([
    ['set-project-limits', 'Set 100 project limits (part 1 of 5)'],
    ['set-project-limits/2', 'Set 100 project limits (part 2 of 5)'],
    ['set-project-limits/3', 'Set 100 project limits (part 3 of 5)'],
    ['set-project-limits/4', 'Set 100 project limits (part 4 of 5)'],
    ['set-project-limits/5', expect.stringMatching(/^Set \d+ project limits \(part 5 of 5\)$/)],
  ])
  expect(counts.limits).toBeGreaterThanOrEqual(2 * many.length)
  const { effects, totals } = previewOfKind('limits', { preview }).limitChange
  const ofProjects = effects.filter(({ projectId }) => projectId !== null)
  expect(ofProjects).not.toContainEqual(expect.objectContaining({ projectId: left?.id }))
  expect(effects).toHaveLength(100)
  expect(totals?.effects).toBeGreaterThanOrEqual(2 + 2 * (many.length - 1))
  const only = await plan({ only: [left?.id ?? ''] })
  expect(previewOfKind('limits', only).limitChange.effects).toMatchObject([
    { projectId: null },
    { projectId: null },
    { projectId: left?.id, resourceName: 'servers', after: 7 },
    { projectId: left?.id, resourceName: 'class:VCPU', after: 48 },
  ])
})
