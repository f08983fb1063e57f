import type { Vgpu } from '@/simulator/gpu-rules/gpu-state'
import { vgpuUsage } from '@/simulator/usage/usage-pattern'
import type { GpuSpec, GuestSpec, HostSpec } from './host-spec'

/** Percent of the whole card; null: nvidia-smi does not tell, as in MIG mode. */
type CardUsage = { percent: number | null; usedMib: number }
export type RunningVgpu = { vgpu: Vgpu; guest: GuestSpec; usage: CardUsage & { totalMib: number } }
export type SmiGpu = { modelName: string; minor: number; usage: CardUsage }

/** The driver's own number of a vGPU. */
export const vgpuNumber = ({ uuid }: Pick<Vgpu, 'uuid'>): string =>
  String(3_251_000_000 + (Number.parseInt(uuid.slice(0, 5), 16) % 999_999))

export const isMig = (gpu: GpuSpec): boolean => gpu.slicing?.state.gpuInstances != null

const usageOf = (spec: HostSpec, gpu: GpuSpec, { vgpu, guest }: Pick<RunningVgpu, 'vgpu' | 'guest'>) => {
  const type = gpu.slicing?.state.types.find(({ typeId }) => typeId === vgpu.typeId)
  const totalMib = type?.framebufferMib ?? 0
  if (spec.measuredAtMs === undefined) return { percent: isMig(gpu) ? null : 0, usedMib: 0, totalMib }
  const measured = vgpuUsage({
    guestUuid: guest.uuid,
    totalMib,
    cardMib: gpu.framebufferMib,
    at: spec.measuredAtMs,
  })
  return { percent: isMig(gpu) ? null : measured.percent, usedMib: measured.usedMib, totalMib }
}

/** The vGPUs with which guests run, which alone nvidia-smi lists, and what each uses. */
export const runningVgpus = (spec: HostSpec, gpu: GpuSpec): RunningVgpu[] =>
  (gpu.slicing?.state.vgpus ?? []).flatMap((vgpu) => {
    const isHolder = (guest: GuestSpec): boolean =>
      guest.state !== 'shutoff' && (guest.mdevs.includes(vgpu.uuid) || guest.pciDevices.includes(vgpu.slot))
    const guest = spec.guests.find(isHolder)
    return guest === undefined ? [] : [{ vgpu, guest, usage: usageOf(spec, gpu, { vgpu, guest }) }]
  })

/** The card as a whole: a running vGPU takes all of its framebuffer, even if its guest uses less. */
export const cardUsage = (spec: HostSpec, gpu: GpuSpec): CardUsage => {
  const running = runningVgpus(spec, gpu)
  const percent = running.reduce((sum, { usage }) => sum + (usage.percent ?? 0), 0)
  const usedMib = running.reduce((sum, { usage }) => sum + usage.totalMib, 0)
  return {
    percent: isMig(gpu) ? null : Math.min(100, percent),
    usedMib: Math.min(usedMib, Math.max(0, gpu.framebufferMib - 512)),
  }
}
