/** YAML as it is written: a scalar keeps its quotes or has none, and a map may have a key twice. */
export type Node = string | { plain: string } | readonly Node[] | YamlPairs
type YamlPairs = { pairs: readonly (readonly [key: string, value: Node])[] }

export const plain = (text: string): Node => ({ plain: text })
export const pairs = (...items: readonly (readonly [string, Node])[]): YamlPairs => ({ pairs: items })

/** In flow style, so that no indentation is needed. */
export const yamlText = (node: Node): string => {
  if (typeof node === 'string') return JSON.stringify(node)
  if ('plain' in node) return node.plain
  if ('pairs' in node)
    return `{${node.pairs.map(([key, value]) => `${JSON.stringify(key)}: ${yamlText(value)}`).join(', ')}}`
  return `[${node.map(yamlText).join(', ')}]`
}
