import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCommands } from './commands'
import { createHostFiles } from './host-files'
import { createProblemLog } from './problem-log'
import { readSmiLog } from './smi-log'

const GPUS = ['0000:3b:00.0', '0000:5e:00.0']

const log = (...addresses: string[]): string =>
  [
    'Driver Version : 550.54.10',
    `Attached GPUs : ${addresses.length}`,
    ...addresses.map((address) => `GPU 0000${address.toUpperCase()}`),
  ].join('\n')

/** A fake nvidia-smi in PATH, since exit statuses are no part of a capture. */
describe('the log of nvidia-smi', () => {
  const { PATH } = process.env
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-smi-'))
    process.env.PATH = `${folder}:${PATH}`
  })
  afterEach(() => {
    process.env.PATH = PATH
    rmSync(folder, { recursive: true, force: true })
  })

  const read = async (script: string) => {
    writeFileSync(path.join(folder, 'nvidia-smi'), `#!/bin/sh\n${script}\n`)
    chmodSync(path.join(folder, 'nvidia-smi'), 0o755)
    const problems = createProblemLog()
    const commands = createCommands({
      files: createHostFiles({ root: '/', problems }),
      problems,
      memory: new Map(),
    })
    const text = await readSmiLog(['-q'], { problems, commands, gpuAddresses: GPUS })
    return { text, problems: problems.list().map(({ source, message }) => `${source}: ${message}`) }
  }
  const print = (text: string): string => `cat <<'LOG'\n${text}\nLOG`

  test('counts with a warning and status 14, which is a problem of the GPU that it names', async () => {
    const { text, problems } = await read(
      `${print(log(...GPUS))}\necho "WARNING: infoROM is corrupted at gpu 0000:5E:00.0"\nexit 14`,
    )
    expect(text).toContain('GPU 00000000:3B:00.0')
    expect(problems).toEqual([
      'nvidia-smi GPU 0000:5e:00.0: nvidia-smi reports: WARNING: infoROM is corrupted at gpu 0000:5E:00.0',
    ])
  })

  test.each([
    ['another status', 'exit 3', 'ended with 3'],
    [
      'a warning about none',
      'echo "WARNING: driver is not persistent" >&2',
      'WARNING: driver is not persistent',
    ],
  ])('counts with %s, and a problem reports it', async (_name, end, words) => {
    const { text, problems } = await read(`${print(log(...GPUS))}\n${end}`)
    expect(text).toContain('GPU 00000000:5E:00.0')
    expect(problems).toEqual([expect.stringContaining(words)])
  })

  test.each([
    ['echo "No devices were found"; exit 6'],
    ['echo "No supported devices in vGPU mode" >&2; exit 6'],
    ['echo "No supported devices in vGPU mode"'],
  ])('is empty where there is nothing to list: %s', async (script) => {
    expect(await read(script)).toEqual({ text: '', problems: [] })
  })

  test('of a lost GPU is a problem of it, and the others are read', async () => {
    const lost = 'Unable to determine the device handle for GPU0000:5E:00.0: Unknown Error'
    const { text, problems } = await read(
      `case "$*" in *"-i 0000:3b:00.0") ${print(log('0000:3b:00.0'))}\n;; *) echo "${lost}"; exit 255;; esac`,
    )
    expect(text).toContain('GPU 00000000:3B:00.0')
    expect(problems).toEqual([`nvidia-smi GPU 0000:5e:00.0: nvidia-smi reports: ${lost}`])
  })

  test('that is cut off counts as far as it goes', async () => {
    const half = log(...GPUS)
      .split('\n')
      .slice(0, -1)
      .join('\n')
    const { text, problems } = await read(`${print(half)}\nkill -9 $$`)
    expect(text).toContain('GPU 00000000:3B:00.0')
    expect(problems[0]).toContain('printed 1 of 2 GPUs')
  })

  test.each([
    ['exit 0', 'printed nothing'],
    ['exit 9', 'ended with 9'],
    ['echo "NVIDIA-SMI has failed"; exit 9', 'ended with 9: NVIDIA-SMI has failed'],
    [
      'echo "Failed to initialize NVML: Driver/library version mismatch"',
      'printed no log but "Failed to initialize NVML',
    ],
  ])('is unknown after: %s', async (script, words) => {
    const { text, problems } = await read(script)
    expect(text).toBeNull()
    expect(problems).toEqual([expect.stringContaining(words)])
  })
})
