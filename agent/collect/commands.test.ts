import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { treeWith } from '@/agent/testing/tree'
import { type CommandMemory, capturePath, createCommands } from './commands'
import { createHostFiles } from './host-files'
import { createProblemLog } from './problem-log'

test.each([
  ['nvidia-smi -q', 'nvidia-smi-q'],
  ['nvidia-smi vgpu -q', 'nvidia-smi-vgpu-q'],
  ['virsh -r version', 'virsh-r-version'],
])('a capture of "%s"', (line, name) => {
  expect(capturePath(line)).toBe(`/.sliceboard/commands/${name}.txt`)
})

test('with --root nothing is executed', async () => {
  const { files, problems } = treeWith({ '/.sliceboard/commands/echo-hello.txt': 'captured\u0007' })
  const commands = createCommands({ files, problems, memory: new Map() })
  expect(await commands.output('echo', ['hello'])).toBe('captured\ufffd')
  expect(await commands.output('echo', ['other'])).toBeNull()
  expect(problems.list()).toEqual([])
})

describe('on the host itself', () => {
  const { PATH } = process.env
  let folder = ''
  beforeEach(() => {
    // Not in memory: such file systems are often mounted without the right to execute.
    folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-commands-'))
    process.env.PATH = `${folder}:${PATH}`
  })
  afterEach(() => {
    process.env.PATH = PATH
    rmSync(folder, { recursive: true, force: true })
  })

  const script = (name: string, text: string): void => {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`)
    chmodSync(path.join(folder, name), 0o755)
  }
  const onHost = (memory: CommandMemory = new Map()) => {
    const problems = createProblemLog()
    const files = createHostFiles({ root: '/', problems })
    return { problems, commands: createCommands({ files, problems, memory }) }
  }

  test('the output, in the C locale', async () => {
    script('fake-smi', 'echo "$1 $LC_ALL"')
    const { commands, problems } = onHost()
    expect(await commands.output('fake-smi', ['-q'])).toBe('-q C\n')
    expect(problems.list()).toEqual([])
  })

  test('a command that is not installed is null and no problem', async () => {
    const { commands, problems } = onHost()
    expect(await commands.output('not-installed-anywhere', [])).toBeNull()
    expect(problems.list()).toEqual([])
  })

  test('a failure is a problem with the output of the command', async () => {
    script('fake-smi', 'echo "No devices were found."; echo more; exit 6')
    const { commands, problems } = onHost()
    expect(await commands.output('fake-smi', ['-q'])).toBeNull()
    expect(problems.list()).toEqual([
      {
        source: 'fake-smi -q',
        code: 'command-failed',
        message: '"fake-smi -q" ended with 6: No devices were found.',
      },
    ])
  })

  test('a failure that only reports that there is nothing is an empty output', async () => {
    script('fake-smi', 'echo "No GPU instances found: Not Found"; exit 6')
    const { commands, problems } = onHost()
    const saysNone = /^No GPU instances/
    expect(await commands.output('fake-smi', ['mig'], { maxAgeMs: 0, saysNone })).toBe('')
    expect(await commands.output('fake-smi', ['mig'], { maxAgeMs: 0, saysNone: /^Nothing/ })).toBeNull()
    expect(problems.list()).toHaveLength(1)
  })

  test('an output is used again while it is young enough, a failure never', async () => {
    script('fake-smi', 'date +%N')
    const memory: CommandMemory = new Map()
    const first = await onHost(memory).commands.output('fake-smi', [], { maxAgeMs: 60_000 })
    expect(await onHost(memory).commands.output('fake-smi', [], { maxAgeMs: 60_000 })).toBe(first)
    expect(await onHost(memory).commands.output('fake-smi', [])).not.toBe(first)
    script('fake-smi', 'exit 1')
    const { commands, problems } = onHost(memory)
    expect(await commands.output('fake-smi', [])).toBeNull()
    expect(await commands.output('fake-smi', [], { maxAgeMs: 60_000 })).toBeNull()
    expect(problems.list()).toHaveLength(1)
  })
})
