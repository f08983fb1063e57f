import { describe, expect, test } from 'vitest'
import { installProgram, printText } from '@/agent/testing/fake-program'
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

describe('the log of nvidia-smi', () => {
  const read = async (script: string, gpuAddresses = GPUS) => {
    installProgram('nvidia-smi', script)
    const problems = createProblemLog()
    const commands = createCommands({
      files: createHostFiles({ root: '/', problems }),
      problems,
      memory: new Map(),
    })
    const text = await readSmiLog(['-q'], { problems, commands, gpuAddresses })
    return { text, problems: problems.list().map(({ source, message }) => `${source}: ${message}`) }
  }

  test('counts with a warning and status 14, which is a problem of the GPU that it names', async () => {
    const { text, problems } = await read(
      `${printText(log(...GPUS))}\necho "WARNING: infoROM is corrupted at gpu 0000:5E:00.0"\nexit 14`,
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
    const { text, problems } = await read(`${printText(log(...GPUS))}\n${end}`)
    expect(text).toContain('GPU 00000000:5E:00.0')
    expect(problems).toEqual([expect.stringContaining(words)])
  })

  test.each([
    ['echo "No supported devices in vGPU mode" >&2; exit 6'],
    ['echo "No supported devices in vGPU mode"'],
  ])('is empty where there is nothing to list: %s', async (script) => {
    expect(await read(script)).toEqual({ text: '', problems: [] })
  })

  test('is empty where the driver has no GPU either', async () => {
    const script = 'echo "No devices were found"; exit 6'
    expect(await read(script, [])).toEqual({ text: '', problems: [] })
  })

  const LOST = 'Unable to determine the device handle for GPU0000:5E:00.0: Unknown Error'

  test('of a lost GPU is a problem of it, and the others are read', async () => {
    const { text, problems } = await read(
      `case "$*" in *"-i 0000:3b:00.0") ${printText(log('0000:3b:00.0'))}\n;; *) echo "${LOST}"; exit 255;; esac`,
    )
    expect(text).toContain('GPU 00000000:3B:00.0')
    expect(problems).toEqual([`nvidia-smi GPU 0000:5e:00.0: nvidia-smi reports: ${LOST}`])
  })

  test('of a lost GPU hides no warning about the others', async () => {
    const warning = 'WARNING: infoROM is corrupted at gpu 0000:3B:00.0'
    const { problems } = await read(
      `case "$*" in *"-i 0000:3b:00.0") ${printText(log('0000:3b:00.0'))}\necho "${warning}"; exit 14;; *) echo "${LOST}"; exit 255;; esac`,
    )
    expect(problems).toContain(`nvidia-smi GPU 0000:3b:00.0: nvidia-smi reports: ${warning}`)
  })

  test('of a second lost GPU is a problem of that GPU', async () => {
    const { text, problems } = await read(
      `case "$*" in *"-i 0000:3b:00.0") echo "GPU is lost" >&2; exit 15;; *"-i 0000:af:00.0") ${printText(log('0000:af:00.0'))}\n;; *) echo "${LOST}"; exit 255;; esac`,
      [...GPUS, '0000:af:00.0'],
    )
    expect(text).toContain('GPU 00000000:AF:00.0')
    expect(problems).toContain(
      'nvidia-smi GPU 0000:3b:00.0: "nvidia-smi -q -i 0000:3b:00.0" printed no log: ended with 15: GPU is lost.',
    )
  })

  test('is not called for further GPUs after one without any output', async () => {
    const { text, problems } = await read(
      `case "$*" in *"-i 0000:3b:00.0") kill -9 $$;; *"-i 0000:af:00.0") ${printText(log('0000:af:00.0'))}\n;; *) echo "${LOST}"; exit 255;; esac`,
      [...GPUS, '0000:af:00.0'],
    )
    expect(text).toBeNull()
    expect(problems.filter((problem) => problem.includes('printed no log: ended with SIGKILL'))).toHaveLength(
      1,
    )
  })

  test('that is cut off counts as far as it goes', async () => {
    const half = log(...GPUS)
      .split('\n')
      .slice(0, -1)
      .join('\n')
    const { text, problems } = await read(`${printText(half)}\nkill -9 $$`)
    expect(text).toContain('GPU 00000000:3B:00.0')
    expect(problems[0]).toContain('printed 1 of 2 GPUs')
  })

  test.each([
    ['exit 0', 'printed nothing'],
    ['exit 9', 'ended with 9'],
    ['echo "No devices were found"; exit 6', 'ended with 6: No devices were found'],
    ['echo "No devices were found" >&2; exit 6', 'ended with 6: No devices were found'],
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
