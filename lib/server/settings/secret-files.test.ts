import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SECRET_SETTINGS, withSecretFiles } from './secret-files'

const folder = mkdtempSync(join(tmpdir(), 'sliceboard-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileWith = (text: string): string => {
  const file = join(folder, `secret-${text.length}`)
  writeFileSync(file, text)
  return file
}

test.each(SECRET_SETTINGS)('%s can come from a file, without the newline at its end', (name) => {
  const { source, problems } = withSecretFiles({ [`${name}_FILE`]: fileWith('hunter2\n') })
  expect([source[name], problems]).toEqual(['hunter2', []])
})

test('both, an unreadable file and an empty one are refused together, and no secret is repeated', () => {
  const missing = join(folder, 'missing')
  const { problems } = withSecretFiles({
    DATABASE_URL: 'postgresql://anna:hunter2@db/x',
    DATABASE_URL_FILE: fileWith('other'),
    SLICEBOARD_SECRET_FILE: missing,
    SLICEBOARD_REPLICA_URL_FILE: fileWith(' \n'),
  })
  expect(problems).toEqual([
    'DATABASE_URL and DATABASE_URL_FILE are both set: remove one of them.',
    `SLICEBOARD_REPLICA_URL_FILE is "${fileWith(' \n')}", but that file is empty.`,
    `SLICEBOARD_SECRET_FILE is "${missing}", but that file cannot be read (ENOENT).`,
  ])
})

test('an empty variable counts as absent where its file is set', () => {
  const { source } = withSecretFiles({ SLICEBOARD_SECRET: ' ', SLICEBOARD_SECRET_FILE: fileWith('hunter22') })
  expect(source.SLICEBOARD_SECRET).toBe('hunter22')
})
