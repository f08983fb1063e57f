import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { effectiveOptions } from './effective-options'

/** A line of nova.conf, in oslo.config's order. */
export type DescribedNovaOption = {
  section: string
  name: string
  value: string
  file: string
  line: number
  /** Another line sets the same single-valued option and wins. */
  isOverridden: boolean
  /** Present name (`[section] name` when the section changed too), when this is an old one. */
  presentName: string | null
}

/** The lines of nova.conf with what became of each: overridden by another line, or written under an old name. */
export const describeNovaOptions = (config: NovaConfig): DescribedNovaOption[] =>
  effectiveOptions(config).map(({ written: option, present, isEffective }) => ({
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
