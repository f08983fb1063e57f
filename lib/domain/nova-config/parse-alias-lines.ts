import { parseOsloConfig } from '@/lib/schemas/agent/oslo-config'
import { parseJson } from './device-spec'
import { type NovaRange, novaAndNewer } from './nova-releases'
import { type PciAlias, toAlias } from './pci-alias'
import { aliasFaults, areAliasesAccepted } from './pci-alias-rules'
import { configBool } from './python-values'

/** `isByPlacement`: `[filter_scheduler] pci_in_placement`; null: the text does not name it. */
type Aliases = { aliases: PciAlias[]; isByPlacement: boolean | null }
type ParsedAliases = (Aliases & { problem: null }) | { aliases: null; problem: string }

type Lines = {
  entries: { json: unknown; line: number }[]
  isByPlacement: boolean | null
  problem: null
}

const refused = (problem: string): { aliases: null; problem: string } => ({ aliases: null, problem })

const SECTION = /^(pci|DEFAULT|filter_scheduler)$/i

/** Without the indentation of the first line, which was added while copying: an indented line continues the value above. */
const dedented = (text: string): string[] => {
  const lines = text.split(/\r?\n/)
  const [indent] = /^[ \t]*/.exec(lines.find((line) => line.trim() !== '') ?? '') ?? ['']
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
}

const readLines = (text: string): Lines | { problem: string } => {
  const { options, errors } = parseOsloConfig(['[pci]', ...dedented(text)].join('\n'))
  const [error] = errors
  if (error !== undefined) return { problem: `Line ${error.line - 1} cannot be read: ${error.message}.` }
  const read: Lines = { entries: [], isByPlacement: null, problem: null }
  for (const { section, name, value, line: lineWithHead } of options) {
    const line = lineWithHead - 1
    const isAlias = name === 'alias' || name === 'pci_alias'
    if (!SECTION.test(section) || !(isAlias || name === 'pci_in_placement'))
      return {
        problem: `Line ${line} is not an alias. Write each line as alias = {…} or pci_in_placement = …, as in nova.conf.`,
      }
    if (isAlias) read.entries.push({ json: parseJson(value), line })
    else {
      read.isByPlacement = configBool(value)
      if (read.isByPlacement === null)
        return { problem: `Line ${line}: pci_in_placement must be True or False.` }
    }
  }
  return read
}

const toAliases = ({ entries, isByPlacement }: Lines): Aliases => ({
  isByPlacement,
  aliases: entries.flatMap(({ json, line }) => toAlias(json, `line ${line}`) ?? []),
})

/**
 * The lines of `[pci]` as a person copies them from nova.conf of Nova's API: `alias`, the old `pci_alias`, comments, heads of
 * sections, and `pci_in_placement` of `[filter_scheduler]`. No alias at all is valid; a text without any line is not.
 * Refused is only what Nova refuses in every release of the range; null: the release is unknown. `problem`: one sentence.
 */
export const parseAliasLines = (text: string, range: NovaRange | null = null): ParsedAliases => {
  if (text.trim() === '')
    return refused('Paste the section. "[pci]" alone means that Nova\'s API has no alias.')
  const lines = readLines(text)
  if (lines.problem !== null) return refused(lines.problem)
  const { entries, isByPlacement } = lines
  const values = entries.map(({ json }) => json)
  if (areAliasesAccepted(values, { range, isByPlacement }) !== false)
    return { ...toAliases(lines), problem: null }
  const faults = aliasFaults(values, { range, isByPlacement })
  const fault = faults.find(({ kind }) => kind === 'parse') ?? faults[0]
  const name = fault?.name ?? null
  const what = name === null ? 'the alias is refused' : `the alias "${name}" is refused`
  const effect =
    fault?.kind === 'start'
      ? `${novaAndNewer('aliasCheckAtStart')} do not start with it.`
      : 'Nova then refuses every alias.'
  return refused(`Line ${entries[fault?.index ?? 0]?.line}: ${what}, ${fault?.because}. ${effect}`)
}

/** The same of a text that was saved when fewer rules were known; null: Nova never accepted it. */
export const readStoredAliasLines = (text: string): Aliases | null => {
  const lines = readLines(text)
  if (lines.problem !== null) return null
  const faults = aliasFaults(
    lines.entries.map(({ json }) => json),
    { range: null, isByPlacement: lines.isByPlacement },
  )
  return faults.some(({ kind }) => kind === 'parse') ? null : toAliases(lines)
}
