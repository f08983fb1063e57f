import path from 'node:path'
import { hostSpec, novaSpec, novaType, vgpu } from '@/simulator/fixtures/host-parts'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { updateHostTree } from '@/simulator/host-tree/update-host-tree'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import type { Random } from '@/simulator/random/random'

const ADDRESS = '0000:18:00.0'
const MAX_VGPUS = 16

/** One T4 with the first `count` of its sixteen 1 GB vGPUs made: another count gives other numbers and another digest. */
const specWith = (name: string, count: number): HostSpec =>
  hostSpec({
    name,
    gpus: [
      buildGpu({
        model: 'T4',
        address: ADDRESS,
        upstream: ['pci0000:17', '0000:17:00.0'],
        numaNode: 0,
        iommuGroup: 28,
        sharing: 'same-type',
        vgpus: Array.from({ length: count }, (_, index) => vgpu(ADDRESS, 'nvidia-222', index)),
      }),
    ],
    nova: novaSpec({ types: [novaType('nvidia-222')] }),
  })

export type CrashHost = {
  name: string
  root: string
  /** Brings the tree to another state. */
  change: () => void
}

/** Hosts as directory trees that the real agent scans. */
export const createCrashHosts = (directory: string, count: number, random: Random): CrashHost[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `crash-${index}`
    const root = path.join(directory, 'hosts', name)
    let vgpus = random.between(0, MAX_VGPUS)
    writeHostTree(root, specWith(name, vgpus))
    const change = () => {
      const next = (vgpus + random.between(1, MAX_VGPUS)) % (MAX_VGPUS + 1)
      updateHostTree(root, specWith(name, vgpus), specWith(name, next))
      vgpus = next
    }
    return { name, root, change }
  })
