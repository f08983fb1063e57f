import { helpImagePath, helpPath } from '@/lib/util/help-paths'

/** Where a link of a document leads: a document of the console, another site, or nowhere that the console serves. */
export type DocTarget = { kind: 'document'; path: string } | { kind: 'site'; url: string } | { kind: 'none' }

/** Resolves `../a.md` against the folder of a file below `docs`; null: above `docs`. */
const resolve = (file: string, relative: string): string | null => {
  const parts = file.split('/').slice(0, -1)
  for (const part of relative.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

const addressOf = (document: string): string => document.replace(/\.md$/, '').replace(/(^|\/)README$/, '')

/** The document of a link: its path below `docs`, and the cloud that its links stay in. */
export type LinkingDoc = { file: string; cloud: string | null }

/** `destination`: as the document writes it. */
export const docTarget = ({ file, cloud }: LinkingDoc, destination: string): DocTarget => {
  if (/^https?:\/\//i.test(destination) && URL.canParse(destination))
    return { kind: 'site', url: destination }
  if (/^[a-z][a-z\d+.-]*:|^\//i.test(destination)) return { kind: 'none' }
  const [relative = '', anchor] = destination.split('#', 2)
  const document = relative === '' ? file : resolve(file, relative)
  if (document === null || !(document.endsWith('.md') || relative.endsWith('/'))) return { kind: 'none' }
  const address = addressOf(document)
  return { kind: 'document', path: helpPath({ cloud, address, ...(anchor ? { anchor } : {}) }) }
}

/** The console's address of a picture that a document shows; null: it is none of `docs/images`. */
export const docPicture = (file: string, source: string): string | null => {
  const name = /^images\/([\w-]+\.png)$/.exec(resolve(file, source) ?? '')?.[1]
  return name === undefined ? null : helpImagePath({ name })
}
