import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import type { FindingCommand } from '../finding'

/** Sets all traits of a provider: those that it has, with `on` and without `off`; the command replaces the whole list. */
export const traitCommand = (
  { uuid, traits }: Pick<ResourceProvider, 'uuid' | 'traits'>,
  { on = [], off = [] }: { on?: readonly string[]; off?: readonly string[] },
): FindingCommand | null => {
  if (traits === null) return null
  const all = [...new Set([...traits.filter((trait) => !off.includes(trait)), ...on])].toSorted()
  const options = joinEncoded(
    all.map((trait) => shellOption(sh`--trait`, trait)),
    ' ',
  )
  return sh`openstack --os-placement-api-version 1.6 resource provider trait set ${options} ${shellOperands([uuid])}`
}
