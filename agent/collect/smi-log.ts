import { firstLine, plainLine } from './clean-text'
import { type Attempt, type Commands, failureText } from './commands'
import { canonicalAddress } from './identifiers'
import type { ProblemLog } from './problem-log'

/**
 * It takes seconds of CPU on a host with many GPUs, and nothing in it changes before sysfs shows a change. Less than a minute, so that
 * of rounds of 30 s every second one runs it, though each ends a little late.
 */
export const MAX_AGE_MS = 50_000

/** What nvidia-smi prints, with status 6, where it has nothing to list: a fact and no failure. */
const NOTHING =
  /^(No devices were found|No supported (devices|GPUs?) (in|with) vGPU( mode)?|No (active )?vGPUs? (were )?found)/im

const NO_DEVICES = /^No devices were found/im

const ADDRESS = /\b(?:GPU\s*)?([0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-7])/i

/** GPUs that are queried one by one after one of them has failed. */
const MAX_SINGLE_GPUS = 32

export type SmiRun = { problems: ProblemLog; commands: Commands; gpuAddresses: readonly string[] }

const isLog = (stdout: string): boolean =>
  /^Driver Version\s*:/m.test(stdout) || /^GPU [0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-7]/im.test(stdout)

/** Lines that belong to no log: warnings in one, all others otherwise. */
const remarksIn = ({ stdout, stderr }: Attempt): string[] => {
  const hasLog = isLog(stdout)
  const inside = stdout.split('\n').filter((line) => !hasLog || /^\s*(WARNING|ERROR)\b/i.test(line))
  return [...inside, ...stderr.split('\n')].map((line) => line.trim()).filter((line) => line !== '')
}

const addressIn = (line: string): string | null => canonicalAddress(ADDRESS.exec(line)?.[1] ?? '')

/** Source of a problem that NVIDIA's driver has with one GPU; the console shows it with that GPU. */
const gpuSource = (address: string): string => `nvidia-smi GPU ${address}`

/** Adds messages about single GPUs to the problems, and returns the addresses that are named. */
const addRemarks = (remarks: readonly string[], problems: ProblemLog): string[] => {
  const named = remarks.flatMap((line) => {
    const address = addressIn(line)
    return address === null ? [] : [{ address, line: plainLine(line, 400) }]
  })
  for (const { address, line } of named)
    problems.add({
      source: gpuSource(address),
      code: 'command-failed',
      message: `nvidia-smi reports: ${line}`,
    })
  return [...new Set(named.map(({ address }) => address))]
}

/** "Attached GPUs : 8" over a log of seven: it was cut off, or a GPU did not answer. */
const addMissing = (line: string, attempt: Attempt, problems: ProblemLog): void => {
  const attached = Number(/^Attached GPUs\s*:\s*(\d+)/m.exec(attempt.stdout)?.[1] ?? 0)
  const printed = attempt.stdout.match(/^GPU [0-9A-F]{4,8}:/gim)?.length ?? 0
  if (printed >= attached) return
  const why = attempt.failure === null ? '' : ` and ${attempt.failure}`
  const message = `"${line}" printed ${printed} of ${attached} GPUs${why}; the others are unknown to it.`
  problems.add({ source: line, code: 'incomplete', message })
}

/** The log of each GPU that is not among `failed`, printed one by one. A GPU without a log becomes a problem of that GPU. */
const logsOfOthers = async (
  args: readonly string[],
  failed: readonly string[],
  { problems, commands, gpuAddresses }: SmiRun,
): Promise<string | null> => {
  const others = gpuAddresses.filter((address) => !failed.includes(address)).slice(0, MAX_SINGLE_GPUS)
  const logs: string[] = []
  for (const address of others) {
    const options = { maxAgeMs: MAX_AGE_MS, isUsable: isLog }
    const made = await commands.attempt('nvidia-smi', [...args, '-i', address], options)
    if (made === null) break
    if (isLog(made.stdout)) {
      addRemarks(remarksIn(made), problems)
      logs.push(made.stdout)
      continue
    }
    const line = ['nvidia-smi', ...args, '-i', address].join(' ')
    const why = made.failure === null ? '' : `: ${failureText(made)}`
    const message = `"${line}" printed no log${why}.`
    problems.add({ source: gpuSource(address), code: 'command-failed', message })
    // Most likely it was stopped after its time limit, and each of the next GPUs would take as long.
    if (made.stdout === '' && made.stderr === '') break
  }
  return logs.length === 0 ? null : logs.join('\n')
}

/**
 * The log of `nvidia-smi -q` or `nvidia-smi vgpu -q`, at any exit status: status 14 is a warning after a complete log
 * (microsoft/pai#3756). Empty where there is nothing to list, null where nothing was learned. A message about one GPU
 * becomes a problem of that GPU, and the other GPUs are queried one by one.
 */
export const readSmiLog = async (args: readonly string[], run: SmiRun): Promise<string | null> => {
  const { problems, commands } = run
  const line = ['nvidia-smi', ...args].join(' ')
  const made = await commands.attempt('nvidia-smi', args, { maxAgeMs: MAX_AGE_MS, isUsable: isLog })
  if (made === null) return null
  const remarks = remarksIn(made)
  const named = addRemarks(remarks, problems)
  if (isLog(made.stdout)) {
    addMissing(line, made, problems)
    const others = remarks.filter((remark) => addressIn(remark) === null)
    if (others.length > 0 || (made.failure !== null && named.length === 0)) {
      const words = others.length === 0 ? `${made.failure}` : firstLine(others.join('\n'))
      const message = `"${line}" printed its log, with a remark: ${words}.`
      problems.add({ source: line, code: 'incomplete', message })
    }
    return made.stdout
  }
  const isNothing = NOTHING.test(made.stdout) || NOTHING.test(made.stderr)
  // NVIDIA's driver has GPUs, and none of them answers.
  const isFailed = run.gpuAddresses.length > 0 && NO_DEVICES.test(`${made.stdout}\n${made.stderr}`)
  if (isNothing && !isFailed) return ''
  if (named.length > 0) return logsOfOthers(args, named, run)
  const words = firstLine(made.stdout)
  const printed = words === '' ? 'printed nothing' : `printed no log but "${words}"`
  const message = `"${line}" ${made.failure === null ? printed : failureText(made)}.`
  problems.add({ source: line, code: 'command-failed', message })
  return null
}
