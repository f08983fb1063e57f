import { expect, test } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { editHosts, editList, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'
import { allSteps } from '@/lib/util/all-steps'
import { arrangeServers, countServers } from './arrange-servers'
import { gpuServersInSteps } from './gpu-servers'

const serversOf = (input: FleetFacts) => allSteps(gpuServersInSteps(joinFleet(input)))
const [HOST] = t4Cloud().hosts.map(({ name }) => name)

test('a server has Nova’s values, and the pGPU, type and mdev that its host reports', () => {
  const servers = serversOf(t4Cloud())
  expect(servers).toHaveLength(2)
  expect(servers[0]).toMatchObject({
    status: 'ACTIVE',
    guestState: 'running',
    host: HOST,
    hostState: 'reporting',
    seenAt: null,
    gpus: [
      { address: expect.stringMatching(/^0000:/), kind: 'vgpu', typeId: 'nvidia-319', typeName: 'T4-4C' },
    ],
    unknownReason: null,
  })
  expect(servers[0]?.gpus[0]?.device).toBe(t4Cloud().hosts[0]?.inventory.guests?.[0]?.mdevs[0]?.uuid)
})

test('without Nova’s servers the hosts’ reports remain, and the status is unknown', () => {
  const unread = { value: null, at: null, error: 'refused', failingSince: t4Cloud().now } as const
  const servers = serversOf(withFacts(t4Cloud(), { servers: unread }))
  expect(servers.map(({ status, createdAt, gpus }) => [status, createdAt, gpus.length])).toEqual([
    [null, null, 1],
    [null, null, 1],
  ])
})

test('where no agent is, Placement’s allocations name the server and its GPU, and the reason is given', () => {
  const { hosts: _, ...rest } = t4Cloud()
  const servers = serversOf({ ...rest, hosts: [] })
  expect(servers).toHaveLength(2)
  expect(servers[0]).toMatchObject({
    status: 'ACTIVE',
    guestState: null,
    hostState: 'absent',
    gpus: [{ address: expect.stringMatching(/^0000:/), device: null, kind: 'vgpu', typeName: null }],
    unknownReason: expect.stringMatching(/ has no agent$/),
  })
})

test('a host whose guests cannot be read keeps its allocated servers, with the reason', () => {
  const servers = serversOf(editHosts(t4Cloud(), (inventory) => ({ ...inventory, guests: null })))
  expect(servers.map(({ unknownReason }) => unknownReason)).toEqual(
    Array(2).fill(`the guests of ${HOST} could not be read`),
  )
})

test('a silent host keeps its last known servers, and the time of its last report', () => {
  const input = t4Cloud()
  const servers = serversOf({ ...input, hosts: input.hosts.map((host) => ({ ...host, isSilent: true })) })
  expect(servers.map(({ hostState, seenAt }) => [hostState, seenAt])).toEqual(
    Array(2).fill(['silent', input.hosts[0]?.seenAt]),
  )
  expect(countServers(servers)).toEqual({ all: 2, vgpu: 2, passthrough: 0, unknown: 0, silent: 2 })
})

test('an mdev that the host does not have is a GPU that is unknown, never a missing server', () => {
  const servers = serversOf(editHosts(t4Cloud(), (inventory) => ({ ...inventory, mdevs: [] })))
  expect(servers.map(({ gpus, unknownReason }) => [gpus[0]?.address, unknownReason])).toEqual(
    Array(2).fill([null, `${HOST} has no mdev with this uuid`]),
  )
})

test('a guest that has a whole card is in passthrough', () => {
  const servers = serversOf(
    editHosts(t4Cloud(), (inventory) => ({
      ...inventory,
      guests: (inventory.guests ?? []).map((guest) => ({
        ...guest,
        mdevs: [],
        pciDevices: [{ address: inventory.gpus[0]?.address ?? '', isLive: true, isPersistent: true }],
      })),
    })),
  )
  expect(servers[0]?.gpus).toMatchObject([{ kind: 'passthrough', typeId: null, typeName: null }])
  expect(servers[0]?.gpus[0]?.device).toBe(servers[0]?.gpus[0]?.address)
})

test('what QEMU of another manager has in use is listed without Nova’s values', () => {
  const servers = serversOf(
    editHosts(t4Cloud(), (inventory) => ({
      ...inventory,
      guests: [],
      deviceHolders: [
        {
          device: inventory.mdevs?.[0]?.uuid ?? '',
          seenBy: 'command-line',
          pid: 4711,
          program: 'qemu-system-x86_64',
          guestName: 'win10',
          guestUuid: uuidOf(77),
        },
      ],
    })),
  )
  expect(servers.find(({ name }) => name === 'win10')).toMatchObject({
    status: null,
    gpus: [{ typeName: 'T4-4C' }],
  })
})

test('a guest that two hosts report is listed once, on the host that Nova names', () => {
  const input = t4Cloud()
  const [host] = input.hosts
  if (host === undefined) throw new Error('The cloud has a host.')
  const left = {
    ...host,
    name: 'cmp-left',
    inventory: { ...host.inventory, host: { ...host.inventory.host, name: 'cmp-left' } },
  }
  for (const hosts of [
    [left, host],
    [host, left],
  ])
    expect(serversOf({ ...input, hosts }).map((server) => server.host)).toEqual([HOST, HOST])
})

test('every word narrows, a state narrows, and unknown values are last in both directions', () => {
  const input = editList(t4Cloud(), 'servers', (server, at) =>
    at === 0
      ? { ...server, name: 'render-10', createdAt: null }
      : { ...server, name: 'render-2', createdAt: '2026-01-01T00:00:00Z' },
  )
  const servers = serversOf(input)
  const names = (filter: Partial<Parameters<typeof arrangeServers>[1]>) =>
    arrangeServers(servers, { q: '', state: null, sort: 'name', desc: false, ...filter }).map(
      ({ name }) => name,
    )
  expect(names({})).toEqual(['render-2', 'render-10'])
  expect(names({ desc: true })).toEqual(['render-10', 'render-2'])
  expect(names({ q: 'T4-4C render-10' })).toEqual(['render-10'])
  expect(names({ q: 'render-10 nothing' })).toEqual([])
  expect(names({ state: 'passthrough' })).toEqual([])
  expect(names({ state: 'vgpu' })).toHaveLength(2)
  expect(names({ sort: 'created' })).toEqual(['render-2', 'render-10'])
  expect(names({ sort: 'created', desc: true })).toEqual(['render-2', 'render-10'])
})
