import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { makeMdev } from './change-vgpus'
import { holderOf, isSliced } from './host-lookup'

/**
 * A host after power came back and nova-compute started: mdevs are gone but for those that come back. Before 30 Nova
 * re-creates the assigned ones, later every definition with autostart is started, of any type and whether or not
 * a guest uses it. VFs and vendor VFIO types are restored by the boot script that such hosts need.
 */
export const rebooted = (spec: HostSpec): HostSpec => {
  const isDefined = (uuid: string): boolean =>
    spec.mdevDefinitions.some((definition) => definition.uuid === uuid && definition.start === 'auto')
  const gpus = spec.gpus.map((gpu) => {
    if (!isSliced(gpu) || gpu.slicing.interface !== 'mdev') return gpu
    const { state } = gpu.slicing
    const vgpus = state.vgpus.filter((vgpu) => holderOf(spec, gpu, vgpu) !== null || isDefined(vgpu.uuid))
    return vgpus.length === state.vgpus.length
      ? gpu
      : { ...gpu, slicing: { ...gpu.slicing, state: { ...state, vgpus } } }
  })
  return spec.mdevDefinitions.reduce<HostSpec>(
    (host, definition) => {
      if (definition.start !== 'auto') return host
      const outcome = makeMdev(host, {
        slot: definition.parent,
        typeId: definition.typeId,
        uuid: definition.uuid,
      })
      return outcome.isDone ? outcome.spec : host
    },
    { ...spec, gpus },
  )
}
