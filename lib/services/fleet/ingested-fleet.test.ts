import { expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import { a40Host, migHost, t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { typeRange } from '@/lib/domain/vgpu-type/type-range'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { GpuColumns } from '@/lib/schemas/api/gpu-columns'
import { listGpus } from '@/lib/services/gpu/list-gpus'
import { getOverview } from '@/lib/services/overview/get-overview'
import { createServiceWorld, secondsAgo } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'

const world = createServiceWorld()

const named = (inventory: Inventory, name: string): Inventory => ({
  ...inventory,
  host: { ...inventory.host, name },
})

/** A row of the columns in the words of the domain. */
const rowsOf = ({ columns, ...gpus }: GpuColumns) =>
  columns.hostIndex.map((host, row) => ({
    host: gpus.hosts[host],
    address: gpus.addresses[columns.addressIndex[row] ?? -1],
    model: gpus.models[columns.modelIndex[row] ?? -1],
    framework: gpus.frameworks[columns.frameworkIndex[row] ?? -1],
    type: gpus.types[columns.typeIndex[row] ?? -1]?.shortName ?? null,
    range: gpus.ranges[columns.rangeIndex[row] ?? -1] ?? null,
    numbers: [
      columns.capacity,
      columns.used,
      columns.spare,
      columns.orphan,
      columns.returning,
      columns.creatable,
    ].map((column) => column[row]),
    finding: gpus.findings[columns.findingIndex[row] ?? -1]?.sentence ?? null,
    reason: gpus.reasons[columns.reasonIndex[row] ?? -1] ?? null,
  }))

const expectedRows = (inventory: Inventory) =>
  describeHost(inventory)
    .pgpus.map((pgpu) => {
      const { capacity, used, spare, orphan, returning, creatable } = pgpu.numbers
      const numbers = [capacity, used, spare, orphan, returning, creatable]
      return {
        host: inventory.host.name,
        address: pgpu.address,
        model: pgpu.model,
        framework: pgpu.framework,
        type: pgpu.currentType?.shortName ?? null,
        range: typeRange(pgpu.supportedTypes ?? []),
        numbers: numbers.map(({ value }) => value),
        finding: pgpu.findings[0]?.sentence ?? null,
        reason: numbers.find(({ reason }) => reason !== null)?.reason ?? null,
      }
    })
    .sort((a, b) => (a.address < b.address ? -1 : 1))

test('what agents reported is in the columns as the domain reads it', async () => {
  const cloud = await world.newCloud()
  const inventories = [
    named(a40Host(), 'cmp-1'),
    named(migHost(), 'cmp-2'),
    named(t4SeedHost(), 'cmp-3'),
    named(vendorVfioHost(), 'cmp-4'),
  ]
  for (const inventory of inventories)
    await storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt: secondsAgo(3) })
  const rows = rowsOf(await listGpus(world.ctx(), { cloud: cloud.name }))
  expect(rows).toEqual(inventories.flatMap(expectedRows))
})

test('the overview counts every finding that the hosts gave', async () => {
  const cloud = await world.newCloud()
  const inventory = named(a40Host(), 'cmp-1')
  await storeReport(world.database(), { cloudId: cloud.id, inventory, seenAt: secondsAgo(3) })
  const { pgpus, findings } = describeHost(inventory)
  const codes = [...findings, ...pgpus.flatMap((pgpu) => pgpu.findings)].map(({ code }) => code)
  const { attention } = await getOverview(world.ctx(), { cloud: cloud.name })
  expect(codes.length).toBeGreaterThan(0)
  expect(attention.flatMap(({ code, count }) => Array.from({ length: count }, () => code)).sort()).toEqual(
    codes.sort(),
  )
})
