import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { listGpus } from '@/lib/services/gpu/list-gpus'
import { getHost } from '@/lib/services/host/get-host'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { getGpuSources } from './get-gpu-sources'

vi.setConfig({ testTimeout: 120_000 })

const world = createReadWorld({ hosts: ['cmp-r6-01', 'cmp-r6-02', 'cmp-r7-05'] })

test('a card that flavors reach by an alias is stranded as the list reports, by the word of Nova’s API', async () => {
  await world.reading().readRound()
  await wait(1100)
  const cloud = world.cloudName()
  const { hosts, addresses, columns } = await listGpus(world.at(), { cloud })
  const listed = columns.hostIndex.map((index, row) => ({
    host: hosts[index] ?? '',
    address: addresses[columns.addressIndex[row] ?? 0] ?? '',
    stranded: columns.stranded[row] ?? null,
  }))
  expect(listed.some(({ stranded }) => stranded === 0)).toBe(true)
  for (const { host, address, stranded } of listed) {
    const { sources } = await getGpuSources(world.at(), { cloud, host, address })
    expect([host, address, sources?.stranded.value]).toEqual([host, address, stranded])
    const { pgpus } = await getHost(world.at(), { cloud, host })
    expect(pgpus.find((pgpu) => pgpu.address === address)?.stranded).toBe(stranded)
  }
})
