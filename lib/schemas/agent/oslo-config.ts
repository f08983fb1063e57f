import { pythonStrip, pythonTrimEnd, pythonTrimStart } from '@/lib/util/python-strip'

/** One assignment of a file in oslo.config's format. `line` is that of the name, from 1. */
export type OsloOption = { section: string; name: string; value: string; line: number }

/** What oslo.config refuses. The words of the line are left out: they could be a password. */
export type OsloError = { line: number; message: string }

const isQuoted = (value: string): boolean =>
  (value.startsWith('"') || value.startsWith("'")) && value[0] === value[value.length - 1]

type Assignment = { name: string; values: string[]; line: number }

const splitAssignment = (text: string, line: number): Assignment | null => {
  const at = text.search(/[:=]/)
  if (at < 0) return null
  const value = pythonStrip(text.slice(at + 1))
  return {
    name: pythonStrip(text.slice(0, at)),
    values: [isQuoted(value) ? value.slice(1, -1) : value],
    line,
  }
}

/**
 * Reads a file as oslo_config/iniparser.py does: sections, `name = value` or `name: value`, `#` and `;` comments at the
 * start of a line, quotes around a first line are removed, lines that begin with white space continue the value (joined by a
 * line feed), a blank line ends it. oslo.config gives up at the first error and the service does not start; here the rest
 * is still read, and the errors are reported.
 */
export const parseOsloConfig = (text: string): { options: OsloOption[]; errors: OsloError[] } => {
  const options: OsloOption[] = []
  const errors: OsloError[] = []
  let section: string | null = null
  let open: Assignment | null = null

  const flush = (): void => {
    if (open === null) return
    const { name, values, line } = open
    open = null
    if (section === null) errors.push({ line, message: 'an option precedes the first [section]' })
    else options.push({ section, name, value: values.join('\n'), line })
  }

  const startSection = (text: string, line: number): void => {
    if (!text.endsWith(']')) errors.push({ line, message: 'a section must end with "]"' })
    else if (text.length <= 2) errors.push({ line, message: 'a section has no name' })
    else section = text.slice(1, -1)
  }

  const startOption = (text: string, line: number): void => {
    const assignment = splitAssignment(text, line)
    if (assignment === null) errors.push({ line, message: 'a line has neither "=" nor ":"' })
    else if (assignment.name === '') errors.push({ line, message: 'an option has no name' })
    else open = assignment
  }

  text.split(/\r\n|\r|\n/).forEach((whole, index) => {
    const line = index + 1
    const trimmed = pythonTrimEnd(whole)
    if (/^[ \t]/.test(trimmed)) {
      if (open === null) errors.push({ line, message: 'an indented line continues nothing' })
      else open.values.push(pythonTrimStart(trimmed))
      return
    }
    flush()
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) return
    if (trimmed.startsWith('[')) startSection(trimmed, line)
    else startOption(trimmed, line)
  })
  flush()
  return { options, errors }
}
