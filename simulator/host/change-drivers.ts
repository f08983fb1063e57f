import type { GpuSpec, HostSpec, PciDeviceSpec } from '@/simulator/host-tree/host-spec'
import { withGpu } from './host-lookup'
import { done, type HostOutcome, refused } from './host-outcome'

const deviceAt = (spec: HostSpec, address: string): PciDeviceSpec | undefined =>
  [...spec.gpus, ...spec.otherDevices].find((device) => device.address === address)

const withDevice = (spec: HostSpec, address: string, change: Partial<PciDeviceSpec>): HostSpec => {
  const gpu = spec.gpus.find((one) => one.address === address)
  if (gpu !== undefined) return withGpu(spec, { ...gpu, ...change })
  return {
    ...spec,
    otherDevices: spec.otherDevices.map((one) => (one.address === address ? { ...one, ...change } : one)),
  }
}

/** `echo NAME > driver_override`; an empty line takes it away. Nothing is bound by it. */
export const overrideDriver = (
  spec: HostSpec,
  { address, text }: { address: string; text: string },
): HostSpec => {
  const device = deviceAt(spec, address)
  if (device === undefined) return spec
  if (text !== '') return withDevice(spec, address, { driverOverride: text })
  return {
    ...spec,
    gpus: spec.gpus.map((gpu) => {
      const { driverOverride: _, ...rest } = gpu
      return gpu.address === address ? rest : gpu
    }),
    otherDevices: spec.otherDevices.map((one) => {
      const { driverOverride: _, ...rest } = one
      return one.address === address ? rest : one
    }),
  }
}

const holderOf = (spec: HostSpec, gpu: GpuSpec): string | null => {
  const made = new Set(gpu.slicing?.state.vgpus.map(({ uuid }) => uuid) ?? [])
  const slots = new Set([gpu.address, ...(gpu.slicing?.state.slots ?? [])])
  const holder = spec.guests.find(
    ({ state, mdevs, pciDevices }) =>
      state !== 'shutoff' &&
      (mdevs.some((uuid) => made.has(uuid)) || pciDevices.some((address) => slots.has(address))),
  )
  return holder?.name ?? null
}

/** A card without its driver shows no types and no VFs; mdevs go with it. */
const withoutDriver = (spec: HostSpec, gpu: GpuSpec, driver: string): HostSpec => {
  const slicing = gpu.slicing === null ? null : { ...gpu.slicing, state: { ...gpu.slicing.state, vgpus: [] } }
  const parked = driver === 'vfio-pci' ? gpu.parked : { driver, slicing }
  return withGpu(spec, {
    ...gpu,
    driver: null,
    slicing: null,
    sriov: gpu.sriov === null ? null : { ...gpu.sriov, enabledVfs: 0 },
    ...(parked === undefined ? {} : { parked }),
  })
}

/** `echo ADDRESS > drivers/NAME/unbind`. A driver whose device is in use hangs; here it refuses. */
export const unbindDevice = (
  spec: HostSpec,
  { driver, address }: { driver: string; address: string },
): HostOutcome => {
  const device = deviceAt(spec, address)
  if (device?.driver !== driver) return refused('ENODEV', `${driver} does not drive ${address}`)
  const gpu = spec.gpus.find((one) => one.address === address)
  if (gpu === undefined) return done(withDevice(spec, address, { driver: null }))
  const holder = holderOf(spec, gpu)
  return holder === null
    ? done(withoutDriver(spec, gpu, driver))
    : refused('EBUSY', `${holder} runs with ${address}`)
}

/** `echo ADDRESS > drivers_probe`: the driver of the override takes the device; vGPUs are created again. VFs stay off. */
export const probeDevice = (spec: HostSpec, address: string): HostOutcome => {
  const device = deviceAt(spec, address)
  if (device === undefined) return refused('ENODEV', `there is no device ${address}`)
  if (device.driver !== null) return done(spec)
  const gpu = spec.gpus.find((one) => one.address === address)
  const driver = device.driverOverride ?? gpu?.parked?.driver ?? null
  if (driver === null) return refused('ENODEV', `no driver is meant for ${address}`)
  if (gpu === undefined) return done(withDevice(spec, address, { driver }))
  if (gpu.parked === undefined || driver !== gpu.parked.driver) return done(withGpu(spec, { ...gpu, driver }))
  const { parked, ...rest } = gpu
  if (gpu.sriov === null || gpu.sriov.totalVfs === 0)
    return done(withGpu(spec, { ...rest, driver, slicing: parked.slicing }))
  const vfSlicing = gpu.vfSlicing ?? parked.slicing
  return done(withGpu(spec, { ...rest, driver, slicing: null, ...(vfSlicing === null ? {} : { vfSlicing }) }))
}
