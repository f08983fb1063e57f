/** A line of `nvidia-smi -q` and what is indented below it. `value` is empty for a heading. */
export type SmiNode = { key: string; value: string; children: SmiNode[] }

const GPU = /^GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7])$/

const nodeOf = (line: string): SmiNode => {
  const gpu = GPU.exec(line)
  if (gpu !== null) return { key: 'GPU', value: gpu[1] ?? '', children: [] }
  const colon = line.indexOf(':')
  if (colon < 0) return { key: line, value: '', children: [] }
  return { key: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim(), children: [] }
}

/**
 * Reads the indented text of `nvidia-smi -q` and `nvidia-smi vgpu -q`: `key : value` lines, headings without a value, one
 * level per indentation. The heading `GPU 00000000:18:00.0` contains colons itself.
 */
export const parseSmiText = (text: string): SmiNode => {
  const root: SmiNode = { key: '', value: '', children: [] }
  const open: { node: SmiNode; indent: number }[] = [{ node: root, indent: -1 }]
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('=')) continue
    const node = nodeOf(line.trim())
    const indent = line.length - line.trimStart().length
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
    open.at(-1)?.node.children.push(node)
    open.push({ node, indent })
  }
  return root
}

/** All nodes named `key` directly below `node`. */
export const nodesNamed = (node: SmiNode | undefined, key: string): SmiNode[] =>
  node?.children.filter((child) => child.key === key) ?? []

/** Printed in place of a value that the driver could not read. */
const NO_VALUE =
  /^(N\/A\b|\[?(N\/A|Unknown Error|GPU is lost|Not Supported|Insufficient Permissions)\]?$|ERR!)/i

/** Value at a path of keys; null when absent, empty, or no value (`N/A`, `Unknown Error`). */
export const smiValue = (node: SmiNode | undefined, ...keys: string[]): string | null => {
  let at = node
  for (const key of keys) at = at?.children.find((child) => child.key === key)
  const value = at?.value ?? ''
  return value === '' || NO_VALUE.test(value) ? null : value
}
