import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scanHost } from '@/agent/scan/scan-host'
import type { Guest, Inventory } from '@/lib/schemas/agent/inventory'
import { guest, novaSpec, novaType, vgpu } from '@/simulator/fixtures/host-parts'
import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'

/** GRID T4-4C, of which a card holds four. */
const TYPE = 'nvidia-319'
const PER_CARD = 2

/** The T4 host of the first seed, half full: 8 pGPUs with 17 types each, 16 vGPUs in 16 guests. */
const busySpec = (): HostSpec => {
  const cards = t4SeedHost.gpus.map((card) => ({
    card,
    made: Array.from({ length: PER_CARD }, () => vgpu(card.address, TYPE)).map((made, n) => ({
      ...made,
      uuid: `${n}${made.uuid.slice(1)}`,
    })),
  }))
  const vgpus = cards.flatMap(({ made }) => made)
  return {
    ...t4SeedHost,
    gpus: cards.map(({ card, made }) =>
      buildGpu({
        model: 'T4',
        address: card.address,
        upstream: card.upstream,
        numaNode: card.numaNode ?? 0,
        iommuGroup: card.iommuGroup ?? 0,
        sharing: 'same-type',
        vgpus: made,
      }),
    ),
    guests: vgpus.map((made, n) =>
      guest({
        name: `instance-${(n + 1).toString(16).padStart(8, '0')}`,
        serverName: `vdi-${n}`,
        mdevs: [made.uuid],
      }),
    ),
    nova: novaSpec({ types: [novaType(TYPE)] }),
  }
}

/** What the real agent reports of that host. */
export const scanBusyHost = async (): Promise<Inventory> => {
  const root = await mkdtemp(join(tmpdir(), 'sliceboard-bench-'))
  try {
    await writeHostTree(root, busySpec())
    return await scanHost({ root })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Contents after which a host's series starts again: each of 16 guests goes and comes back twice. */
export const PHASES = 64

/** A guest has its first server until it is deleted, its second until that one is, and then the first again. */
const secondUuid = (uuid: string): string => `${uuid.slice(0, 9)}5ec0${uuid.slice(13)}`

const secondServer = (guest: Guest): Guest => ({
  ...guest,
  uuid: secondUuid(guest.uuid),
  nova: guest.nova && { ...guest.nova, serverName: `${guest.nova.serverName}-b` },
})

/**
 * The same host a little later. In even phases one guest has gone and its mdev is spare, in odd ones a new server has taken
 * it: what Nova does all day. Every phase differs from the one before in one pGPU's numbers, one mdev and one guest, and in
 * what nvidia-smi reports of them; the last differs from the first in just that too.
 */
export const hostInPhase = (base: Inventory, name: string, phase: number): Inventory => {
  const guests = base.guests ?? []
  const turn = Math.floor(phase / 2)
  const goneNow = phase % 2 === 0 ? (turn * 5) % guests.length : -1
  const isSecond = guests.map((_, index) => {
    const turns = Array.from({ length: turn + (phase % 2) }, (_, n) => (n * 5) % guests.length)
    return turns.filter((gone) => gone === index).length % 2 === 1
  })
  const gone = guests[goneNow]?.uuid
  const replaced = new Set(guests.flatMap(({ uuid }, index) => (isSecond[index] ? [uuid] : [])))
  return {
    ...base,
    host: { ...base.host, name },
    guests: guests.flatMap((guest) => {
      if (guest.uuid === gone) return []
      return [replaced.has(guest.uuid) ? secondServer(guest) : guest]
    }),
    nvidiaSmi: base.nvidiaSmi && {
      ...base.nvidiaSmi,
      gpus: base.nvidiaSmi.gpus.map((gpu) => ({
        ...gpu,
        vgpus: gpu.vgpus.flatMap((vgpu) => {
          const { guestUuid } = vgpu
          if (guestUuid === null || !replaced.has(guestUuid)) return guestUuid === gone ? [] : [vgpu]
          return guestUuid === gone ? [] : [{ ...vgpu, guestUuid: secondUuid(guestUuid) }]
        }),
      })),
    },
  }
}
