import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from './expect-repaired'
import { createLabChanges } from './lab-changes'
import { openOperator, waitUntil } from './operator'

const PROVIDER = 'gpu02_pci_0000_84_00_0'
const GPU = { host: 'gpu02', address: '0000:84:00.0' }
const TRAIT = 'CUSTOM_GRID_T4_4Q'

const changes = createLabChanges()
let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
})
afterAll(async () => {
  await operator.tagAgain({ name: PROVIDER, total: 4, trait: TRAIT })
  await operator.close()
})

it('a managed trait that an admin removes from its provider is found, until it is added again', async () => {
  expect(await changes.readAlarms()).toEqual([])
  const planned = await changes.plan({
    cloud: changes.cloud().name,
    kind: 'traits',
    gpus: [GPU],
    rule: 'CUSTOM_GRID_{type}',
    isManaged: true,
  })
  await changes.run(planned.id, { action: 'start', state: 'done' })
  expect(await changes.readAlarms()).toEqual([])

  const uuid = (await operator.providerNamed(PROVIDER))?.uuid ?? ''
  await waitUntil(`${PROVIDER} without its trait`, () =>
    operator.putTraits(uuid, (traits) => traits.filter((trait) => trait !== TRAIT)),
  )
  const found = (await changes.readAlarms()).filter(({ code }) => code === 'kept-trait-taken-off')
  expect(found).toMatchObject([{ subject: { kind: 'pgpu', ...GPU } }])
  for (const finding of found) await runCommand(finding)
  expect(await changes.readAlarms()).toEqual([])
  expect((await operator.offered(PROVIDER))?.traits).toContain(TRAIT)
  await changes.run(planned.id, { action: 'roll-back', state: 'undone' })
})
