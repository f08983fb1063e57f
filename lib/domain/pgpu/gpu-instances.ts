import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'

type SmiGpu = NvidiaSmi['gpus'][number]
type GpuInstances = NonNullable<SmiGpu['gpuInstances']>

/** The GPU instances that nvidia-smi lists of a card; empty also where it could not list them. */
export const gpuInstancesOf = (smi: SmiGpu | null | undefined): GpuInstances => smi?.gpuInstances ?? []

const slicesOf = (profile: string): number => Number(/^(\d+)g/.exec(profile)?.[1] ?? 0)

/** Their profiles as `nvidia-smi mig -cgi` takes them, largest first, so that all fit: `2g.20gb,1g.10gb`. */
export const profileList = (instances: GpuInstances): string =>
  instances
    .map(({ profile }) => profile)
    .toSorted((a, b) => slicesOf(b) - slicesOf(a))
    .join(',')
