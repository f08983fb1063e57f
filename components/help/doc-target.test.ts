import { expect, test } from 'vitest'
import { docPicture, docTarget } from './doc-target'

test.each([
  ['sign-in.md', 'proxy.md', '/help/proxy'],
  ['sign-in.md', '#secret-and-signing-keys', '/help/sign-in#secret-and-signing-keys'],
  ['features.md', 'glossary.md#used', '/help/glossary#used'],
  ['README.md', 'decisions/', '/help/decisions'],
  ['decisions/003-a.md', '../sign-in.md', '/help/sign-in'],
  ['decisions/003-a.md', 'README.md', '/help/decisions'],
  ['decisions/003-a.md', '../README.md', '/help'],
])('%s links %s to %s', (file, destination, path) => {
  expect(docTarget({ file, cloud: null }, destination)).toEqual({ kind: 'document', path })
})

test('a link stays in the cloud of the page', () => {
  const target = docTarget({ file: 'sign-in.md', cloud: 'paris' }, 'proxy.md#nginx')
  expect(target).toEqual({ kind: 'document', path: '/help/proxy?cloud=paris#nginx' })
})

test.each([
  '../README.md',
  '../../etc/passwd.md',
  'monitoring/prometheus.yaml',
  '/gpus',
  '//evil.example/x.md',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//.md',
  'data:text/html,x.md',
])('%s leads nowhere', (destination) => {
  expect(docTarget({ file: 'sign-in.md', cloud: null }, destination)).toEqual({ kind: 'none' })
})

test('another site stays another site', () => {
  expect(docTarget({ file: 'a.md', cloud: null }, 'https://keepachangelog.com')).toEqual({
    kind: 'site',
    url: 'https://keepachangelog.com',
  })
})

test('pictures come from one folder', () => {
  expect(docPicture('features.md', 'images/gpus-light.png')).toBe('/api/v1/help-images/gpus-light.png')
  expect(docPicture('decisions/003-a.md', '../images/gpus-light.png')).toBe(
    '/api/v1/help-images/gpus-light.png',
  )
  for (const source of ['../images/x.png', 'https://evil.example/x.png', 'images/x.svg', 'x.png'])
    expect(docPicture('features.md', source)).toBeNull()
})
