import type { GpuSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { vfAddress } from '@/simulator/host-tree/pci-address'
import { withGpu } from './host-lookup'
import { done, type HostOutcome, refused } from './host-outcome'

type SriovGpu = GpuSpec & { sriov: NonNullable<GpuSpec['sriov']> }

const hasSriov = (gpu: GpuSpec | undefined): gpu is SriovGpu => (gpu?.sriov?.totalVfs ?? 0) > 0

const enabled = (spec: HostSpec, gpu: SriovGpu): HostOutcome => {
  const { vfSlicing, ...rest } = gpu
  const { totalVfs, firstVfOffset } = gpu.sriov
  const slots = Array.from({ length: totalVfs }, (_, index) => vfAddress(gpu.address, firstVfOffset, index))
  const slicing =
    vfSlicing === undefined ? null : { ...vfSlicing, state: { ...vfSlicing.state, slots, vgpus: [] } }
  return done(withGpu(spec, { ...rest, slicing, sriov: { ...gpu.sriov, enabledVfs: totalVfs } }))
}

const disabled = (spec: HostSpec, gpu: SriovGpu): HostOutcome => {
  const { slicing } = gpu
  const slots = new Set(slicing?.state.slots ?? [])
  const made = new Set((slicing?.state.vgpus ?? []).map(({ uuid }) => uuid))
  const holder = spec.guests.find(
    ({ state, mdevs, pciDevices }) =>
      state !== 'shutoff' &&
      (mdevs.some((uuid) => made.has(uuid)) || pciDevices.some((address) => slots.has(address))),
  )
  if (holder !== undefined) return refused('EBUSY', `${holder.name} runs with a VF of ${gpu.address}`)
  const vfSlicing = slicing === null ? gpu.vfSlicing : { ...slicing, state: { ...slicing.state, vgpus: [] } }
  return done(
    withGpu(spec, {
      ...gpu,
      slicing: null,
      sriov: { ...gpu.sriov, enabledVfs: 0 },
      ...(vfSlicing === undefined ? {} : { vfSlicing }),
    }),
  )
}

/** `sriov-manage -e ADDRESS` and `-d ADDRESS`: idempotent, all VFs or none, and of NVIDIA's driver alone. */
export const runSriovManage = (spec: HostSpec, words: string): HostOutcome => {
  const [, flag, address] = /^-([ed]) (\S+)$/.exec(words) ?? []
  const gpu = spec.gpus.find((one) => one.address === address)
  if (flag === undefined || gpu === undefined) return refused('ENODEV', `sriov-manage knows no "${words}"`)
  if (!hasSriov(gpu) || gpu.driver !== 'nvidia')
    return refused('ENODEV', `nvidia drives no card with VFs at ${gpu.address}`)
  if (gpu.sriov.enabledVfs > 0 === (flag === 'e')) return done(spec)
  return flag === 'e' ? enabled(spec, gpu) : disabled(spec, gpu)
}
