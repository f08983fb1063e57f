import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import { deviceTypes } from '@/lib/domain/cloud/read-taggable'
import { traitOfType } from '@/lib/domain/cloud/type-traits'
import { lostTraits } from '../lost-traits'
import type { SetTraitsTask } from '../merge-traits'
import type { Step } from '../step'
import {
  isSameKeeping,
  type KeepTraitsTask,
  keepTraitsStep,
  missingPlacements,
  type TraitPlacement,
} from './keep-traits-step'

type KeepingInput = {
  joined: JoinedHost
  entry: JoinedPgpu
  /** Null: what was lost is kept. */
  rule: string | null
  isManaged: boolean
  /** The steps of this plan on the pGPU's providers. */
  tasks: readonly SetTraitsTask[]
}

/** What the console keeps on a pGPU now. */
export const managedOnPgpu = (
  fleet: Fleet,
  { joined, entry }: Pick<KeepingInput, 'joined' | 'entry'>,
): TraitPlacement[] =>
  entry.functions
    .flatMap((address) => fleet.managedTraits.get(`${joined.host.name} ${address}`) ?? [])
    .map(({ address, providerName, trait, typeId, typeName }) => ({
      address,
      providerName,
      trait,
      typeId,
      typeName,
    }))

/** What is to be kept from now on: also where Placement has no provider now, because the card is full. */
const newlyManaged = (
  fleet: Fleet,
  { joined, entry, rule }: KeepingInput,
  rootName: string,
): TraitPlacement[] =>
  [...(deviceTypes(joined, entry).types ?? [])].flatMap(([address, type]) => {
    const { typeId, shortName: typeName } = type
    const traits =
      rule === null
        ? lostTraits(fleet, { joined, entry, address, typeId })
        : [traitOfType(rule, { type, vendorId: entry.pgpu.vendorId })]
    const providerName = mdevProviderName({ hypervisorHostname: rootName, address })
    return traits.map((trait) => ({ address, providerName, trait, typeId, typeName }))
  })

/**
 * The step that begins or ends the management of traits on one pGPU; none if nothing changes. A trait that the plan
 * removes, or that was managed for an earlier type of the device, is no longer managed.
 */
export const planKeeping = (fleet: Fleet, input: KeepingInput): Step<KeepTraitsTask>[] => {
  const { joined, entry, isManaged, tasks } = input
  const rootName = joined.root.value?.name
  if (rootName === undefined) return []
  const before = managedOnPgpu(fleet, input)
  const added = isManaged ? newlyManaged(fleet, input, rootName) : []
  const isOver = (placement: TraitPlacement): boolean =>
    tasks.some(
      ({ address, otherTypes }) => address === placement.address && otherTypes.includes(placement.trait),
    ) || added.some(({ address, typeId }) => address === placement.address && typeId !== placement.typeId)
  const staying = before.filter((placement) => !isOver(placement))
  const after = [...staying, ...missingPlacements(added, staying)]
  if (isSameKeeping(before, after)) return []
  const { name: host } = joined.host
  const task = {
    kind: 'keep-traits',
    host,
    pgpuAddress: entry.pgpu.address,
    rootName,
    before,
    after,
  } as const
  return [keepTraitsStep(task)]
}
