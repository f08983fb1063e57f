import type { YamlMap } from './yaml-source'

/**
 * `https://{region_name}.example.org` with the entry's values for the names in braces, as openstacksdk formats its settings
 * (loader.py: `value.format(**config)`). Null: a brace without a name, or a name that the entry has no text for.
 */
export const fillText = (text: string, values: YamlMap): string | null => {
  let isWhole = true
  const filled = text.replace(/\{\{|\}\}|\{(\w+)\}|[{}]/g, (found, name: string | undefined) => {
    if (found === '{{' || found === '}}') return found.slice(1)
    const value = name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
    if (typeof value === 'string') return value
    isWhole = false
    return ''
  })
  return isWhole ? filled : null
}
