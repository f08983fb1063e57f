/** A text of HCL: `${` and `%{` begin templates there. */
export const hclText = (text: string): string => {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
  return `"${escaped.replace(/[$%](?=\{)/g, (sign) => sign + sign)}"`
}

/** A name of Terraform: letters, digits and underscores, a letter first. */
export const hclLabel = (text: string, prefix = 'flavor'): string => {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[a-z]/.test(label) ? label : `${prefix}_${label}`
}

/** An argument of a block, its value as HCL has it. */
export type HclLine = [name: string, value: string]

/** A block with its arguments aligned, as `terraform fmt` leaves it. */
export const hclBlock = (head: string, lines: readonly HclLine[]): string => {
  const width = Math.max(...lines.map(([name]) => name.length))
  return [`${head} {`, ...lines.map(([name, value]) => `  ${name.padEnd(width)} = ${value}`), '}'].join('\n')
}
