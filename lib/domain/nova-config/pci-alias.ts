import * as z from 'zod'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { parseJson } from './device-spec'
import { effectiveOptions, optionSource } from './effective-options'

const aliasSchema = z.object({
  name: z.string(),
  vendor_id: z.string().optional(),
  product_id: z.string().optional(),
  resource_class: z.string().optional(),
  device_type: z.string().optional(),
})

/** One entry of `[pci] alias` and the line that holds it. */
export type PciAlias = z.infer<typeof aliasSchema> & { source: string }

const entriesSchema = z.union([aliasSchema.transform((entry) => [entry]), z.array(aliasSchema)])

const MOST_ALIASES = 1000

/**
 * Every `[pci] alias` of a nova.conf, old names and lists included; lines that are no JSON objects are left out. What counts for
 * scheduling is the nova.conf of Nova's API. Source: nova/pci/request.py _get_alias_from_config.
 */
export const readPciAliases = (config: NovaConfig): PciAlias[] =>
  effectiveOptions(config)
    .flatMap(({ option, present }) => {
      if (present.section !== 'pci' || present.name !== 'alias') return []
      const parsed = entriesSchema.safeParse(parseJson(option.value))
      return parsed.success ? parsed.data.map((entry) => ({ ...entry, source: optionSource(option) })) : []
    })
    .slice(0, MOST_ALIASES)
