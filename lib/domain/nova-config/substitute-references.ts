/** Where a value refers to another option: `$name`, `${name}` or `${group.name}`; `$$` is a dollar sign. */
const REFERENCE = /\$(?:\$|([_a-z][._a-z0-9]*)|\{([_a-z][._a-z0-9]*)\})/gi

/** No value of a report is longer. */
const MAX_VALUE = 16_384

/** The value that nova-compute takes of an option; null: nova.conf does not set it, or it is not known. */
export type FindValue = (section: string, name: string) => string | null

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
export const substituteReferences = (
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
