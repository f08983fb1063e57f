import { parse } from 'yaml'
import * as z from 'zod'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'

/** Of Nova's schema 1.0 what is about traits; the rest of a file means nothing here. */
const fileSchema = z.object({
  meta: z.object({ schema_version: z.string() }),
  providers: z
    .array(
      z.object({
        identification: z.object({ name: z.string().optional(), uuid: z.string().optional() }),
        traits: z
          .object({ additional: z.array(z.string().regex(/^CUSTOM_[A-Z0-9_]+$/)).optional() })
          .optional(),
      }),
    )
    .default([]),
})

const providersOf = ({ providerConfig }: NovaConfig) =>
  (providerConfig?.files ?? []).flatMap(({ name, text }) => {
    const parsed = fileSchema.safeParse(parse(text ?? ''))
    return parsed.success ? parsed.data.providers.map((entry) => ({ ...entry, file: name })) : []
  })

/** What a start of nova-compute takes from provider config. */
export const loadedProviderTraits = (config: NovaConfig) =>
  providersOf(config).flatMap(({ identification: { name }, traits }) =>
    name === undefined ? [] : [{ provider: name, traits: traits?.additional ?? [] }],
  )

/** Why nova-compute does not start with these files (nova/compute/provider_config.py); null when it does. */
export const providerConfigRefusal = (config: NovaConfig): string | null => {
  const broken = (config.providerConfig?.files ?? []).find(
    ({ text }) => !fileSchema.safeParse(parse(text ?? '')).success,
  )
  if (broken !== undefined)
    return `nova.exception.ProviderConfigException: An error occurred while processing a provider config file: ${broken.name} is not valid`
  const seen = new Set<string>()
  for (const { identification, file } of providersOf(config)) {
    const id = identification.name ?? identification.uuid ?? ''
    if (seen.has(id))
      return `nova.exception.ProviderConfigException: An error occurred while processing a provider config file: Provider ${id} already defined in source file(s): ${file}`
    seen.add(id)
  }
  return null
}
