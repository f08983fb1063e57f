import * as z from 'zod'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { pythonStrip } from '@/lib/util/python-strip'
import { parseJson } from './device-spec'
import { multiValues, optionSource } from './effective-options'
import type { NovaRange } from './nova-releases'
import { type AliasFault, aliasFaults } from './pci-alias-rules'
import { pciFlag } from './pci-flags'

const aliasSchema = z.object({
  name: z.string(),
  vendor_id: z.string().optional(),
  product_id: z.string().optional(),
  resource_class: z.string().optional(),
  device_type: z.string().optional(),
  numa_policy: z.string().optional(),
  traits: z.string().optional(),
  live_migratable: z.string().optional(),
})

/** One entry of `[pci] alias` and the line that holds it. */
export type PciAlias = z.infer<typeof aliasSchema> & { source: string }

const MAX_ALIASES = 1000

const aliasOptions = (config: NovaConfig) =>
  multiValues(config, { section: 'pci', name: 'alias' }).slice(0, MAX_ALIASES)

/** An alias under the name that Nova gives it, from parsed JSON; null: it is not valid as one. */
export const toAlias = (json: unknown, source: string): PciAlias | null => {
  const { data } = aliasSchema.safeParse(json)
  return data === undefined ? null : { ...data, name: pythonStrip(data.name), source }
}

/**
 * Every `[pci] alias` of a nova.conf, old names included; entries that are not valid as an alias are left out. What counts
 * for scheduling is the nova.conf of Nova's API. Source: nova/pci/request.py get_alias_from_config.
 */
export const readPciAliases = (config: NovaConfig): PciAlias[] =>
  aliasOptions(config).flatMap(({ option }) => toAlias(parseJson(option.value), optionSource(option)) ?? [])

/** A refused alias with the line that holds it. */
export type AliasProblem = AliasFault & { source: string; value: string }

/** The aliases of a nova.conf that Nova refuses, by the rules of its release and the settings of that very nova.conf. */
export const readAliasProblems = (config: NovaConfig, range: NovaRange | null): AliasProblem[] => {
  const options = aliasOptions(config).map(({ option }) => option)
  const context = { range, isByPlacement: pciFlag(config, 'schedule', range) }
  return aliasFaults(
    options.map(({ value }) => parseJson(value)),
    context,
  ).flatMap((fault) => {
    const option = options[fault.index]
    return option === undefined ? [] : [{ ...fault, source: optionSource(option), value: option.value }]
  })
}
