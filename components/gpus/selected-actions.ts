import { entryAt, type GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import type { SilentHosts } from '@/lib/domain/gpu-list/sum-gpus'
import { MAX_ADDRESS_GPUS, MAX_CHANGE_GPUS } from '@/lib/schemas/api/gpu-limits'
import { newOrphansPath, newPassthroughPath, newTraitsPath, newTypePath } from '@/lib/util/paths'
import { filterText } from './filter-text'
import type { FilterParams } from './gpu-params'

/** A change of the selected pGPUs. */
export type SelectedAction = {
  label: 'Change type' | 'Tag with traits' | PassthroughLabel | 'Remove orphans'
  path: string
  /** Why it cannot be planned; null: it can. */
  because: string | null
}

type PassthroughLabel = 'Configure PCI passthrough' | 'Remove from PCI passthrough'

type Context = { cloud: string | null; params: FilterParams; silentHosts: SilentHosts }

/** What the selected pGPUs have in common. */
const traitsOf = ({ data, columns }: GpuStore, selected: Int32Array, silentHosts: SilentHosts) => {
  const passthrough = data.frameworks.indexOf('passthrough')
  let [hasVgpus, hasOrphans, isReporting] = [false, false, false]
  for (const row of selected) {
    if (columns.frameworkIndex[row] !== passthrough) hasVgpus = true
    if (columns.orphan[row] !== 0) hasOrphans = true
    if (!silentHosts.has(entryAt(data.hosts, columns.hostIndex, row) ?? '')) isReporting = true
  }
  return { hasVgpus, hasOrphans, isReporting }
}

const manyRefusal = (selected: number, shown: number): string | null => {
  if (selected > MAX_CHANGE_GPUS) return `Select at most ${MAX_CHANGE_GPUS} pGPUs for one change.`
  return selected > MAX_ADDRESS_GPUS && selected !== shown
    ? `To change more than ${MAX_ADDRESS_GPUS} pGPUs, filter the list and select all shown pGPUs.`
    : null
}

/**
 * The changes of the selected pGPUs, each with the reason if it does not apply to any of them. More pGPUs than an address
 * takes are named by the filter that matches them; the type's page then shows the types of the first.
 */
export const selectedActions = (
  store: GpuStore,
  { selected, shown }: { selected: Int32Array; shown: number },
  { cloud, params, silentHosts }: Context,
): SelectedAction[] => {
  const { data, columns } = store
  const isMany = selected.length > MAX_ADDRESS_GPUS
  const gpus = Array.from(isMany ? selected.subarray(0, 1) : selected, (row) => ({
    host: entryAt(data.hosts, columns.hostIndex, row) ?? '',
    address: entryAt(data.addresses, columns.addressIndex, row) ?? '',
  }))
  const named = isMany ? { filter: filterText(params) } : { gpus }
  const { hasVgpus, hasOrphans, isReporting } = traitsOf(store, selected, silentHosts)
  const because =
    manyRefusal(selected.length, shown) ??
    (isReporting ? null : 'The agents of all selected pGPUs are silent. Start them first.')
  return [
    {
      label: 'Change type',
      path: newTypePath({ cloud, ...named, gpus }),
      because: because ?? (hasVgpus ? null : 'All selected pGPUs are in PCI passthrough.'),
    },
    { label: 'Tag with traits', path: newTraitsPath({ cloud, ...named }), because },
    {
      label: hasVgpus ? 'Configure PCI passthrough' : 'Remove from PCI passthrough',
      path: newPassthroughPath({ cloud, ...named, to: hasVgpus ? 'whole' : 'sliced' }),
      because,
    },
    {
      label: 'Remove orphans',
      path: newOrphansPath({ cloud, ...named }),
      because: because ?? (hasOrphans ? null : 'No selected pGPU has orphaned mdevs.'),
    },
  ]
}
