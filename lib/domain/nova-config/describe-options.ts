import type { DescribedNovaOption } from '@/lib/domain/host/types'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { effectiveOptions } from './effective-options'

/** The lines of nova.conf with what became of each: overridden by another line, or written under an old name. */
export const describeNovaOptions = (config: NovaConfig): DescribedNovaOption[] =>
  effectiveOptions(config).map(({ option, present, isEffective }) => ({
    section: option.section,
    name: option.name,
    value: option.value,
    file: option.file,
    line: option.line,
    isOverridden: !isEffective,
    presentName: present.isOldName ? presentNameOf(option.section, present) : null,
  }))

const presentNameOf = (section: string, present: { section: string; name: string }): string =>
  section.toLowerCase() === present.section.toLowerCase()
    ? present.name
    : `[${present.section}] ${present.name}`
