import { groupBy } from '@/lib/domain/cloud/match-host'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import type { FindingCommand } from '../finding'

/** Traits that a provider is to get and to lose. */
export type TraitEdit = {
  provider: Pick<ResourceProvider, 'uuid' | 'traits'>
  on?: readonly string[]
  off?: readonly string[]
}

/** Sets all traits of one provider, because the command replaces the whole list. Null: its traits were not read. */
const setTraits = (edits: readonly TraitEdit[]) => {
  const { uuid, traits } = edits[0]?.provider ?? { uuid: '', traits: null }
  if (traits === null) return null
  const off = new Set(edits.flatMap((edit) => edit.off ?? []))
  const on = edits.flatMap((edit) => edit.on ?? [])
  const all = [...new Set([...traits.filter((trait) => !off.has(trait)), ...on])].toSorted()
  const options = joinEncoded(
    all.map((trait) => shellOption(sh`--trait`, trait)),
    ' ',
  )
  return sh`openstack --os-placement-api-version 1.6 resource provider trait set ${options} ${shellOperands([uuid])}`
}

/**
 * Sets the traits of each provider. Custom traits are created first: Placement refuses a trait that does not exist, and accepts
 * the creation of one that does.
 */
export const traitCommand = (edits: readonly TraitEdit[]): FindingCommand | null => {
  const known = edits.filter(({ provider }) => provider.traits !== null)
  if (known.length === 0) return null
  const custom = known.flatMap(({ on }) => on ?? []).filter((trait) => trait.startsWith('CUSTOM_'))
  const creations = [...new Set(custom)].map(
    (trait) => sh`openstack --os-placement-api-version 1.6 trait create ${shellOperands([trait])}`,
  )
  const settings = [...groupBy(known, ({ provider }) => provider.uuid).values()]
    .map(setTraits)
    .filter((command) => command !== null)
  return joinEncoded([...creations, ...settings], ' && ')
}
