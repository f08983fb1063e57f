import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { effectiveOptions } from './effective-options'
import { configBool } from './python-values'

/** The value that nova-compute takes of a single-valued option; null: nova.conf does not set it. */
export const optionValue = (
  config: NovaConfig,
  { section, name }: { section: string; name: string },
): string | null => {
  const found = effectiveOptions(config).find(
    ({ present, isEffective }) => isEffective && present.section === section && present.name === name,
  )
  return found?.option.value ?? null
}

/** Whether nova.conf switches an option on that is off by default. */
export const isOptionOn = (config: NovaConfig, option: { section: string; name: string }): boolean =>
  configBool(optionValue(config, option) ?? '') === true
