import { isSliced } from '@/simulator/host/host-lookup'
import type { GpuSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { nvidiaGpus } from '@/simulator/host-tree/render-system'
import { isMig, runningVgpus, vgpuNumber } from '@/simulator/host-tree/running-vgpus'
import { uuidFrom } from '@/simulator/random/uuid-from'

/** A card as nvidia-smi reports it. */
export type MeasuredCard = {
  totalMib: number
  /** It reports no utilization. */
  isMig: boolean
  /** The framebuffer of a vGPU of each type. */
  mibOf: ReadonlyMap<string, number>
  /** What nvidia-smi calls the vGPUs that a guest runs with today, by the guest's uuid. */
  namesOf: ReadonlyMap<string, readonly string[]>
  /** What it calls one that a guest of the past ran with. */
  pastName: (guestUuid: string, index: number) => string
}

const isMdev = (gpu: GpuSpec): boolean => gpu.slicing?.interface === 'mdev'

const namesToday = (spec: HostSpec, gpu: GpuSpec): Map<string, string[]> => {
  const names = new Map<string, string[]>()
  for (const { vgpu, guest } of runningVgpus(spec, gpu)) {
    const name = isMdev(gpu) ? vgpu.uuid : vgpuNumber(vgpu)
    names.set(guest.uuid, [...(names.get(guest.uuid) ?? []), name])
  }
  return names
}

const measuredCard = (spec: HostSpec, gpu: GpuSpec): MeasuredCard => ({
  totalMib: gpu.framebufferMib,
  isMig: isMig(gpu),
  mibOf: new Map(
    isSliced(gpu)
      ? gpu.slicing.state.types.map(({ typeId, framebufferMib }) => [typeId, framebufferMib])
      : [],
  ),
  namesOf: namesToday(spec, gpu),
  pastName: (guestUuid, index) => {
    const uuid = uuidFrom(`vgpu ${guestUuid} ${index}`)
    return isMdev(gpu) ? uuid : vgpuNumber({ uuid })
  },
})

/** The cards of a host that nvidia-smi reports, by address. */
export const measuredCards = (spec: HostSpec): Map<string, MeasuredCard> => {
  if (!spec.hasCommandOutput || spec.system.nvidiaDriverVersion === null) return new Map()
  return new Map(nvidiaGpus(spec).map(({ gpu }) => [gpu.address, measuredCard(spec, gpu)]))
}
