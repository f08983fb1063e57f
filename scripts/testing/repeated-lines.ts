import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A line that says something: no import, no comment, no bare bracket. */
const isTelling = (line: string): boolean => /\w/.test(line) && !/^(import\b|\/\/|\/?\*)/.test(line)

export type SourceText = { file: string; text: string }

export const textOf = (root: string, file: string): SourceText => ({
  file,
  text: readFileSync(path.join(root, file), 'utf8'),
})

type Telling = { line: string; place: string }

const tellingLines = ({ file, text }: SourceText): Telling[] =>
  text
    .replaceAll(/^import [^;]*? from '[^']*'$/gm, (statement) => statement.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line, at) => ({ line: line.trim(), place: `${file}:${at + 1}` }))
    .filter(({ line }) => isTelling(line))

/** Where `length` telling lines in a row stand as they stood before; a longer run is told once, by its begin. */
export const findRepeats = (sources: readonly SourceText[], length: number): string[] => {
  const seen = new Map<string, string>()
  return sources.flatMap((source) => {
    const lines = tellingLines(source)
    let isInside = false
    return lines.flatMap(({ place }, at) => {
      const run = lines.slice(at, at + length)
      if (run.length < length) return []
      const key = run.map(({ line }) => line).join('\n')
      const earlier = seen.get(key)
      if (earlier === undefined) seen.set(key, place)
      const isBegin = earlier !== undefined && !isInside
      isInside = earlier !== undefined
      return isBegin ? [`${place} repeats ${earlier}`] : []
    })
  })
}
