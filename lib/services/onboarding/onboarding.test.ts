import { expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { onboardingSchema } from '@/lib/schemas/api/onboarding'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { getOnboarding } from './get-onboarding'

const world = createServiceWorld()

const doneOf = async (cloud: string) => {
  const answer = await getOnboarding(world.ctx(READER), { cloud })
  expect(onboardingSchema.parse(answer)).toEqual(answer)
  return answer.steps.filter(({ isDone }) => isDone).map(({ step }) => step)
}

test('nothing is done in an empty console, and a step is done as soon as its state is reached', async () => {
  const { id, name } = await world.newCloud()
  expect(await doneOf(name)).toEqual([])
  await storeReport(world.database(), { cloudId: id, inventory: t4SeedHost() })
  const { prisma } = world.database()
  const at = new Date()
  await prisma.finding.create({
    data: {
      cloudId: id,
      key: 'a',
      code: 'orphan-mdevs',
      severity: 'warning',
      subjectKind: 'host',
      body: {},
      openedAt: at,
      changedAt: at,
    },
  })
  expect(await doneOf(name)).toEqual(['hosts'])
  await prisma.findingMute.create({
    data: { cloudId: id, code: 'orphan-mdevs', note: 'known', mutedBy: 'user:a', mutedAt: at, until: at },
  })
  expect(await doneOf(name)).toEqual(['hosts', 'findings'])
  await prisma.webhook.create({
    data: {
      cloudId: id,
      name: 'ops',
      origin: 'https://hooks.example.org',
      sealedAddress: 'x',
      sealedSecret: 'x',
      form: 'json',
      wantsExhaustion: true,
      wantsChanges: false,
      madeBy: 'user:a',
      madeAt: at,
    },
  })
  expect(await doneOf(name)).toEqual(['hosts', 'findings', 'notifications'])
})

test('a tenant is refused', async () => {
  const { name } = await world.newCloud()
  await expect(getOnboarding(world.ctx(TENANT), { cloud: name })).rejects.toMatchObject({ code: 'forbidden' })
})
