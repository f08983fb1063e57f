import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLabChanges } from './lab-changes'
import { LAB_RELEASE, mdevsOf } from './lab-cloud'
import { becomesCalm } from './lab-fleet'
import { ADDRESS, HOST, openLabPgpu, T4_4Q, T4_8Q } from './lab-pgpu'
import { openOperator, waitUntil } from './operator'
import { dropSpareMdevs, makeSpareMdev } from './spare-mdevs'

const LATE = 'lab-after-orphans'

const changes = createLabChanges()
let operator: Awaited<ReturnType<typeof openOperator>>
let pgpu: ReturnType<typeof openLabPgpu>
beforeAll(async () => {
  operator = await openOperator()
  pgpu = openLabPgpu(operator)
  await dropSpareMdevs(HOST)
})
afterAll(() => operator.close())

const uuidsOnHost = () => mdevsOf(HOST).map(({ uuid }) => uuid)

it('an orphan keeps a pGPU from its new type until the change has removed it, and again when that is reverted', async () => {
  await pgpu.totalBecomes(T4_4Q.total)
  try {
    // By hand and too fast: the type is changed while an mdev of the old one is there.
    const orphan = await makeSpareMdev(HOST, { parent: ADDRESS, typeId: T4_4Q.typeId })
    pgpu.configure(T4_8Q.typeId)
    await pgpu.restart()
    // Zed leaves the old total in Placement, so that its slots only seem to be free; 2025.1 takes the provider out of it.
    if (LAB_RELEASE === 'zed') await pgpu.tagOnly(T4_8Q.trait)
    else await pgpu.totalBecomes(0)
    const boot = () => operator.bootServer({ name: LATE, flavor: T4_8Q.flavor, host: HOST })
    await expect(boot()).rejects.toThrow(/went to ERROR/)
    await operator.deleteServer(LATE)
    expect((await pgpu.offered())?.totals.VGPU).not.toBe(T4_8Q.total)

    await changes.readRound()
    const planned = await changes.plan({
      cloud: changes.cloud().name,
      kind: 'orphans',
      gpus: [{ host: HOST, address: ADDRESS }],
    })
    expect(planned.steps.map(({ id, doer }) => [id.split('/')[0], doer])).toEqual([
      ['remove-mdev', 'agent'],
      ['follow-capacity', 'console'],
    ])
    await changes.run(planned.id, { action: 'start', state: 'done' })
    expect(uuidsOnHost()).not.toContain(orphan)
    expect((await pgpu.offered())?.totals).toEqual({ VGPU: T4_8Q.total })
    // Where Nova has recreated the provider, it has no trait.
    await pgpu.tagOnly(T4_8Q.trait)
    expect(await boot()).toMatchObject({ status: 'ACTIVE', host: HOST })
    expect(mdevsOf(HOST).find(({ type_id }) => type_id === T4_8Q.typeId)?.parent).toBe('pci_0000_84_00_0')

    // A card with a T4-8Q on it makes no T4-4Q: that blocks, until its server and its mdev are gone.
    let whatBlocked = ''
    await changes.run(planned.id, {
      action: 'roll-back',
      state: 'undone',
      byHand: async ({ state, note }) => {
        if (state !== 'blocked' || whatBlocked !== '') return
        whatBlocked = note ?? ''
        await operator.deleteServer(LATE)
        await dropSpareMdevs(HOST)
      },
    })
    expect(whatBlocked).toContain('no capacity for another')
    await waitUntil(`mdev ${orphan} in libvirt`, async () => (uuidsOnHost().includes(orphan) ? true : null))
  } finally {
    await pgpu.repair([LATE])
  }
  await becomesCalm()
})
