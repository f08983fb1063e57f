import path from 'node:path'
import { expect, test } from 'vitest'
import { getHelpImage } from './get-help-image'
import { getHelpPage } from './get-help-page'

const root = path.resolve(import.meta.dirname, '../../..')

test('an address leads to its document, and a folder to its list', async () => {
  const page = await getHelpPage(root, { address: ['sign-in'] })
  expect(page).toMatchObject({ file: 'sign-in.md', title: 'Sign-in' })
  expect(page.text).not.toContain('# Sign-in')
  expect(await getHelpPage(root, { address: [] })).toMatchObject({
    file: 'README.md',
    title: 'Documentation',
  })
  expect(await getHelpPage(root, { address: ['decisions'] })).toMatchObject({ file: 'decisions/README.md' })
})

test.each([
  [['..', 'README']],
  [['..', '..', 'etc', 'passwd']],
  [['../README']],
  [['decisions', '..', 'sign-in']],
  [['decisions/../sign-in']],
  [['%2e%2e', 'README']],
  [['sign-in.md']],
  [['sign-in\0']],
  [['/etc/passwd']],
  [['images', 'gpus-light.png']],
  [['monitoring', 'prometheus']],
  [['nothing']],
])('%j leads to no document', async (address) => {
  await expect(getHelpPage(root, { address })).rejects.toMatchObject({ code: 'not_found' })
})

test('a picture is a PNG of the documents, and nothing else is', async () => {
  const picture = await getHelpImage(root, { name: 'gpus-light.png' })
  expect(Buffer.from(picture.subarray(1, 4)).toString()).toBe('PNG')
  for (const name of ['../../package.json', '..%2fREADME.md', '../sign-in.md', 'gpus-light', ''])
    await expect(getHelpImage(root, { name })).rejects.toMatchObject({ code: 'not_found' })
})
