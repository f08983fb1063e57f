import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Encoded, joinEncoded } from './encoded'
import { novaConfValue } from './nova-conf'
import { heredoc, nestedCommand, sh, shellComment, shellWord, sshWord } from './shell'
import { anyText, HOSTILE_TEXTS, UNSAFE } from './testing/hostile-text'
import { visible } from './visible'

const SHELLS = ['sh', 'dash', 'bash'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0)

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'encode-'))
  // Like ssh, it joins its arguments with blanks and lets a shell read them.
  writeFileSync(join(folder, 'ssh'), '#!/bin/sh\nshift\nexec "$REMOTE_SHELL" -c "$*"\n')
  chmodSync(join(folder, 'ssh'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a script prints, as texts that NUL ends. Only the stub may be in the folder afterwards. */
const run = (shell: string, script: Encoded<'shell'>): string[] => {
  const { status, stdout, stderr } = spawnSync(shell, ['-eu'], {
    input: script,
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:/usr/bin:/bin`, REMOTE_SHELL: shell },
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(readdirSync(folder)).toEqual(['ssh'])
  return stdout.split('\0').slice(0, -1)
}

const runAll = (
  shell: string,
  texts: readonly string[],
  command: (text: string) => Encoded<'shell'>,
): void => {
  expect(run(shell, sh`${joinEncoded(texts.map(command), '\n')}\n`)).toEqual(texts.map(visible))
}

const texts = () => fc.array(anyText(), { minLength: 1, maxLength: 40 })

describe.each(SHELLS)('%s', (shell) => {
  test('reads each word back', () => {
    const command = (text: string) => sh`printf '%s\\0' ${shellWord(text)}`
    runAll(shell, HOSTILE_TEXTS, command)
    fc.assert(
      fc.property(texts(), (each) => runAll(shell, each, command)),
      { numRuns: 30 },
    )
  })

  test('reads each word back behind ssh', () => {
    const command = (text: string) => sh`ssh host printf ${sshWord('%s\\0')} ${sshWord(text)} </dev/null`
    const some = HOSTILE_TEXTS.filter((text) => text.length < 100)
    runAll(shell, some, command)
    const nested = (text: string) =>
      sh`ssh host ${nestedCommand(sh`printf '%s\\0' ${shellWord(text)}`)} </dev/null`
    runAll(shell, some, nested)
    fc.assert(
      fc.property(fc.array(anyText(), { maxLength: 5 }), (each) => runAll(shell, each, nested)),
      {
        numRuns: 10,
      },
    )
  })

  test('reads a here-document back and nothing after it', () => {
    const check = (each: readonly string[]): void => {
      const content = joinEncoded(each.map(novaConfValue), '\n')
      expect(run(shell, sh`${heredoc(sh`cat`, content)}\nprintf '\\0'\n`)).toEqual([`${content}\n`])
    }
    for (const text of HOSTILE_TEXTS) check([text, 'END', 'END_1', text])
    check(['E\u00e9', 'END\0', '_\u00e9'])
    check([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ_'].map((letter) => `${letter}\u00e9`))
    fc.assert(fc.property(texts(), check), { numRuns: 30 })
  })

  test('runs nothing of a comment', () => {
    const lines = HOSTILE_TEXTS.map(shellComment)
    expect(run(shell, sh`${joinEncoded(lines, '\n')}\n`)).toEqual([])
  })
})

test('no word holds a control, format or separator character', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      for (const word of [shellWord(text), sshWord(text), shellComment(text)])
        expect(word).not.toMatch(UNSAFE)
    }),
  )
})

test('only encoded text and numbers are accepted', () => {
  const raw: string = 'a; b'
  // @ts-expect-error a plain string is refused
  sh`openstack flavor set ${raw}`
  // @ts-expect-error text of another language is refused
  sh`openstack flavor set ${novaConfValue(raw)}`
  // @ts-expect-error a plain string is no encoded text
  const assigned: Encoded<'shell'> = raw
  expect(sh`openstack flavor set ${shellWord(assigned)} ${1}`).toBe("openstack flavor set 'a; b' 1")
  expect(() => sh`head -n ${Number.NaN}`).toThrow(RangeError)
})
