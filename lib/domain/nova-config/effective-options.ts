import type { NovaConfig, NovaOption } from '@/lib/schemas/agent/inventory'
import { oncePer } from '@/lib/util/once-per'
import { pythonStrip } from '@/lib/util/python-strip'
import { type PresentOption, presentOption } from './option-names'

/** Where a value refers to another option: `$name`, `${name}` or `${group.name}`; `$$` is a dollar sign. */
const REFERENCE = /\$(?:\$|([_a-z][._a-z0-9]*)|\{([_a-z][._a-z0-9]*)\})/gi

/** No value of a report is longer. */
const MAX_VALUE = 16_384

/** The value that nova-compute takes of an option; null: nova.conf does not set it, or it is not known. */
type FindValue = (section: string, name: string) => string | null

const resolve = (reference: string, section: string, find: FindValue): string | null => {
  const dot = reference.indexOf('.')
  if (dot >= 0) return find(reference.slice(0, dot), reference.slice(dot + 1))
  return find(section, reference) ?? find('DEFAULT', reference)
}

/**
 * Replaces references to other options in a value of a section, as oslo.config does before it reads the type. A reference
 * that is not known stays as written: Nova refuses an unknown name, and takes the default of an option that is not set.
 * Source: oslo_config/cfg.py _substitute, Template, StrSubWrapper.
 */
const substituteReferences = (
  value: string,
  { section, find, onUnknown }: { section: string; find: FindValue; onUnknown?: () => void },
): string => {
  if (!value.includes('$')) return value
  let free = MAX_VALUE
  return value
    .replaceAll('\\$', '$$$$')
    .replace(REFERENCE, (written: string, name?: string, inBraces?: string) => {
      const reference = name ?? inBraces
      if (reference === undefined) return '$'
      const found = free < 0 ? null : resolve(reference, section, find)
      free -= found?.length ?? 0
      if (found === null) onUnknown?.()
      return found ?? written
    })
}

/**
 * A line of nova.conf under its present name, and whether nova-compute takes its value. In `option` references to other
 * options are replaced; `written` is the line of the file.
 */
export type EffectiveOption = {
  option: NovaOption
  written: NovaOption
  present: PresentOption
  isEffective: boolean
}

const keyOf = (present: PresentOption): string => `${present.section}\n${present.name}`

/**
 * Which lines of nova.conf count. Of a single-valued option the last file that sets it wins; within one file the present
 * name beats the old one, then the last line wins. Every line of a multi-valued option counts.
 * Source: oslo_config/cfg.py _Namespace._get_file_value.
 */
export const effectiveOptions = oncePer((config: NovaConfig): readonly EffectiveOption[] => {
  const all = config.options.map((option) => ({ option, present: presentOption(option) }))
  const winners = new Map<string, (typeof all)[number]>()
  for (const entry of all) {
    const held = winners.get(keyOf(entry.present))
    const isHeldStronger =
      held !== undefined &&
      held.option.file === entry.option.file &&
      !held.present.isOldName &&
      entry.present.isOldName
    if (!isHeldStronger) winners.set(keyOf(entry.present), entry)
  }
  return all.map((entry) => ({
    option: withReferences(entry, winners),
    written: entry.option,
    present: entry.present,
    isEffective: entry.present.isMultiValued || winners.get(keyOf(entry.present)) === entry,
  }))
})

type PresentLine = { option: NovaOption; present: PresentOption }

/** Text options that are reported. Others Nova writes into a reference as Python does: `True`, `['a']`. */
const TEXTS =
  /^(DEFAULT\nhost|compute\n(cpu_\w+_set|provider_config_location)|libvirt\nvirt_type|oslo_limit\n\w+)$/

type Winners = ReadonlyMap<string, PresentLine>

const foundTexts = oncePer((_: Winners) => new Map<string, string | null>())

/** The value of a text with its own references replaced; null: it is not known, or one of them is not, as in a circle. */
const findText = (winners: Winners, section: string, name: string): string | null => {
  const key = `${section}\n${name}`
  const found = foundTexts(winners)
  const held = found.get(key)
  if (held !== undefined) return held
  found.set(key, null)
  const written = TEXTS.test(key) ? winners.get(key)?.option.value : undefined
  if (written === undefined) return null
  let isKnown = true
  const value = substituteReferences(written, {
    section,
    find: (inSection, inner) => findText(winners, inSection, inner),
    onUnknown: () => {
      isKnown = false
    },
  })
  if (isKnown) found.set(key, value)
  return isKnown ? value : null
}

const withReferences = ({ option, present }: PresentLine, winners: Winners): NovaOption => {
  const value = substituteReferences(option.value, {
    section: present.section,
    find: (section, name) => findText(winners, section, name),
  })
  return value === option.value ? option : { ...option, value }
}

/** Of one file Nova puts the values of an old name before those of the current one, [DEFAULT] first. */
const rankOf = ({ option, present }: EffectiveOption): number => {
  if (!present.isOldName) return 2
  return option.section === 'DEFAULT' ? 0 : 1
}

/**
 * The lines of a multi-valued option in the order in which Nova has their values.
 * Source: oslo_config/cfg.py _Namespace._get_file_value.
 */
export const multiValues = (
  config: NovaConfig,
  { section, name }: { section: string; name: string },
): EffectiveOption[] => {
  const all = effectiveOptions(config)
  const files = new Map<string, number>()
  for (const { option } of all) if (!files.has(option.file)) files.set(option.file, files.size)
  const fileOf = ({ option }: EffectiveOption) => files.get(option.file) ?? 0
  return all
    .filter(({ present }) => present.section === section && present.name === name)
    .toSorted((a, b) => fileOf(a) - fileOf(b) || rankOf(a) - rankOf(b))
}

/** Splits a list option as oslo.config does: by commas, trailing commas dropped, items trimmed (types.py List). */
export const splitList = (value: string): string[] => {
  const text = pythonStrip(value)
  let end = text.length
  while (text[end - 1] === ',') end -= 1
  return end === 0 ? [] : text.slice(0, end).split(',').map(pythonStrip)
}

/** `file:line` of an option, as shown with a fact. */
export const optionSource = (option: NovaOption): string => `${option.file}:${option.line}`
