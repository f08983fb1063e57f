import { shortTypeName } from '@/lib/domain/vgpu-type/type-name'
import type { NvidiaSmi } from '@/lib/schemas/agent/inventory'
import { formatNoun } from '@/lib/util/format'
import { driverHolder, isNameless, isSmiGuest } from './occupants'
import type { Vgpu } from './vgpus'

type SmiGpu = NvidiaSmi['gpus'][number]
type SmiVgpu = SmiGpu['vgpus'][number]

const isSameVgpu = (smi: SmiVgpu, { mdevUuid, holder, occupant }: Vgpu): boolean => {
  if (smi.mdevUuid !== null) return smi.mdevUuid === mdevUuid
  const guest = holder ?? (occupant === null ? null : { uuid: occupant.guestUuid, name: occupant.guestName })
  return guest !== null && isSmiGuest(smi, guest)
}

const mayBeOfType = ({ typeName }: SmiVgpu, { typeId, type }: Vgpu): boolean =>
  typeName === null ||
  type === null ||
  type.shortName === typeId ||
  shortTypeName(typeName) === type.shortName

/** vGPUs that nvidia-smi lists as running, without those that are in use by what else is known. */
const unexplained = (vgpus: readonly Vgpu[], running: readonly SmiVgpu[]): SmiVgpu[] => {
  const used = vgpus.filter(({ state }) => state === 'used')
  const without = (rest: readonly SmiVgpu[], isSame: (smi: SmiVgpu, vgpu: Vgpu) => boolean): SmiVgpu[] =>
    rest.filter((smi) => {
      const at = used.findIndex((vgpu) => isSame(smi, vgpu))
      if (at >= 0) used.splice(at, 1)
      return at < 0
    })
  return without(without(running, isSameVgpu), (smi, vgpu) => isNameless(smi) && mayBeOfType(smi, vgpu))
}

/**
 * vGPUs with what NVIDIA's driver adds: it lists each running vGPU, but not always its mdev or VF. If it lists more than
 * are known to be used, unattached ones of the type are used: all of them, or it is unknown which.
 */
export const addDriverUse = (vgpus: Vgpu[], smi: SmiGpu | null): Vgpu[] => {
  if (smi === null || smi.vgpus.length === 0) return vgpus
  const running = unexplained(vgpus, smi.vgpus)
  if (running.length === 0) return vgpus
  return vgpus.map((vgpu): Vgpu => {
    if (vgpu.state === 'used') return vgpu
    const own = running.filter((one) => mayBeOfType(one, vgpu))
    if (own.length === 0) return vgpu
    const free = vgpus.filter((other) => other.state !== 'used' && own.some((one) => mayBeOfType(one, other)))
    if (own.length < free.length) {
      const reason = `nvidia-smi lists ${formatNoun(own.length, 'running vGPU')} that no known guest holds`
      return { ...vgpu, state: 'unknown', reason, mayBeUsed: true }
    }
    const [only] = own.length === 1 ? own : []
    const occupant = only === undefined ? null : driverHolder(only).occupant
    return { ...vgpu, state: 'used', reason: null, occupant }
  })
}
