import { afterAll, beforeAll, expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import type { PlanReservation } from '@/lib/schemas/api/change-inputs'
import { previewChange } from '@/lib/services/change/preview-change'
import { previewOfKind } from '@/lib/services/change/testing/preview-of-kind'
import { listGpuHeadroom } from '@/lib/services/gpu-headroom/list-gpu-headroom'
import { createLabChanges } from './lab-changes'
import { treeOf } from './lab-cloud'
import { CARD, CROWD, GPU, GPU_SERVER, HOST, openLabCrowd, RESERVATION } from './lab-crowd'
import { becomesCalm } from './lab-fleet'
import { inLongForm } from './long-form'
import { openOperator, waitUntil } from './operator'
import { listenTo } from './restart-compute'

const changes = createLabChanges()
let operator: Awaited<ReturnType<typeof openOperator>>
let crowd: ReturnType<typeof openLabCrowd>
beforeAll(async () => {
  operator = await openOperator()
  crowd = openLabCrowd(operator)
  await crowd.open()
})
afterAll(async () => {
  await crowd.close()
  await operator.close()
})

const headroom = async () => {
  const { hosts: headrooms } = await listGpuHeadroom(changes.context(), {
    cloud: changes.cloud().name,
    host: HOST,
  })
  return headrooms[0]
}

const inputOf = (input: PlanReservation['input']): PlanReservation => ({
  cloud: changes.cloud().name,
  kind: 'fence',
  input,
})

/** Nova's servers on the card, by the guests' XML. */
const onCard = async (): Promise<string[]> => {
  const { guests } = await scanHost({ root: treeOf(HOST) })
  return (guests ?? []).flatMap(({ uuid, pciDevices }) =>
    pciDevices?.some(({ address }) => address === CARD) ? [uuid] : [],
  )
}

it('a GPU server starts on the card while its host is not crowded', async () => {
  expect(await crowd.comes(GPU_SERVER, GPU.name)).toBe(true)
  expect(await onCard()).toHaveLength(1)
  await crowd.thin()
})

const SECOND = 'gpu18'

inLongForm(
  'a second nova-compute next to the first is refused with the reason that real ones show',
  async () => {
    await changes.readRound()
    const input = inputOf({
      way: 'second-service',
      host: HOST,
      secondHost: SECOND,
      sharedSet: '0-20',
      dedicatedSet: '21-22',
      memoryMib: 4096,
    })
    const { fence: reservation } = previewOfKind('fence', await previewChange(changes.context(), input))
    expect(reservation.refusal).toMatch(/up to Newton .*Placement accepts one provider per name/)
    await expect(changes.plan(input)).rejects.toThrow(/up to Newton/)

    const texts = reservation.configs.find(({ deployment }) => deployment === 'nova-conf')?.texts ?? []
    const conf = texts.find(({ path }) => path.startsWith('/etc/nova/nova-gpu.conf'))
    const log = listenTo(SECOND)
    try {
      crowd.addSecond(SECOND, conf?.text ?? '')
      const nodes = await waitUntil(`${SECOND} in Nova`, async () => {
        const all = await operator.nova.listHypervisors()
        const there = all.filter(({ hypervisorHostname }) => hypervisorHostname === HOST)
        return there.length > 1 ? there : null
      })
      expect(nodes.map(({ serviceHost }) => serviceHost).toSorted()).toEqual([SECOND, HOST])
      await waitUntil(`what Placement answers to ${SECOND}`, async () =>
        log().includes(`Failed to create resource provider ${HOST}`) ? true : null,
      )
      const providers = await operator.placement.listProviders()
      const known = nodes.filter(({ id }) => providers.some(({ uuid }) => uuid === id))
      expect(known.map(({ serviceHost }) => serviceHost)).toEqual([HOST])
      expect(await crowd.comes(GPU_SERVER, GPU.name, SECOND)).toBe(false)
    } finally {
      await crowd.removeSecond(SECOND)
    }
  },
)

type Way = { title: string; input: (flavorId: string) => PlanReservation['input']; lateOnes: number }

/** The simulated Nova shows all of them in the short form; one of them does real Nova, too. */
const IN_BOTH_FORMS = 'an isolated aggregate'

const WAYS: Way[] = [
  {
    title: 'CPU sets',
    input: (flavorId) => ({
      way: 'cpus',
      host: HOST,
      sharedSet: '0-8',
      dedicatedSet: '21-22',
      reservedMemoryMib: null,
      flavorIds: [flavorId],
      isMoving: true,
    }),
    lateOnes: 4,
  },
  {
    title: 'an isolated aggregate',
    input: (flavorId) => ({
      way: 'isolated',
      hosts: [HOST],
      ...RESERVATION,
      flavorIds: [flavorId],
      isMoving: true,
    }),
    lateOnes: 0,
  },
  {
    title: 'a trait that ordinary flavors forbid',
    input: () => ({
      way: 'forbidden',
      hosts: [HOST],
      ...RESERVATION,
      flavorIds: [],
      isMoving: true,
    }),
    lateOnes: 0,
  },
]

for (const { title, input, lateOnes } of WAYS) {
  const inItsForm = title === IN_BOTH_FORMS ? it : inLongForm
  inItsForm(
    `the K40c host has no headroom, gets a reservation by ${title}, and the GPU server that failed before starts`,
    async () => {
      await crowd.crowd()
      expect(await crowd.comes(GPU_SERVER, GPU.name)).toBe(false)
      const starved = (await changes.readAlarms()).filter(({ code }) => code === 'vgpus-stranded')
      expect(starved).toMatchObject([
        { sentence: expect.stringContaining('1 free card cannot be scheduled') },
      ])
      expect(await headroom()).toMatchObject({
        state: 'starved',
        freeCards: 1,
        ordinary: { name: CROWD.name, count: 5 },
      })

      await crowd.allowPinned(4)
      const flavorId = await crowd.flavorId(GPU.name)
      const planned = await changes.plan(inputOf(input(flavorId)))
      const { fence: reservation } = previewOfKind('fence', planned)
      expect(reservation.refusal ?? null).toBeNull()
      expect(reservation.hosts[0]?.flavors.find(({ id }) => id === flavorId)).toMatchObject({
        before: 0,
        after: 1,
        worst: 1,
      })
      await changes.run(planned.id, { action: 'start', state: 'done' })

      expect(await crowd.crowdAgain()).toBe(lateOnes)
      expect(await crowd.comes(GPU_SERVER, GPU.name)).toBe(true)
      const server = (await operator.nova.listServers()).items.find(({ name }) => name === GPU_SERVER)
      expect(server).toMatchObject({ status: 'ACTIVE', host: HOST })
      await changes.readRound()
      expect(await headroom()).toMatchObject({ state: 'used' })
      expect(await onCard()).toEqual([server?.uuid])

      await crowd.thin()
      await changes.run(planned.id, { action: 'roll-back', state: 'undone' })
      await crowd.asConfigured()
    },
    600_000,
  )
}

inLongForm(
  'the K40c host is found before the next ordinary server starves it, until an aggregate isolates it',
  async () => {
    const findTight = async () => (await changes.readAlarms()).filter(({ code }) => code === 'last-gpu-tight')
    /** The console does not read aggregates in each round. */
    const tightBecomes = (count: number) =>
      waitUntil(`${count} findings of ${HOST}`, async () =>
        (await findTight()).length === count ? true : null,
      )
    await crowd.crowdAlmost()
    expect(await findTight()).toMatchObject([{ subject: { kind: 'host', host: HOST } }])
    const flavorId = await crowd.flavorId(GPU.name)
    const planned = await changes.plan(
      inputOf({ way: 'isolated', hosts: [HOST], ...RESERVATION, flavorIds: [flavorId], isMoving: false }),
    )
    await changes.run(planned.id, { action: 'start', state: 'done' })
    await tightBecomes(0)
    await changes.run(planned.id, { action: 'roll-back', state: 'undone' })
    await tightBecomes(1)
  },
  600_000,
)

it('leaves the lab as it was', async () => {
  await crowd.close()
  await becomesCalm()
})
