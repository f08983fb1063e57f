import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scanHost } from '@/agent/scan/scan-host'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { guest, hostSpec, novaSpec, novaType, UBUNTU_2204, vgpu } from '@/simulator/fixtures/host-parts'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'

/** GRID T4-4C, of which a card holds four. */
const TYPE = 'nvidia-319'
const BUSES = ['18', '19', '35', '36']
/** The first cards carry one server each. */
const BUSY_CARDS = 2

/** As `lab/bench/contents.sql` numbers hosts, servers and providers. */
const benchUuid = (host: number, kind: string, position: number): string =>
  `${host.toString(16).padStart(8, '0')}-${kind}-4000-8000-${String(position).padStart(12, '0')}`

/** Hosts are counted from 1. */
export const benchHostName = (host: number): string => `cmp-${String(host).padStart(5, '0')}`

const mdevUuid = (host: number, position: number): string => benchUuid(host, '3de0', position)
const serverUuid = (host: number, position: number): string => benchUuid(host, '5e00', position)

const FIRST = 1

const firstHost = (): HostSpec => {
  const cards = BUSES.map((bus, index) => {
    const address = `0000:${bus}:00.0`
    const made = { ...vgpu(address, TYPE), uuid: mdevUuid(FIRST, index + 1) }
    return buildGpu({
      model: 'T4',
      address,
      upstream: [`pci0000:${bus}`, `0000:${bus}:01.0`],
      numaNode: index < 2 ? 0 : 1,
      iommuGroup: 28 + index,
      sharing: 'same-type',
      vgpus: index < BUSY_CARDS ? [made] : [],
    })
  })
  return hostSpec({
    name: benchHostName(FIRST),
    system: UBUNTU_2204,
    gpus: cards,
    guests: Array.from({ length: BUSY_CARDS }, (_, index) => ({
      ...guest({
        name: `instance-0000000${index + 1}`,
        serverName: `vdi-${index + 1}`,
        mdevs: [mdevUuid(FIRST, index + 1)],
      }),
      uuid: serverUuid(FIRST, index + 1),
    })),
    nova: novaSpec({ types: [novaType(TYPE)] }),
  })
}

/** What the real agent reports of the first host: four T4 with two servers. */
export const scanFirstHost = async (): Promise<Inventory> => {
  const root = await mkdtemp(join(tmpdir(), 'sliceboard-bench-'))
  try {
    await writeHostTree(root, firstHost())
    return await scanHost({ root })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** The same as another host: its name, and the uuids of its mdevs and servers. */
export const inventoryOf = (first: Inventory, host: number): Inventory => {
  const own = JSON.stringify(first)
    .replaceAll(benchUuid(FIRST, '3de0', 0).slice(0, 13), benchUuid(host, '3de0', 0).slice(0, 13))
    .replaceAll(benchUuid(FIRST, '5e00', 0).slice(0, 13), benchUuid(host, '5e00', 0).slice(0, 13))
  const inventory = JSON.parse(own) as Inventory
  return { ...inventory, host: { ...inventory.host, name: benchHostName(host) } }
}
