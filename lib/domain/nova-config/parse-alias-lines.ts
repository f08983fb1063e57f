import { parseJson } from './device-spec'
import { type PciAlias, toAlias } from './pci-alias'
import { aliasFaults } from './pci-alias-rules'
import { configBool } from './python-values'

/** `isByPlacement`: `[filter_scheduler] pci_in_placement`; null: the text does not name it. */
type Aliases = { aliases: PciAlias[]; isByPlacement: boolean | null }
type ParsedAliases = (Aliases & { problem: null }) | { aliases: null; problem: string }

type Lines = {
  entries: { json: unknown; source: string }[]
  isByPlacement: boolean | null
  problem: null
}

const refused = (problem: string): { aliases: null; problem: string } => ({ aliases: null, problem })

const readLines = (text: string): Lines | { problem: string } => {
  const read: Lines = { entries: [], isByPlacement: null, problem: null }
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim()
    if (line === '' || /^[#;]/.test(line) || /^\[(pci|DEFAULT|filter_scheduler)\]$/i.test(line)) continue
    const at = `Line ${index + 1}`
    const flag = /^pci_in_placement\s*[=:](.*)$/.exec(line)?.[1]
    const value = /^(?:alias|pci_alias)\s*[=:](.*)$/.exec(line)?.[1]
    if (flag !== undefined) {
      read.isByPlacement = configBool(flag)
      if (read.isByPlacement === null) return { problem: `${at}: pci_in_placement must be True or False.` }
    } else if (value === undefined)
      return {
        problem: `${at} is no alias: each line is alias = {…} or pci_in_placement = …, as nova.conf has it.`,
      }
    else read.entries.push({ json: parseJson(value.trim()), source: at.toLowerCase() })
  }
  return read
}

const toAliases = ({ entries, isByPlacement }: Lines): Aliases => ({
  isByPlacement,
  aliases: entries.flatMap(({ json, source }) => toAlias(json, source) ?? []),
})

/**
 * The lines of `[pci]` as a person copies them from nova.conf of Nova's API: `alias`, the old `pci_alias`, comments, heads of
 * sections, and `pci_in_placement` of `[filter_scheduler]`. No alias at all is an answer too; a text without any line is none.
 * `problem`: one sentence.
 */
export const parseAliasLines = (text: string): ParsedAliases => {
  if (text.trim() === '')
    return refused('Paste the section: "[pci]" alone says that Nova\'s API has no alias.')
  const lines = readLines(text)
  if (lines.problem !== null) return refused(lines.problem)
  const { entries, isByPlacement } = lines
  const [fault] = aliasFaults(
    entries.map(({ json }) => json),
    { range: null, isByPlacement },
  )
  if (fault === undefined) return { ...toAliases(lines), problem: null }
  const at = entries[fault.index]?.source.replace('line', 'Line') ?? ''
  const what = fault.name === null ? 'the alias is refused' : `the alias "${fault.name}" is refused`
  const effect =
    fault.kind === 'start'
      ? 'Nova 31.3.1, 32.0.0 and newer do not start with it.'
      : 'Nova then refuses every alias.'
  return refused(`${at}: ${what}, ${fault.because}. ${effect}`)
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
