import { existsSync } from 'node:fs'
import path from 'node:path'
import { docAnchor } from '../../lib/util/doc-anchor'

/** A page of documentation: its path below the root, with `/`, and its text. */
type DocPage = { file: string; text: string }

const anchorsOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => docAnchor(heading)))

const LINK = /\]\(([^)\s]+)\)/g
const PICTURE = /(?:src|srcset)="([^"]+)"/g
const COMMAND = /npm run (?:--silent )?([a-z][\w:-]*)/g
/** A path below one of the folders of the code. */
const SOURCE_PATH =
  /`((?:agent|app|bench|chaos|components|e2e|lab|lib|prisma|scripts|simulator)\/[\w./()[\]-]+)`/g

/** A test that is named without its folder; `x.test.ts` is any. */
const TEST_NAME = /`([\w-][\w.-]+\.(?:test|spec)\.tsx?)`/g

const isOutside = (target: string): boolean => /^[a-z]+:/.test(target)

/** Where a page points to nothing: links and pictures, their headings, npm scripts, paths of the code and names of tests. Sentences, sorted by page. */
export const findDeadEnds = ({
  pages,
  scripts,
  tests,
  exists,
}: {
  pages: readonly DocPage[]
  /** Names of npm scripts. */
  scripts: ReadonlySet<string>
  /** Names of test files, without their folders. */
  tests: ReadonlySet<string>
  /** Whether a path below the root is there. */
  exists: (file: string) => boolean
}): string[] => {
  const texts = new Map(pages.map(({ file, text }) => [file, text]))
  const deadLink = (file: string, target: string): string | null => {
    const [document = '', anchor] = target.split('#', 2)
    const to = document === '' ? file : path.posix.join(path.posix.dirname(file), document)
    if (!exists(to)) return `${file} links to ${target}, and there is no ${to}`
    const text = texts.get(to)
    return anchor === undefined || text === undefined || anchorsOf(text).has(anchor)
      ? null
      : `${file} links to ${target}, and ${to} has no such heading`
  }
  return pages.flatMap(({ file, text }) => {
    const targets = [LINK, PICTURE].flatMap((pattern) => [...text.matchAll(pattern)].map(([, to = '']) => to))
    const commands = [...text.matchAll(COMMAND)].map(([, name = '']) => name)
    const named = [...text.matchAll(TEST_NAME)].map(([, name = '']) => name)
    const paths = [...text.matchAll(SOURCE_PATH)].map(([, to = '']) => to)
    return [
      ...targets.filter((to) => !isOutside(to)).flatMap((to) => deadLink(file, to) ?? []),
      ...commands.filter((name) => !scripts.has(name)).map((name) => `${file}: there is no npm run ${name}`),
      ...named
        .filter((name) => !tests.has(name))
        .map((name) => `${file} names the test ${name}, which is not there`),
      ...paths.filter((to) => !exists(to)).map((to) => `${file} names ${to}, which is not there`),
    ]
  })
}

/** Whether a path below `root` is there. */
export const existsBelow =
  (root: string) =>
  (file: string): boolean =>
    existsSync(path.join(root, file))

/** Rows that stand apart from their table, which are drawn as text: `file:line`. */
export const findLooseRows = ({ file, text }: DocPage): string[] => {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const isBegin = line.startsWith('|') && !lines[at - 1]?.startsWith('|')
    return isBegin && !/^\|[ :|-]+\|$/.test(lines[at + 1] ?? '') ? [`${file}:${at + 1}`] : []
  })
}
