import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A line with content: no import, no comment, no bare bracket. */
const isTelling = (line: string): boolean => /\w/.test(line) && !/^(import\b|\/\/|\/?\*)/.test(line)

export type SourceText = { file: string; text: string }

export const textOf = (root: string, file: string): SourceText => ({
  file,
  text: readFileSync(path.join(root, file), 'utf8'),
})

type Telling = { line: string; location: string }

const tellingLines = ({ file, text }: SourceText): Telling[] =>
  text
    .replaceAll(/^import [^;]*? from '[^']*'$/gm, (statement) => statement.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line, at) => ({ line: line.trim(), location: `${file}:${at + 1}` }))
    .filter(({ line }) => isTelling(line))

/** Where `length` lines with content in a row repeat earlier ones; a longer run is listed once, by its begin. */
export const findRepeats = (sources: readonly SourceText[], length: number): string[] => {
  const seen = new Map<string, string>()
  return sources.flatMap((source) => {
    const lines = tellingLines(source)
    let isInside = false
    return lines.flatMap(({ location }, at) => {
      const run = lines.slice(at, at + length)
      if (run.length < length) return []
      const key = run.map(({ line }) => line).join('\n')
      const earlier = seen.get(key)
      if (earlier === undefined) seen.set(key, location)
      const isBegin = earlier !== undefined && !isInside
      isInside = earlier !== undefined
      return isBegin ? [`${location} repeats ${earlier}`] : []
    })
  })
}
