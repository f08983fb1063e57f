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

/** Lines `name = value` as `terraform fmt` aligns them: a value of several lines stands by itself. */
const aligned = (lines: readonly HclLine[]): string[] => {
  const single = lines.filter(([, value]) => !value.includes('\n'))
  const width = Math.max(0, ...single.map(([name]) => name.length))
  return lines.map(([name, value]) => `${value.includes('\n') ? name : name.padEnd(width)} = ${value}`)
}

/** A block with its arguments, as `terraform fmt` leaves it; those of several lines last. */
export const hclBlock = (head: string, lines: readonly HclLine[]): string =>
  [`${head} {`, ...aligned(lines).map((line) => `  ${line}`), '}'].join('\n')

/** A map of texts as an argument of a block. */
export const hclMap = (entries: Readonly<Record<string, string>>): string => {
  const lines = Object.entries(entries).map(([key, value]): HclLine => [hclText(key), hclText(value)])
  return ['{', ...aligned(lines).map((line) => `    ${line}`), '  }'].join('\n')
}
