import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { previewOfKind } from '@/lib/services/change/testing/preview-of-kind'
import { createLabChanges } from './lab-changes'
import { mdevsOf, treeOf } from './lab-cloud'
import { becomesCalm } from './lab-fleet'
import { ADDRESS, DROP_IN, HOST, openLabPgpu, T4_4Q, T4_8Q } from './lab-pgpu'
import { openOperator } from './operator'
import { dropSpareMdevs, makeSpareMdev } from './spare-mdevs'

const [IN_THE_WAY, LATE] = ['lab-in-the-way', 'lab-after-change']

const changes = createLabChanges()
let operator: Awaited<ReturnType<typeof openOperator>>
let pgpu: ReturnType<typeof openLabPgpu>
beforeAll(async () => {
  operator = await openOperator()
  pgpu = openLabPgpu(operator)
  await dropSpareMdevs(HOST)
})
afterAll(() => operator.close())

/** A server of the new type that is booted at the end, and deleted again. */
const testBoot = async () => {
  const flavor = (await operator.nova.listFlavors()).find(({ name }) => name === T4_8Q.flavor)
  const [image] = await operator.nova.listImages()
  return { flavorId: flavor?.id ?? '', imageId: image?.id ?? '', networks: 'none' as const }
}

const plan = async () => {
  await changes.readRound()
  return changes.plan({
    cloud: changes.cloud().name,
    kind: 'type',
    gpus: [{ host: HOST, address: ADDRESS }],
    typeId: T4_8Q.typeId,
    resourceClass: null,
    isFlavorLossAccepted: true,
    testBoot: await testBoot(),
  })
}

const novaStartedAt = async () =>
  Date.parse((await scanHost({ root: treeOf(HOST) })).host.novaCompute?.startedAt ?? '')

const onCard = () => mdevsOf(HOST).filter(({ parent }) => parent === 'pci_0000_84_00_0')

it('reports before anything is changed that Debian’s nova-compute reads another file after what the agent would write', async () => {
  const { steps, preview } = await plan()
  expect(steps.find(({ id }) => id.startsWith('write-config/'))).toMatchObject({
    doer: 'operator',
    sees: expect.stringContaining('reads /etc/nova/nova-compute.conf after /etc/nova/nova.conf.d'),
  })
  expect(previewOfKind('type', { preview }).typeChange?.hosts[0]?.configNote).toContain(
    'would have no effect',
  )
})

it('a pGPU with a server and a spare mdev goes from T4-4Q to T4-8Q, shows it by a test server, and back', async () => {
  try {
    pgpu.moveOptions()
    await operator.bootServer({ name: IN_THE_WAY, flavor: T4_4Q.flavor, host: HOST })
    await makeSpareMdev(HOST, { parent: ADDRESS, typeId: T4_4Q.typeId })
    const startedAt = await novaStartedAt()
    expect(startedAt).toBeGreaterThan(0)
    const planned = await plan()
    expect(previewOfKind('type', planned).typeChange?.servers).toMatchObject([
      { name: IN_THE_WAY, to: ['gpu01'] },
    ])
    expect(planned.steps.find(({ id }) => id.startsWith('write-config/'))?.doer).toBe('agent')
    const done = await changes.run(planned.id, { action: 'start', state: 'done' })

    const { items: servers } = await operator.nova.listServers()
    const moved = servers.find(({ name }) => name === IN_THE_WAY)
    expect(moved).toMatchObject({ host: 'gpu01', status: 'ACTIVE' })
    // Nova hands the test server's mdev out again.
    expect(onCard()).toMatchObject([{ type_id: T4_8Q.typeId }])
    expect(done.steps.find(({ id }) => id === `test-boot/${HOST}`)?.answer).toMatch(
      new RegExp(`is ACTIVE on ${HOST} with mdev .* \\(${T4_8Q.typeId}\\) of ${ADDRESS}`),
    )
    await operator.noServers('the test server', (name) => name.startsWith('sliceboard-test-'))
    expect(readFileSync(DROP_IN, 'utf8')).toContain(T4_8Q.typeId)
    expect(await novaStartedAt()).toBeGreaterThan(startedAt)
    expect(await pgpu.offered()).toEqual({ totals: { VGPU: T4_8Q.total }, traits: [T4_8Q.trait] })
    expect(await pgpu.service()).toMatchObject({ status: 'enabled', state: 'up' })
    await operator.bootServer({ name: LATE, flavor: T4_8Q.flavor, host: HOST })
    expect(onCard()).toMatchObject([{ type_id: T4_8Q.typeId }])

    // Nothing is reverted under a running server: its owner deletes it, and the agent removes what Nova leaves of it.
    const whatBlocked: string[] = []
    await changes.run(planned.id, {
      action: 'roll-back',
      state: 'undone',
      byHand: async ({ id, note }) => {
        if (!id.startsWith('clear-spares/')) return
        whatBlocked.push(note ?? '')
        await operator.deleteServer(LATE)
      },
    })
    expect(whatBlocked[0]).toContain(LATE)
    expect(existsSync(DROP_IN)).toBe(false)
    expect(await pgpu.offered()).toEqual({ totals: { VGPU: T4_4Q.total }, traits: [T4_4Q.trait] })
    expect(await pgpu.service()).toMatchObject({ status: 'enabled', disabledReason: null })
  } finally {
    await pgpu.repair([IN_THE_WAY, LATE])
  }
  await becomesCalm()
}, 900_000)
