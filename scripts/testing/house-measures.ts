import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Named one by one: links in hidden folders of simulated hosts lead in circles. */
const FOLDERS = [
  'agent',
  'app',
  'bench',
  'chaos',
  'components',
  'e2e',
  'lab',
  'lib',
  'prisma',
  'scripts',
  'simulator',
]
/** Written by Prisma. */
const GENERATED = path.join('lib', 'server', 'prisma-client')
const SOURCE = /\.(ts|tsx|mjs|cjs|css|sh|py|prisma)$/

const below = (root: string, folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory())
      return entry.name.startsWith('.') || entry.name === 'node_modules' || file === GENERATED
        ? []
        : below(root, file)
    return entry.isFile() && SOURCE.test(entry.name) ? [file] : []
  })

/** Every source file that people write, tests too, by its path below `root`. */
export const listSources = (root: string): string[] => [
  ...readdirSync(root, { withFileTypes: true }).flatMap(({ name }) => (SOURCE.test(name) ? [name] : [])),
  ...FOLDERS.flatMap((folder) => below(root, folder)),
]

type SourceSize = { file: string; lines: number }

export const sizeOf = (root: string, file: string): SourceSize => ({
  file,
  lines: readFileSync(path.join(root, file), 'utf8').split('\n').length - 1,
})

const MAX_MEDIAN = 99
const MAX_OF_NINE_IN_TEN = 249
const MAX_LINES = 500

/** Lines that half of the files, nine in ten, and all of them stay within, and what of that is too much. */
export const measureSizes = (sizes: readonly SourceSize[]) => {
  const sorted = sizes.toSorted((a, b) => a.lines - b.lines)
  const within = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]?.lines ?? 0
  const [median, nineInTen, max] = [within(0.5), within(0.9), within(1)]
  const problems = [
    ...(median > MAX_MEDIAN ? [`half of the files have over ${MAX_MEDIAN} lines: ${median}`] : []),
    ...(nineInTen > MAX_OF_NINE_IN_TEN ? [`one file in ten has over ${MAX_OF_NINE_IN_TEN} lines`] : []),
    ...sorted.flatMap(({ file, lines }) =>
      lines > MAX_LINES ? [`${file} has ${lines} lines, and none has over ${MAX_LINES}: split it`] : [],
    ),
  ]
  return { files: sorted.length, median, nineInTen, max, problems }
}
