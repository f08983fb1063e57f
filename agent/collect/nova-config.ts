import type { NovaConfig, NovaOption } from '@/lib/schemas/agent/inventory'
import { parseOsloConfig } from '@/lib/schemas/agent/oslo-config'
import { cleanText, truncate } from './clean-text'
import { locateDropIn } from './drop-in'
import type { HostFiles } from './host-files'
import { findNovaFiles } from './nova-files'
import { isReportedOption } from './nova-options'
import type { ProblemLog } from './problem-log'
import { collectProviderConfig } from './provider-config'

/** A nova.conf with every option as a comment (RDO's) has 400 kB. */
const FILE_LIMIT_BYTES = 4 * 1024 * 1024
/** The contract's bounds. */
const MAX_FILES = 512
const MAX_OPTIONS = 4096
const MAX_VALUE = 16_384
const MAX_NAME = 255

type Reading = { files: HostFiles; problems: ProblemLog }

type Options = Reading & {
  /** Files or folders given by `--nova-config`, in oslo.config's order. */
  given?: readonly string[] | undefined
  /** Nova's API runs here, so that the host need not run nova-compute. */
  hasNovaApi?: boolean
  /** Where the console may have a drop-in written; undefined where it may not. */
  dropInFolder?: string | undefined
}

/** An indented option, or a URL, inside the value of the option above it. */
const STOWAWAY = /^[A-Za-z_][\w-]*\s*(=|:\s)|:\/\//

/**
 * oslo.config takes indented lines for part of the value above. Where they have the form of options, an admin
 * indented a block by mistake, and they could be passwords: the value ends before them.
 */
const withoutStowaways = (value: string): string => {
  const lines = value.split('\n')
  const first = lines.findIndex((line, index) => index > 0 && STOWAWAY.test(line))
  return first < 0 ? value : lines.slice(0, first).join('\n')
}

type Texts = [section: string, name: string, value: string]

/** Null when the file cannot be read. */
const reported = (path: string, { files, problems }: Reading): NovaOption[] | null => {
  // Python removes some control characters as blanks, so the parts of a line are cleaned, not the file.
  const text = files.text(path, { isExpected: true, limitBytes: FILE_LIMIT_BYTES, keepsControls: true })
  if (text === null) return null
  const { options, errors } = parseOsloConfig(text)
  for (const { line, message } of errors) {
    problems.add({
      source: `${path}:${line}`,
      code: 'malformed',
      message: `${path} line ${line}: ${message}; nova-compute does not start with this file.`,
    })
  }
  return options.flatMap(({ line, ...option }): NovaOption[] => {
    if (!isReportedOption(option.section, option.name)) return []
    const [section, name, whole] = [option.section, option.name, option.value].map(cleanText) as Texts
    if (section.length > MAX_NAME || name.length > MAX_NAME) return []
    const value = withoutStowaways(whole)
    if (value !== whole)
      problems.add({
        source: `${path}:${line}`,
        code: 'malformed',
        message: `[${section}] ${name} has indented lines below it that look like other options. Nova reads them as part of its value, so remove the indentation.`,
      })
    if (value.length > MAX_VALUE)
      problems.add({
        source: `${path}:${line}`,
        code: 'too-large',
        message: `[${section}] ${name} has ${value.length} characters; a report holds the first ${MAX_VALUE}.`,
      })
    return [{ section, name, value: truncate(value, MAX_VALUE), file: truncate(path, 1024), line }]
  })
}

const bounded = <T>(items: T[], max: number, what: string, problems: ProblemLog): T[] => {
  if (items.length > max) {
    const message = `nova.conf has ${items.length} ${what}; a report holds the first ${max}.`
    problems.add({ source: 'nova.conf', code: 'too-large', message })
  }
  return items.slice(0, max)
}

/** The options of these files that matter, in their order; null when none of the files could be read. */
export const readNovaOptions = (paths: readonly string[], reading: Reading): NovaOption[] | null => {
  const read = paths.flatMap((path) => {
    const own = reported(path, reading)
    return own === null ? [] : [own]
  })
  // "Could not read" must not look like "sets nothing".
  return read.length === 0 ? null : bounded(read.flat(), MAX_OPTIONS, 'options that matter', reading.problems)
}

/** The options of nova.conf that matter, with the file and line of each; null when none was found or readable. */
export const collectNovaConfig = (options: Options): NovaConfig | null => {
  const { files, problems, given, dropInFolder } = options
  const found = findNovaFiles(files, given)
  if (found === null) {
    if (options.hasNovaApi === true) return null
    const message = 'No nova.conf of a known deployment was found; name its files with --nova-config.'
    problems.add({ source: 'nova.conf', code: 'incomplete', message })
    return null
  }
  const paths = bounded(found.files, MAX_FILES, 'files', problems)
  const read = readNovaOptions(paths, options)
  if (read === null) return null
  const providerConfig = collectProviderConfig({ deployment: found.deployment, options: read }, options)
  return {
    deployment: found.deployment,
    files: paths.map((path) => truncate(path, 1024)),
    options: read,
    ...(dropInFolder === undefined
      ? {}
      : { dropIn: locateDropIn(files, { folder: dropInFolder, novaConfig: given }) }),
    ...(providerConfig === undefined ? {} : { providerConfig }),
  }
}
