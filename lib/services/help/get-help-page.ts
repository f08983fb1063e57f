import 'server-only'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '@/lib/server/errors/service-error'
import { docsDirectory, listDocuments } from './documents'

/** `file`: its path below `docs`. `text`: Markdown without the title. */
export type HelpPage = { file: string; title: string; text: string }

const TITLE = /^# +(.+)\n+/

/**
 * A document by its address below /help: `sign-in`, `decisions/003-…`; a folder leads to its README. It needs no
 * permission, because documents contain nothing of a cloud.
 */
export const getHelpPage = async (
  root: string,
  { address }: { address: readonly string[] },
): Promise<HelpPage> => {
  const name = address.join('/')
  const wanted = [`${name}.md`, name === '' ? 'README.md' : `${name}/README.md`]
  const file = (await listDocuments(root)).find((each) => wanted.includes(each))
  if (file === undefined)
    throw new ServiceError('not_found', 'There is no such document. Open the list of documents.')
  const source = await readFile(join(docsDirectory(root), file), 'utf8')
  const title = TITLE.exec(source)?.[1]
  return { file, title: title ?? file, text: title === undefined ? source : source.replace(TITLE, '') }
}
