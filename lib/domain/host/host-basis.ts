import { type DescribedNovaOption, describeNovaOptions } from '@/lib/domain/nova-config/describe-options'
import { type NovaView, readNovaView } from '@/lib/domain/nova-config/nova-view'
import type { Occupancy } from '@/lib/domain/pgpu/occupants'
import { readTypeFacts, type TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Inventory } from '@/lib/schemas/agent/inventory'

/** What the reading of every card looks at beside the parts that are its own. */
export type HostBasis = {
  problems: Inventory['problems']
  novaConfig: Inventory['novaConfig']
  nova: NovaView | null
  novaOptions: DescribedNovaOption[] | null
  vgpuTypes: Inventory['vgpuTypes']
  typeBook: readonly TypeFacts[]
  guestGap: string | null
  areGuestsRead: boolean
  areMdevsRead: boolean
}

/** The basis of an inventory: the very one of last time when nothing of it differs. */
export const readBasis = (inventory: Inventory, occupancy: Occupancy, last: HostBasis | null): HostBasis => {
  const { problems, novaConfig, vgpuTypes } = inventory
  const guestGap = occupancy.gap
  const areGuestsRead = !occupancy.isUnreadable
  const areMdevsRead = inventory.mdevs !== null
  const isSameNova = last !== null && novaConfig === last.novaConfig
  if (
    isSameNova &&
    problems === last.problems &&
    vgpuTypes === last.vgpuTypes &&
    guestGap === last.guestGap &&
    areGuestsRead === last.areGuestsRead &&
    areMdevsRead === last.areMdevsRead
  )
    return last
  return {
    problems,
    novaConfig,
    nova: isSameNova && problems === last.problems ? last.nova : readNovaView(inventory),
    novaOptions: novaConfig === null ? null : describeNovaOptions(novaConfig),
    vgpuTypes,
    typeBook: vgpuTypes === last?.vgpuTypes ? last.typeBook : vgpuTypes.map(readTypeFacts),
    guestGap,
    areGuestsRead,
    areMdevsRead,
  }
}
