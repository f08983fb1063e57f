import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import { REVISION_MEMBER } from '@/lib/schemas/agent/revision'
import { SAMPLE_LIMITS, type Samples } from '@/lib/schemas/agent/samples'
import type { GpuUsage, VgpuUsage } from '../collect/smi-usage'
import type { UsageSample } from './sampler'

type Usage = Pick<GpuUsage, 'totalMib' | 'utilization' | 'usedMib'>

const columnsOf = (usages: readonly (Usage | undefined)[]) => ({
  totalMib: usages.findLast((one) => one !== undefined)?.totalMib ?? null,
  utilisation: usages.map((one) => one?.utilization ?? null),
  usedMib: usages.map((one) => one?.usedMib ?? null),
})

const vgpuName = ({ vgpu, guestUuid }: VgpuUsage): string => `${vgpu} ${guestUuid ?? ''}`

/** The form in which samples go to the console: number by number. At least one, ascending, within the contract's limits. */
export const buildSamples = (taken: readonly UsageSample[]): Samples => {
  const begin = taken[0]?.at ?? new Date(0)
  const addresses = [...new Set(taken.flatMap(({ gpus }) => gpus.map(({ address }) => address)))].sort()
  return {
    contractVersion: CONTRACT_VERSION,
    ...REVISION_MEMBER,
    begin: begin.toISOString(),
    at: taken.map(({ at }) => Math.round((at.getTime() - begin.getTime()) / 1000)),
    gpus: addresses.slice(0, SAMPLE_LIMITS.gpus).map((address) => {
      const cards = taken.map(({ gpus }) => gpus.find((gpu) => gpu.address === address))
      const names = new Map(
        cards.flatMap((card) => card?.vgpus.map((vgpu): [string, VgpuUsage] => [vgpuName(vgpu), vgpu]) ?? []),
      )
      const vgpus = [...names].slice(0, SAMPLE_LIMITS.vgpusPerGpu).map(([name, { vgpu, guestUuid }]) => ({
        vgpu,
        guestUuid,
        ...columnsOf(cards.map((card) => card?.vgpus.find((one) => vgpuName(one) === name))),
      }))
      return { address, ...columnsOf(cards), vgpus }
    }),
  }
}
