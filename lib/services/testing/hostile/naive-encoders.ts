type Naive = (...args: never[]) => unknown

const text = (value: unknown): string => String(value ?? '')
const rowText = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((fields) => `${fields.map(text).join(',')}\r\n`).join('')
const fenced = (content: string, language = ''): string => `\`\`\`${language}\n${content}\n\`\`\``

const yamlLines = (value: unknown, indent = ''): string => {
  if (typeof value !== 'object' || value === null) return ` ${text(value)}\n`
  const lines = Array.isArray(value)
    ? value.map(
        (item) => `${indent}-${yamlLines(item, `${indent}  `).replace(/^ +/, ' ').replace(/^\n/, '')}`,
      )
    : Object.entries(value).map(([key, item]) => `${indent}${key}:${yamlLines(item, `${indent}  `)}`)
  return `\n${lines.join('')}`
}

/** Each encoder, by name, without any encoding. */
export const NAIVE_ENCODERS: Readonly<Record<string, Naive>> = {
  shellWord: text,
  shellArguments: (texts: readonly string[]) => texts.join(' '),
  shellOption: (name: string, value: string) => `${name} ${value}`,
  shellOperands: (texts: readonly string[]) => texts.join(' '),
  nestedCommand: text,
  sshWord: text,
  shellComment: (value: string) => `# ${value}`,
  heredoc: (command: string, content: string) => `${command} <<END\n${content}\nEND`,
  novaConfValue: text,
  novaConfItem: text,
  novaConfName: text,
  yamlDocument: (value: unknown) => yamlLines(value).trimStart(),
  yamlString: text,
  yamlQuoted: (value: string) => `'${value}'`,
  hclString: (value: string) => `"${value}"`,
  hclName: text,
  hclComment: (value: string) => `#   ${value}`,
  jsonText: (value: unknown) => JSON.stringify(value),
  markdownText: text,
  markdownCode: fenced,
  csvField: text,
  csvText: rowText,
  prometheusName: text,
  prometheusHead: (name: string, { help, type }: { help: string; type: string }) =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`,
  prometheusSample: (name: string, { labels, value }: { labels: Record<string, string>; value: number }) =>
    `${name}{${Object.entries(labels).map(([label, each]) => `${label}="${each}"`)}} ${value}\n`,
  slackText: text,
  slackLink: ({ url, label }: { url: string; label: string }) => `<${url}|${label}>`,
  systemdWord: text,
  httpPart: text,
  httpBody: (value: unknown) => JSON.stringify(value),
}
