import 'server-only'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '@/lib/server/errors/service-error'
import { docsDirectory, listDocs } from './documents'

/** A picture of the documents, a PNG, by its name. */
export const getHelpImage = async (
  root: string,
  { name }: { name: string },
): Promise<Uint8Array<ArrayBuffer>> => {
  const file = (await listDocs(root, 'images', '.png')).find((each) => each === `images/${name}`)
  if (file === undefined) throw new ServiceError('not_found', 'There is no such picture.')
  return new Uint8Array(await readFile(join(docsDirectory(root), file)))
}
