import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PAGE_POLICIES } from '@/lib/domain/access/route-policies'
import { docAnchor } from '@/lib/util/doc-anchor'
import { HELP_TOPICS, helpTopic } from './help-topics'

const docs = path.resolve(import.meta.dirname, '../../docs')
const headingsOf = (address: string): string[] =>
  [...readFileSync(path.join(docs, `${address}.md`), 'utf8').matchAll(/^#+ +(.+)$/gm)].map(
    ([, heading = '']) => docAnchor(heading),
  )

test('each page has a document, and each topic is of a page', () => {
  const pages = Object.keys(PAGE_POLICIES).filter((page) => page !== '/login')
  const start = (page: string) => `/${page.split('/')[1] ?? ''}`
  const topics = Object.keys(HELP_TOPICS)
  expect(pages.filter((page) => !topics.includes(start(page)))).toEqual([])
  expect(topics.filter((topic) => !pages.some((page) => page.startsWith(topic)))).toEqual([])
})

test('each topic is a document, with its section', () => {
  for (const topic of Object.values(HELP_TOPICS)) {
    const [address = '', anchor] = topic.split('#')
    expect(existsSync(path.join(docs, `${address === '' ? 'README' : address}.md`)), topic).toBe(true)
    if (anchor !== undefined) expect(headingsOf(address)).toContain(anchor)
  }
})

test('the longest beginning of a path counts', () => {
  expect(helpTopic('/')).toEqual({ address: 'features', anchor: 'all-features' })
  expect(helpTopic('/gpus/cmp-1/0000:18:00.0')).toEqual({ address: 'glossary' })
  expect(helpTopic('/changes/12')).toEqual({ address: 'changes' })
  expect(helpTopic('/changes/new/type')).toEqual({ address: 'type-changes' })
  expect(helpTopic('/changes/new/orphans')).toEqual({ address: 'traits' })
})
